import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import { defined } from '../../contracts/constants/defined.js';
import { tierDraft } from '../../domain/approval/asking/question.js';
import type { ApprovalStep } from '../../domain/approval/asking/route.js';
import { isStoredUnchanged } from '../../domain/approval/proposal/stored-proposal.js';
import { mutated, resolved, type ApprovalEnd } from '../../domain/approval/record/state.js';
import { hmacBase64Url } from '../../domain/kernel/hashing.js';
import { WRITERS } from '../engine/row-duty.js';
import { UNTIL_DONE, trySignal } from '../engine/sender.js';
import { peerIdOf } from '../engine/space.js';
import { newQuestion, openQuestion } from '../suspension/open-question.js';
import { withdrawSignal } from '../suspension/messages.js';
import type { ApprovalEntity } from './entity.js';
import type { UpdateDefinition } from '@temporalio/common';
import type { CheckpointState } from '../../contracts/approval/requests.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import {
  claimAt,
  completeAt,
  finishAt,
  redeemAt,
  type DeskStep,
} from '../../domain/approval/running/desk.js';
import { foundMutation, mutationEvent } from '../../domain/approval/proposal/mutation.js';
import { mayPickUp, type PickUp } from '../../domain/approval/deciding/request.js';
import { ok } from '../../domain/kernel/ruling.js';
import { demand, onWrite } from '../engine/handlers.js';
import {
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  mutationUpdate,
  redeemUpdate,
  type ClaimReceipt,
  type MutationInput,
  type SealedCheckpoint,
} from './messages.js';

const { readProposal } = proxyActivities<Pick<Activities, 'readProposal'>>({
  startToCloseTimeout: '10 seconds',
  ...UNTIL_DONE,
  summary: 'read the proposal again',
});

/** Takes the next step: withdraws the open question, asks the next tier, or ends the approval. */
export async function goOn(entity: ApprovalEntity): Promise<void> {
  const { untold, withdrawal, state } = entity;
  if (untold !== undefined) return withdrawQuestion(entity, untold);
  if (state.end) return conclude(entity, state.end);
  const { step } = entity;
  if (step.kind === 'end') {
    const status = step.verdict === 'approved' ? 'approved' : 'rejected';
    return conclude(entity, { status, by: step.by });
  }
  if (withdrawal) {
    const { reason, by_intent } = withdrawal;
    const by = by_intent ? ('system' as const) : ('requester' as const);
    const end = { status: 'cancelled', by, ...defined({ reason }) } as const;
    entity.resolve(resolved(state, end, entity.at));
    return;
  }
  return ask(entity, step);
}

/**
 * Opens the question to a tier: a suspension like any other, whose subject is the approval. The approval reaches the store once
 * that has started, so that whoever finds the question there can answer it.
 */
async function ask(
  entity: ApprovalEntity,
  step: Extract<ApprovalStep, { kind: 'ask' }>,
): Promise<void> {
  const { input, state } = entity;
  const { asked_by, asked_as, log_key, proposal } = input;
  const { warnings } = step.ask;
  const question = newQuestion(
    tierDraft(state, step, input),
    {
      intent_id: null,
      subject_workflow_id: peerIdOf('approval', proposal.approval_id),
      writers: WRITERS.approval,
      asked_by,
      ...(asked_as !== undefined && { asked_as }),
      ...(warnings && { findings: { warnings } }),
    },
    entity.at,
  );
  const { id } = question.record;
  const key = log_key === undefined ? {} : { log_key: hmacBase64Url(log_key, `log of ${id}`) };
  await entity.journal.together(async () => {
    entity.asked(id, step, entity.at);
    entity.watch.follow(await openQuestion({ ...question, ...key }));
    entity.started();
  });
}

async function withdrawQuestion(entity: ApprovalEntity, suspensionId: string): Promise<void> {
  const { withdrawal, input } = entity;
  const { principal = input.asked_by, reason, by_intent } = withdrawal ?? {};
  const capacity = principal === input.asked_by ? ('agent' as const) : ('admin' as const);
  entity.tell(suspensionId);
  const cancel = {
    intent_id: null,
    cancelled_by: principal,
    settled_by: by_intent ? ('intent' as const) : capacity,
    ...defined({ reason }),
  };
  const taken = await trySignal(peerIdOf('suspension', suspensionId), withdrawSignal, cancel);
  if (!taken) entity.watch.miss(suspensionId);
  entity.tie.leave();
}

/**
 * Ends the approval. Before a decision takes effect, the proposal is read from the store and hashed again: the
 * approval and its questions must still have it unchanged (A54-19, A54-20, A54-24).
 */
async function conclude(entity: ApprovalEntity, end: ApprovalEnd): Promise<void> {
  const isSound = end.status === 'cancelled' || (await isUnchanged(entity));
  const { state, at } = entity;
  entity.resolve(isSound ? resolved(state, end, at) : mutated(state, at));
}

async function isUnchanged(entity: ApprovalEntity): Promise<boolean> {
  const { state, journal } = entity;
  await journal.drained();
  const stored = await readProposal(state.proposal.approval_id, state.decided_in);
  return stored !== null && isStoredUnchanged(state, stored);
}

/** Registers the messages of an agent that is not on Temporal: it redeems and completes calls, and restores its checkpoint. */
export function registerRedemption(entity: ApprovalEntity): void {
  const { desk: kept } = entity;
  const sealed = entity.input.redeemable?.sealed;
  registerMutation(entity);
  onPickUp(entity, redeemUpdate, 'redeemCall', 'Redeem a call', (input) =>
    redeemAt(kept.desk, entity.state, input, entity.at),
  );
  onPickUp(entity, completeUpdate, 'completeCall', 'Record what a call returned', (input) =>
    completeAt(kept.desk, entity.state, input, entity.at),
  );
  onPickUp(entity, claimCheckpointUpdate, 'claimCheckpoint', 'Claim the checkpoint', (input) =>
    withState(claimAt(kept.desk, entity.state, input, entity.at), sealed),
  );
  onPickUp(entity, finishCheckpointUpdate, 'finishCheckpoint', 'The agent is back', ({ token }) =>
    finishAt(kept.desk, entity.state, token),
  );
}

/** Logs that the agent holds another call than was approved. The approval itself does not change. */
function registerMutation(entity: ApprovalEntity): void {
  const judge = (input: MutationInput) => foundMutation(entity.view, input.by.principal, input);
  onWrite(
    entity,
    mutationUpdate,
    'Note what was found',
    (input) => {
      demand(mayPickUp(input.by, 'reportMutation', entity.view));
      demand(judge(input));
    },
    (input) => {
      const found = demand(judge(input));
      entity.measure();
      entity.note(mutationEvent(found), input.by.principal);
      const [call_id = ''] = found.calls;
      return { approval_id: found.approval_id, call_id, noted: true };
    },
  );
}

/** Registers an Update that redeems something: `step` judges it, and returns the new state and the reply. */
function onPickUp<Input extends { readonly by: Caller }, Reply>(
  entity: ApprovalEntity,
  update: UpdateDefinition<Reply, [Input]>,
  action: PickUp,
  description: string,
  step: (input: Input) => Ruling<DeskStep<Reply>>,
): void {
  onWrite(
    entity,
    update,
    description,
    (input) => {
      demand(mayPickUp(input.by, action, entity.view));
      demand(step(input));
    },
    (input) => {
      const { desk, reply } = demand(step(input));
      entity.pickUp(desk);
      return reply;
    },
  );
}

function withState(
  step: Ruling<DeskStep<CheckpointState>>,
  sealed: SealedCheckpoint | undefined,
): Ruling<DeskStep<ClaimReceipt>> {
  if (!step.ok || !sealed) return step;
  return ok({ ...step.value, reply: { ...step.value.reply, sealed } });
}
