import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { Announcement } from '../contracts/graph/announcement.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import { announcementSignal, observeSignal } from '../workflows/engine/messages.js';
import { BenchStack } from './bench-stack.js';
import { BESIDE_TASK_QUEUE, type observer } from './beside/workflows.js';
import { missedTargets, type Fanout } from './fanout-targets.js';
import { rateOf, timed } from './statistics.js';

const COUNTS = [100, 1_000, 10_000];
const LANES = 32;
/** More would keep the one intent so busy with signals that nothing of its own gets a turn. */
const REGISTERING_LANES = 4;
const LOOK_MS = 2_000;
/** As many as the product has under way at most. */
const SIGNALS_AT_ONCE = 200;
const ENDED: Announcement = {
  intent_id: randomUUID(),
  version: 2,
  last_sequence: 2,
  status: 'completed',
  held: false,
  holds: 0,
  suspension: null,
};

/**
 * `npm run bench:fanout [-- <observers> …]`: seconds until every observer of an intent knows of its end,
 * for each number of observers, and how long the history of the run that informed them is. Each observer is a
 * workflow that takes the announcement in, on the same server. Beside it, how long the server takes for bare
 * signals to as many such workflows. Exits with 1 where a target was missed, and says which.
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

/** An intent closes only once all know. */
async function measure(bench: BenchStack, observers: number): Promise<Fanout> {
  const bareMs = await signalAlone(bench, observers);
  const id = await bench.createIntent();
  const intent = bench.temporal.workflow.getHandle(workflowIdOf('intent', id));
  await rateOf(observers, REGISTERING_LANES, async () => {
    await intent.signal(observeSignal, await startObserver(bench));
  });
  await untilStill(intent);
  const ms = await timed(async () => {
    await bench.agent.setStatus(id, 1, { status: 'completed' });
    await intent.result();
  });
  const { historyLength: events } = await intent.describe();
  process.stdout.write(
    `${observers} observers: ${seconds(ms)}, bare signals ${seconds(bareMs)}, ${events} events in the last run\n`,
  );
  return { observers, ms, events };
}

/** Milliseconds until as many observers have been signalled, by nobody but this process. */
async function signalAlone(bench: BenchStack, count: number): Promise<number> {
  const started: string[] = [];
  await rateOf(count, LANES, async () => {
    started.push(await startObserver(bench));
  });
  return timed(() =>
    rateOf(count, SIGNALS_AT_ONCE, (index) =>
      bench.temporal.workflow.getHandle(started[index] ?? '').signal(announcementSignal, ENDED),
    ),
  );
}

/** Resolves once each newcomer knows what the intent was when it came. */
async function untilStill(intent: WorkflowHandle): Promise<void> {
  let seen = '';
  for (;;) {
    const { runId, historyLength } = await intent.describe();
    const now = `${runId} ${historyLength}`;
    if (now === seen) return;
    seen = now;
    await delay(LOOK_MS);
  }
}

async function startObserver({ temporal }: BenchStack): Promise<string> {
  const { workflowId } = await temporal.workflow.start<typeof observer>('observer', {
    workflowId: `observer-${randomUUID()}`,
    taskQueue: BESIDE_TASK_QUEUE,
    args: [],
  });
  return workflowId;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

process.exit(await main());
