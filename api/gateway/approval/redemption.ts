import type { UpdateDefinition } from '@temporalio/common';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type {
  AgentStates,
  CheckpointState,
  ClaimedCheckpoint,
  MutationRequest,
  Redeemed,
} from '../../../contracts/approval-requests.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import type { Ruling } from '../../../contracts/problem.js';
import {
  atStoredDesk,
  claimAt,
  completeAt,
  finishAt,
  redeemAt,
} from '../../../domain/approval/desk.js';
import type { CompleteRequest, RedeemRequest } from '../../../domain/approval/redemption.js';
import { mayPickUp } from '../../../domain/approval/withdrawal.js';
import type { PickUp } from '../../../domain/approval/withdrawal.js';
import type { LeaseRequest } from '../../../domain/approval/work-lease.js';
import { refuse } from '../../../domain/kernel/ruling.js';
import { toInstant } from '../../../domain/kernel/time.js';
import {
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  mutationUpdate,
  redeemUpdate,
} from '../../../workflows/approval/messages.js';
import type { ClaimReceipt, SealedCheckpoint } from '../../../workflows/approval/messages.js';
import type { Caller as Proven } from '../../../contracts/caller.js';
import { demand } from '../../errors.js';
import { proven } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import { demandEntityId, refused, writeUnavailable } from '../refusals.js';
import type { ReadApproval } from './reads.js';

interface Deps {
  readonly clock: Pick<Clock, 'now'>;
  readonly temporal: Pick<Temporal, 'update'>;
  readonly agentStates: AgentStates;
  readonly readApproval: ReadApproval;
}

/**
 * What an agent that is not on Temporal picks up of its approvals. The workflow judges it; once that has ended, the same rules
 * judge by what the store has.
 */
export function createRedemption({ clock, temporal, agentStates, readApproval }: Deps) {
  /** Sends an Update; `stored` judges where the workflow has ended. */
  async function send<R, A extends object>(
    caller: Caller,
    action: PickUp,
    id: string,
    update: UpdateDefinition<R, [A & { readonly by: Proven }]>,
    request: A,
    stored: (view: ApprovalView) => Ruling<R>,
  ): Promise<R> {
    demandEntityId('approval', id);
    const input = { ...request, by: proven(caller) };
    const outcome = await temporal.update(workflowIdOf('approval', id), update, input);
    if (outcome.kind === 'done') return outcome.value;
    if (outcome.kind === 'no_answer') throw writeUnavailable();
    const { value: view } = await readApproval(id);
    demand(mayPickUp(caller, action, view));
    return demand(stored(view));
  }

  const now = (): string => toInstant(clock.now());

  return {
    async redeemCall(caller: Caller, id: string, request: RedeemRequest): Promise<Redeemed> {
      return send(caller, 'redeemCall', id, redeemUpdate, request, (view) =>
        atStoredDesk(view, (desk) => redeemAt(desk, view, request, now())),
      );
    },
    async completeCall(caller: Caller, id: string, request: CompleteRequest): Promise<Redeemed> {
      return send(caller, 'completeCall', id, completeUpdate, request, (view) =>
        atStoredDesk(view, (desk) => completeAt(desk, view, request, now())),
      );
    },
    /** Once the workflow has ended nothing can be redeemed any more, and there is nothing to find. */
    async reportMutation(caller: Caller, id: string, request: MutationRequest) {
      return send(caller, 'reportMutation', id, mutationUpdate, request, tooLate);
    },
    /** Throws `checkpoint_unreadable` besides; the lease goes on then. */
    async claimCheckpoint(
      caller: Caller,
      id: string,
      request: LeaseRequest,
    ): Promise<ClaimedCheckpoint> {
      const { sealed, ...claim } = await send<ClaimReceipt, LeaseRequest>(
        caller,
        'claimCheckpoint',
        id,
        claimCheckpointUpdate,
        request,
        (view) => atStoredDesk(view, (desk) => claimAt(desk, view, request, now())),
      );
      const { value: approval } = await readApproval(id);
      return { ...claim, approval, checkpoint: sealed ? opened(agentStates, id, sealed) : null };
    },
    async finishCheckpoint(caller: Caller, id: string, token: number): Promise<CheckpointState> {
      return send(caller, 'finishCheckpoint', id, finishCheckpointUpdate, { token }, (view) =>
        atStoredDesk(view, (desk) => finishAt(desk, view, token)),
      );
    },
  };
}

function tooLate({ status }: ApprovalView): Ruling<never> {
  const extra = { state: { status } };
  return refuse('approval_decided', 'Nothing of the approval can run any more.', extra);
}

/** The state that an agent left. Throws `checkpoint_unreadable`. */
function opened(
  agentStates: AgentStates,
  approval_id: string,
  { schema_version, content }: SealedCheckpoint,
) {
  const state = agentStates.open(content, approval_id);
  if (state !== undefined) return { schema_version, state };
  throw refused('checkpoint_unreadable', 'No configured key opens the checkpoint.');
}
