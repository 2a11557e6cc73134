import { CancellationScope, condition, setHandler } from '@temporalio/workflow';
import type { UpdateDefinition } from '@temporalio/common';
import type { CheckpointState } from '../../contracts/approval-requests.js';
import type { Caller } from '../../contracts/caller.js';
import type { Ruling } from '../../contracts/problem.js';
import { claimAt, completeAt, finishAt, redeemAt } from '../../domain/approval/desk.js';
import type { DeskStep } from '../../domain/approval/desk.js';
import { decidedStages } from '../../domain/approval/meant-question.js';
import type { AskedApproval } from '../../domain/approval/meant-question.js';
import { foundMutation, mutationEvent } from '../../domain/approval/mutation.js';
import { mayPickUp } from '../../domain/approval/withdrawal.js';
import type { PickUp } from '../../domain/approval/withdrawal.js';
import { ok } from '../../domain/kernel/ruling.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { ApprovalEntity } from './entity.js';
import {
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  mutationUpdate,
  openedUpdate,
  redeemUpdate,
} from './messages.js';
import type { ClaimReceipt, MutationInput, SealedCheckpoint } from './messages.js';

/** Registers what an agent that is not on Temporal sends: it redeems and completes calls, and comes back. */
export function registerRedemption(entity: ApprovalEntity): void {
  const { desk: kept } = entity;
  const sealed = entity.input.redeemable?.sealed;
  setHandler(openedUpdate, () => opened(entity), { description: 'Wait until it can be answered' });
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

/** Takes in that the agent holds another call than was approved: it is in the log, and nothing of the approval changes. */
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

/** Takes an Update by which the agent picks something up: `step` judges it, and says what it changes and returns. */
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

/** A claimed checkpoint comes with the state that the agent left. */
function withState(
  step: Ruling<DeskStep<CheckpointState>>,
  sealed: SealedCheckpoint | undefined,
): Ruling<DeskStep<ClaimReceipt>> {
  if (!step.ok || !sealed) return step;
  return ok({ ...step.value, reply: { ...step.value.reply, sealed } });
}

/** Waits on when the workflow itself is cancelled: then nobody has to answer. */
async function opened(entity: ApprovalEntity): Promise<AskedApproval> {
  const isAsked = () =>
    entity.openQuestion !== undefined && entity.openQuestion === entity.desk.running;
  await CancellationScope.nonCancellable(() =>
    condition(() => entity.resolved || entity.moving || isAsked()),
  );
  const decided = decidedStages(entity.state);
  return { ...entity.view, ...(decided.length > 0 && { decided }) };
}
