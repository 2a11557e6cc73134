import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { workflowIdOf } from '../contracts/constants/names.js';
import { timelineQuery } from '../workflows/suspension/messages.js';
import type { BenchStack } from './bench-stack.js';

const POLICY = { max_attempts: 3, interval_seconds: 2 };
const LOOK_MS = 100;

/** How many events the history of a suspension has that is answered during the given attempt. */
export async function eventsWhenAnsweredIn(bench: BenchStack, attempt: 1 | 3): Promise<number> {
  const view = await bench.open(await bench.createIntent(), { retry_policy: POLICY });
  if (attempt > 1) {
    const wait = `/suspensions/${view.id}/wait?timeout_seconds=30&after_attempt=${attempt - 1}`;
    await bench.call('operator', 'GET', wait);
  }
  const handle = bench.temporal.workflow.getHandle(workflowIdOf('suspension', view.id));
  while (!(await isDelivered(handle, attempt))) await pause(LOOK_MS);
  await bench.respond(view);
  await handle.result();
  const { events } = await handle.fetchHistory();
  if (!events) throw new Error('the history has no events');
  return events.length;
}

/** An answer that comes before would spare the tasks that take the delivery in. */
async function isDelivered(handle: WorkflowHandle, attempt: number): Promise<boolean> {
  const entries = await handle.query(timelineQuery);
  return entries.filter(({ kind }) => kind === 'delivered').length >= attempt;
}
