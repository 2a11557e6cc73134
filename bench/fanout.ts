import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../contracts/constants/names.js';
import { observeSignal } from '../workflows/observing/messages.js';
import { BenchStack } from './bench-stack.js';
import type { observer } from './beside/observer.js';
import { BESIDE_TASK_QUEUE } from './beside/names.js';
import { rateOf, timed } from './statistics.js';

const COUNTS = [100, 1_000, 10_000];
const LANES = 32;

/**
 * `npm run bench:fanout [-- <observers> …]`: seconds until every observer of an intent has been told its end,
 * for each number of observers, and how long the history of the run that told them is. Each observer is a
 * workflow that takes the announcement in, on the same server.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2).map(Number);
  const bench = await BenchStack.start();
  try {
    for (const count of given.length > 0 ? given : COUNTS) await measure(bench, count);
  } finally {
    await bench.close();
  }
}

/** An intent closes only once all are told. */
async function measure(bench: BenchStack, observers: number): Promise<void> {
  const id = await bench.createIntent();
  const intent = bench.temporal.workflow.getHandle(workflowIdOf('intent', id));
  await rateOf(observers, LANES, async () => {
    const workflowId = `observer-${randomUUID()}`;
    await bench.temporal.workflow.start<typeof observer>('observer', {
      workflowId,
      taskQueue: BESIDE_TASK_QUEUE,
      args: [],
    });
    await intent.signal(observeSignal, workflowId);
  });
  const ms = await timed(async () => {
    await bench.agent.setStatus(id, 1, { status: 'completed' });
    await intent.result();
  });
  const { historyLength } = await intent.describe();
  process.stdout.write(
    `${observers} observers: ${(ms / 1_000).toFixed(1)} s, ${historyLength} events in the last run\n`,
  );
}

await main();
process.exit(0);
