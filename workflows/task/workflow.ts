import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
} from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { forceTask } from '../../domain/plan/task-patch.js';
import { isTaskOver } from '../../domain/plan/task-state.js';
import { carriedCancellation, watchCancellation } from '../engine/run.js';
import { waitUntil } from '../engine/clock.js';
import { TaskEntity } from './entity.js';
import { registerTaskHandlers } from './handlers.js';
import type { TaskInput } from './messages.js';

/**
 * One task (RFC-0012 §1): its status machine, who has it, and the mirror of its intent (RFC-0026 Rule 3). It
 * goes on after the task is over, for its intent may be suspended again; it ends with the intent, once
 * nothing is owed any more.
 */
export async function task(input: TaskInput): Promise<void> {
  const cancelRequested = watchCancellation(input.carried);
  await CancellationScope.nonCancellable(async () => {
    const entity = new TaskEntity(input);
    registerTaskHandlers(entity);
    while (!entity.done && !cancelRequested()) {
      entity.settleDue();
      if (mustMove(entity)) await move(entity, input, cancelRequested);
      else await nextTurn(entity, cancelRequested);
    }
    if (cancelRequested()) cancel(entity);
    await condition(allHandlersFinished);
    await entity.events.sent();
    await entity.newsSender.told();
    await entity.journal.drained();
  });
}

/** Waits for the end of the agent's time, which no timer counts while it stands still, or for a reason to go. */
async function nextTurn(entity: TaskEntity, cancelRequested: () => boolean): Promise<void> {
  const armed = entity.timeout;
  const turned = () =>
    entity.done || cancelRequested() || mustMove(entity) || entity.timeout !== armed;
  if (armed === undefined) await condition(turned);
  else await waitUntil(armed, turned, 'timeout of the task');
}

/** A write that is nearly done is rather waited for than given up and written again. */
const WRITTEN_WITHIN_MS = 1_000;

/** Time for a new run, once what it would carry fits (design §4, sizes). */
function mustMove(entity: TaskEntity): boolean {
  return entity.mayMove && jsonBytes(entity.carried) <= WORKFLOW_LIMITS.carriedBytes;
}

async function move(
  entity: TaskEntity,
  input: TaskInput,
  cancelRequested: () => boolean,
): Promise<never> {
  entity.moving = true;
  await condition(allHandlersFinished);
  await entity.following.asked();
  await entity.events.sent();
  await entity.newsSender.told();
  await entity.observing.stop();
  await condition(() => entity.journal.unwritten.length === 0, WRITTEN_WITHIN_MS);
  await entity.journal.stop();
  await entity.events.stop();
  await entity.newsSender.stop();
  const carried = { ...entity.carried, ...carriedCancellation(cancelRequested) };
  return continueAsNew<typeof task>({ ...input, task: entity.task, carried });
}

/** A cancellation requested through Temporal itself cancels the task. */
function cancel(entity: TaskEntity): void {
  if (isTaskOver(entity.task.status)) return;
  const request = { status: 'cancelled', error: 'cancelled through Temporal' } as const;
  const write = { request, actor: 'temporal', at: entity.at, maxBytes: 1_024 };
  const cancelled = forceTask(entity.state, write);
  if (cancelled.ok) entity.apply(() => cancelled.value);
}
