import type { UpdateDefinition } from '@temporalio/common';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  CheckpointState,
  ClaimedCheckpoint,
  MutationNoted,
  MutationRequest,
  Redeemed,
} from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import {
  atStoredDesk,
  claimAt,
  completeAt,
  finishAt,
  redeemAt,
} from '../../../domain/approval/running/desk.js';
import type {
  CompleteRequest,
  RedeemRequest,
} from '../../../domain/approval/running/redemption.js';
import { mayPickUp, type PickUp } from '../../../domain/approval/deciding/request.js';
import type { LeaseRequest } from '../../../domain/approval/running/work-lease.js';
import { refuse } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import {
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  mutationUpdate,
  redeemUpdate,
  type ClaimReceipt,
  type SealedCheckpoint,
} from '../../../workflows/approval/messages.js';
import type { Caller as Proven } from '../../../contracts/people/caller.js';
import { demand, refusalOf } from '../../errors.js';
import type { Parts } from '../../parts/index.js';
import { proven } from '../../parts/caller.js';
import { demandEntityId, refused, writeUnavailable } from '../../parts/refusals.js';
import { WRITE, useCase, type Call } from '../usecase.js';
import { standingOf } from './standing.js';

/*
 * Lets an agent that is not on Temporal redeem its approvals. The workflow judges each request; once it has ended,
 * the same rules judge by the store.
 */

/** Refusals of all these requests: people have not approved, or another process holds the lease. */
const PICK_UP = ['approval_pending', 'approval_decided', 'stale_token', ...WRITE] as const;

/** Lets a process run a call. */
export const redeemCall = useCase({
  name: 'redeemCall',
  resource: 'approval',
  refusals: [
    'approval_pending',
    'approval_decided',
    'approval_in_use',
    'proposal_mutation_detected',
    ...WRITE,
  ],
  run: (call: Call, id: string, request: RedeemRequest): Promise<Redeemed> =>
    send(call, 'redeemCall', id, redeemUpdate, request, (view) =>
      atStoredDesk(view, (desk) => redeemAt(desk, view, request, now(call))),
    ),
});

export const completeCall = useCase({
  name: 'completeCall',
  resource: 'approval',
  refusals: ['proposal_mutation_detected', ...PICK_UP],
  run: (call: Call, id: string, request: CompleteRequest): Promise<Redeemed> =>
    send(call, 'completeCall', id, completeUpdate, request, (view) =>
      atStoredDesk(view, (desk) => completeAt(desk, view, request, now(call))),
    ),
});

/**
 * Records that a process found another call than the approved one, and runs nothing. After the workflow has ended
 * nothing can be redeemed, so there is nothing to record.
 */
export const reportMutation = useCase({
  name: 'reportMutation',
  resource: 'approval',
  refusals: ['approval_decided', ...WRITE],
  run: (call: Call, id: string, request: MutationRequest): Promise<MutationNoted> =>
    send(call, 'reportMutation', id, mutationUpdate, request, tooLate),
});

/** Lets a process restore an agent from its checkpoint. After `checkpoint_unreadable` it still holds the lease. */
export const claimCheckpoint = useCase({
  name: 'claimCheckpoint',
  resource: 'approval',
  refusals: [
    'approval_pending',
    'approval_decided',
    'approval_in_use',
    'invalid_transition',
    'checkpoint_unreadable',
    ...WRITE,
  ],
  async run(call: Call, id: string, request: LeaseRequest): Promise<ClaimedCheckpoint> {
    const { sealed, ...claim } = await send<ClaimReceipt, LeaseRequest>(
      call,
      'claimCheckpoint',
      id,
      claimCheckpointUpdate,
      request,
      (view) => atStoredDesk(view, (desk) => claimAt(desk, view, request, now(call))),
    );
    const { value: approval } = await call.parts.readApproval(id);
    return { ...claim, approval, checkpoint: sealed ? opened(call, id, sealed) : null };
  },
});

export const finishCheckpoint = useCase({
  name: 'finishCheckpoint',
  resource: 'approval',
  refusals: ['invalid_transition', ...PICK_UP],
  run: (call: Call, id: string, token: number): Promise<CheckpointState> =>
    send(call, 'finishCheckpoint', id, finishCheckpointUpdate, { token }, (view) =>
      atStoredDesk(view, (desk) => finishAt(desk, view, token)),
    ),
});

/** Sends an Update; if the workflow has ended, `stored` judges. */
async function send<R, A extends object>(
  { caller, parts }: Call,
  action: PickUp,
  id: string,
  update: UpdateDefinition<R, [A & { readonly by: Proven }]>,
  request: A,
  stored: (view: ApprovalView) => Ruling<R>,
): Promise<R> {
  demandEntityId('approval', id);
  const input = { ...request, by: proven(caller) };
  const pickUp = () => parts.temporal.update(workflowIdOf('approval', id), update, input);
  const outcome = await pickUp().catch(async (error: unknown) => {
    await learnt(parts, id, error);
    return pickUp();
  });
  if (outcome.kind === 'done') return outcome.value;
  if (outcome.kind === 'no_answer') throw writeUnavailable();
  const { value: view } = await parts.readApproval(id);
  demand(mayPickUp(caller, action, view));
  return demand(stored(view));
}

/**
 * After `approval_pending`: waits until the approval knows of an answer that settled its question, or has checked its
 * end. Throws the refusal where people are still asked.
 */
async function learnt(parts: Parts, id: string, error: unknown): Promise<void> {
  const refusal = refusalOf(error);
  if (refusal?.code !== 'approval_pending') throw error;
  const past = refusal.state?.['suspension_id'];
  if (typeof past !== 'string') {
    await standingOf(parts, id);
    return;
  }
  // A question that cannot be read, as before its first task, has no answer yet.
  const asked = await parts.reads.getSuspension(past).catch(() => undefined);
  if (asked?.value.state !== 'settled') throw error;
  await standingOf(parts, id, { past });
}

function now({ parts }: Call): string {
  return toInstant(parts.clock.now());
}

function tooLate({ status }: ApprovalView): Ruling<never> {
  const extra = { state: { status } };
  return refuse('approval_decided', 'Nothing of the approval can run any more.', extra);
}

/** Opens the saved state of an agent. Throws `checkpoint_unreadable`. */
function opened({ parts }: Call, approval_id: string, sealed: SealedCheckpoint) {
  const { schema_version, content } = sealed;
  const state = parts.agentStates.open(content, approval_id);
  if (state !== undefined) return { schema_version, state };
  throw refused('checkpoint_unreadable', 'No configured key opens the checkpoint.');
}
