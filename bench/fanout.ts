import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../contracts/constants/names.js';
import { observeSignal } from '../workflows/observing/messages.js';
import { BenchStack } from './bench-stack.js';
import type { observer } from './beside/observer.js';
import { BESIDE_TASK_QUEUE } from './beside/names.js';
import { missedTargets, type Fanout } from './fanout-targets.js';
import { rateOf, timed } from './statistics.js';

const COUNTS = [100, 1_000, 10_000];
const LANES = 32;

/**
 * `npm run bench:fanout [-- <observers> …]`: seconds until every observer of an intent has been told its end,
 * for each number of observers, and how long the history of the run that told them is. Each observer is a
 * workflow that takes the announcement in, on the same server. Exits with 1 where a target was missed, and says
 * which.
 */
async function main(): Promise<number> {
  const given = process.argv.slice(2).map(Number);
  const bench = await BenchStack.start();
  const measured: Fanout[] = [];
  try {
    for (const count of given.length > 0 ? given : COUNTS) {
      measured.push(await measure(bench, count));
    }
  } finally {
    await bench.close();
  }
  const missed = missedTargets(measured);
  for (const target of missed) process.stderr.write(`missed: ${target}\n`);
  return missed.length === 0 ? 0 : 1;
}

/** An intent closes only once all are told. */
async function measure(bench: BenchStack, observers: number): Promise<Fanout> {
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
  const { historyLength: events } = await intent.describe();
  process.stdout.write(
    `${observers} observers: ${(ms / 1_000).toFixed(1)} s, ${events} events in the last run\n`,
  );
  return { observers, ms, events };
}

process.exit(await main());
