import { workflowIdOf } from '../contracts/constants/names.js';
import type { BenchStack } from './bench-stack.js';

const POLICY = { max_attempts: 3, interval_seconds: 2 };

/** How many events the history of a suspension has that is answered during the given attempt. */
export async function eventsWhenAnsweredIn(bench: BenchStack, attempt: 1 | 3): Promise<number> {
  const view = await bench.open(await bench.createIntent(), { retry_policy: POLICY });
  if (attempt > 1) {
    const wait = `/suspensions/${view.id}/wait?timeout_seconds=30&after_attempt=${attempt - 1}`;
    await bench.call('operator', 'GET', wait);
  }
  await bench.respond(view);
  const handle = bench.temporal.workflow.getHandle(workflowIdOf('suspension', view.id));
  await handle.result();
  const { events } = await handle.fetchHistory();
  if (!events) throw new Error('the history has no events');
  return events.length;
}
