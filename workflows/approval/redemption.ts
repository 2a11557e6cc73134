import type { UpdateDefinition } from '@temporalio/common';
import type { CheckpointState } from '../../contracts/approval/requests.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { claimAt, completeAt, finishAt, redeemAt } from '../../domain/approval/running/desk.js';
import type { DeskStep } from '../../domain/approval/running/desk.js';
import { foundMutation, mutationEvent } from '../../domain/approval/proposal/mutation.js';
import { mayPickUp } from '../../domain/approval/deciding/withdrawal.js';
import type { PickUp } from '../../domain/approval/deciding/withdrawal.js';
import { ok } from '../../domain/kernel/ruling.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { ApprovalEntity } from './entity.js';
import {
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  mutationUpdate,
  redeemUpdate,
} from './messages.js';
import type { ClaimReceipt, MutationInput, SealedCheckpoint } from './messages.js';

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

/** Adds the saved state of the agent to a claimed checkpoint. */
function withState(
  step: Ruling<DeskStep<CheckpointState>>,
  sealed: SealedCheckpoint | undefined,
): Ruling<DeskStep<ClaimReceipt>> {
  if (!step.ok || !sealed) return step;
  return ok({ ...step.value, reply: { ...step.value.reply, sealed } });
}
