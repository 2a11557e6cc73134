import assert from 'node:assert/strict';
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { TaskNews } from '../../../contracts/plan/task.js';
import { newsSignal, observeSignal } from '../../../workflows/engine/messages.js';
import { lookUntil } from '../../support/looks.js';
import { writeStatus } from '../support/intents.js';
import { stillObserver } from '../support/observers.js';
import { claimTask, idOf, openTask, patchTask } from '../support/plans.js';
import { MESSAGE_BYTES, sized } from '../support/sizes.js';
import { perSuite, World } from '../support/world.js';

/** Each gets the whole output in a Signal of its own; together they are more than one message to Temporal. */
const OUTPUT = { text: sized(LIMITS.taskOutputBytes - 100) };
const OBSERVERS = Math.ceil(MESSAGE_BYTES / LIMITS.taskOutputBytes) + 5;

describe('a task with a large output', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('tells all that depend on it', async () => {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent);
    const observers = await Promise.all(
      Array.from({ length: OBSERVERS }, () => stillObserver(world)),
    );
    for (const { workflowId } of observers) await handle.signal(observeSignal, workflowId);
    await claimTask(handle);
    await patchTask(handle, { status: 'running' });
    await patchTask(handle, { status: 'completed', output: OUTPUT });
    for (const observer of observers) {
      const told = await lookUntil(async () => {
        const { events } = await observer.fetchHistory();
        const signal = events?.findLast(
          ({ workflowExecutionSignaledEventAttributes: one }) =>
            one?.signalName === newsSignal.name,
        )?.workflowExecutionSignaledEventAttributes;
        const news = defaultPayloadConverter.fromPayload<TaskNews>(
          signal?.input?.payloads?.[0] ?? {},
        );
        return news.status === 'completed' && news;
      }, `${observer.workflowId} is not told`);
      assert.deepEqual(told.output, OUTPUT);
      await observer.terminate();
    }
    await writeStatus(intent, 'completed');
    await handle.result();
  });

  it('is read from the store some at a time', async () => {
    const many = LIMITS.planTasks / 5;
    const intent = await world.openIntent();
    const ended = await Promise.all(Array.from({ length: many }, () => openTask(world, intent)));
    await writeStatus(intent, 'completed');
    await Promise.all(ended.map((one) => one.result()));
    const other = await world.openIntent();
    const depends_on = ended.map(idOf);
    const handle = await openTask(world, other, { depends_on });
    const sizes = await lookUntil(async () => {
      const { events } = await handle.fetchHistory();
      const reads = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: one }) =>
        one?.activityType?.name === 'readTasks' ? [one.input?.payloads?.[0] ?? {}] : [],
      );
      const ids = reads.map((one) => defaultPayloadConverter.fromPayload<string[]>(one));
      return ids.flat().length === many && ids.map(({ length }) => length);
    }, 'it reads not all');
    assert.deepEqual(sizes, [16, 16, 8]);
    await writeStatus(other, 'abandoned');
    await handle.result();
  });
});
