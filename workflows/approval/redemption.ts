import { condition, setHandler } from '@temporalio/workflow';
import type { ApprovalView } from '../../contracts/approval.js';
import type { Caller } from '../../contracts/caller.js';
import type { Ruling } from '../../contracts/problem.js';
import { claimAt, completeAt, finishAt, redeemAt } from '../../domain/approval/desk.js';
import type { DeskStep } from '../../domain/approval/desk.js';
import { mayPickUp } from '../../domain/approval/withdrawal.js';
import type { PickUp } from '../../domain/approval/withdrawal.js';
import { demand, onWrite } from '../engine/handlers.js';
import type { ApprovalEntity } from './entity.js';
import {
  claimCheckpointUpdate,
  completeUpdate,
  finishCheckpointUpdate,
  openedUpdate,
  redeemUpdate,
} from './messages.js';

/** Registers what an agent that is not on Temporal sends: it redeems and completes calls, and comes back. */
export function registerRedemption(entity: ApprovalEntity): void {
  const { desk: kept } = entity;
  setHandler(openedUpdate, () => opened(entity), { description: 'Wait until it can be answered' });
  onWrite(
    entity,
    redeemUpdate,
    'Redeem a call',
    (input) => {
      judge(entity, 'redeemCall', input, redeemAt(kept.desk, entity.state, input, entity.at));
    },
    (input) => take(entity, redeemAt(kept.desk, entity.state, input, entity.at)),
  );
  onWrite(
    entity,
    completeUpdate,
    'Record what a call returned',
    (input) => {
      judge(entity, 'completeCall', input, completeAt(kept.desk, entity.state, input, entity.at));
    },
    (input) => take(entity, completeAt(kept.desk, entity.state, input, entity.at)),
  );
  onWrite(
    entity,
    claimCheckpointUpdate,
    'Claim the checkpoint',
    (input) => {
      judge(entity, 'claimCheckpoint', input, claimAt(kept.desk, entity.state, input, entity.at));
    },
    (input) => {
      const state = take(entity, claimAt(kept.desk, entity.state, input, entity.at));
      const { sealed } = entity.input.redeemable ?? {};
      return { ...state, ...(sealed && { sealed }) };
    },
  );
  onWrite(
    entity,
    finishCheckpointUpdate,
    'The agent is back',
    (input) => {
      judge(entity, 'finishCheckpoint', input, finishAt(kept.desk, entity.state, input.token));
    },
    (input) => take(entity, finishAt(kept.desk, entity.state, input.token)),
  );
}

async function opened(entity: ApprovalEntity): Promise<ApprovalView> {
  const isAsked = () =>
    entity.openQuestion !== undefined && entity.openQuestion === entity.desk.running;
  await condition(() => entity.resolved || entity.moving || isAsked());
  return entity.view;
}

function judge(
  entity: ApprovalEntity,
  action: PickUp,
  { by }: { readonly by: Caller },
  step: Ruling<DeskStep<unknown>>,
): void {
  demand(mayPickUp(by, action, entity.view));
  demand(step);
}

function take<Reply>(entity: ApprovalEntity, step: Ruling<DeskStep<Reply>>): Reply {
  const { desk, reply } = demand(step);
  entity.pickUp(desk);
  return reply;
}
