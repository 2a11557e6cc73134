import {
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
} from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { changePlanState } from '../../domain/plan/plan.js';
import { carriedCancellation, watchCancellation } from '../engine/run.js';
import { cancelTasks, doDuties, startTask } from './duties.js';
import { PlanEntity } from './entity.js';
import { registerPlanHandlers } from './handlers.js';
import type { PlanInput } from './messages.js';
import { registerQuestions, withdrawQuestions } from './questions.js';

/**
 * The plan of an intent (RFC-0012 §2): starts a child workflow for each of its tasks, lets them become ready,
 * asks at its checkpoints, and observes; the suspension of a task's intent shows in its progress and never
 * in its state (RFC-0026 Rules 1 and 4).
 */
export async function plan(input: PlanInput): Promise<void> {
  const cancelRequested = watchCancellation(input.carried);
  await CancellationScope.nonCancellable(async () => {
    const entity = new PlanEntity(input);
    registerPlanHandlers(entity, input.creation_hash);
    registerQuestions(entity);
    if (!input.carried) await begin(entity, input);
    entity.startSending();
    for (;;) {
      await doDuties(entity);
      if (entity.over) break;
      if (cancelRequested()) cancel(entity);
      else if (mustMove(entity)) await move(entity, input, cancelRequested);
      else await condition(() => hasTurned(entity) || cancelRequested());
    }
    await withdrawQuestions(entity);
    await condition(allHandlersFinished);
    await cancelTasks(entity);
    await entity.events.sent();
    await entity.gates.sent();
    await entity.journal.drained();
  });
}

/** One task after the other, so that each finds those that it depends on. */
async function begin(entity: PlanEntity, { children, members }: PlanInput): Promise<void> {
  for (const child of children) await startTask(child);
  const started = new Set(children.map((child) => child.task.id));
  entity.begin(members.map(({ task_id }) => task_id).filter((id) => !started.has(id)));
}

function hasTurned(entity: PlanEntity): boolean {
  return entity.over || entity.isBusy || mustMove(entity);
}

/** A write that is nearly done is rather waited for than given up and written again. */
const WRITTEN_WITHIN_MS = 1_000;

/** Time for a new run, once what it would carry fits (design §4, sizes). */
function mustMove(entity: PlanEntity): boolean {
  return entity.mayMove && jsonBytes(entity.carried) <= WORKFLOW_LIMITS.carriedBytes;
}

async function move(
  entity: PlanEntity,
  input: PlanInput,
  cancelRequested: () => boolean,
): Promise<never> {
  entity.moving = true;
  await condition(allHandlersFinished);
  await entity.following.asked();
  await entity.events.sent();
  await entity.gates.sent();
  await condition(() => entity.journal.unwritten.length === 0, WRITTEN_WITHIN_MS);
  await entity.journal.stop();
  await entity.events.stop();
  await entity.gates.stop();
  const { plan: record, members } = entity.state;
  const carried = { ...entity.carried, ...carriedCancellation(cancelRequested) };
  const next = { ...input, plan: record, members, children: [], carried };
  return continueAsNew<typeof plan>(next);
}

/** A cancellation requested through Temporal itself cancels the plan. */
function cancel(entity: PlanEntity): void {
  const cancelled = changePlanState(entity.state, 'cancelled', 'temporal', entity.at);
  if (cancelled.ok) entity.apply(() => cancelled.value);
}
