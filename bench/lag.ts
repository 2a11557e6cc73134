import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { workflowIdOf } from '../contracts/constants/names.js';
import { BenchStack } from './bench-stack.js';
import { CarriedOut } from './carried-out.js';
import { watchOf } from './figures.js';
import { LagClient, type Done } from './lag-client.js';
import { waitedFor, type Waited } from './lag-histories.js';
import { percentile, rateOf } from './statistics.js';
import { table } from './tables.js';

/** Before each answer of the person, so that whoever waits for it is listening. */
const SETTLING_MS = 100;

/**
 * `npm run bench:lag [-- --clients 1,8,32,64] [-- --intents 200] [-- --answers 50]`: clients that each wait for their replies create
 * intents, then ask, then answer. Prints how long what was accepted waited until it was carried out, how long a write
 * waited for its turn, and what was refused. Then one person answers `--answers` questions while as many agents as there were clients at most are busy.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      clients: { type: 'string', default: '1,8,32,64' },
      intents: { type: 'string', default: '200' },
      answers: { type: 'string', default: '50' },
    },
  });
  const [intents, answers] = [Number(values.intents), Number(values.answers)];
  const counts = values.clients.split(',').map(Number);
  const bench = await BenchStack.start();
  try {
    say(`${cpus().length} cores, Node ${process.versions.node}, load ${load()} before`);
    const watch = watchOf(bench);
    await measureLag(bench, Math.max(...counts), Math.max(...counts));
    const points: LagPoint[] = [];
    for (const clients of counts) {
      const name = `${clients} clients`;
      points.push(await watch.part(name, () => measureLag(bench, clients, intents)));
      say(`${name} measured`);
    }
    say(pointsTable(points));
    const agents = Math.max(...counts);
    const person = await watch.part('one person', () => measurePerson(bench, agents, answers));
    say(`one person's answers among ${agents} busy agents: ${inAll(person.repliedMs)}`);
    say(`until the agent that waits goes on: ${inAll(person.wentOnMs)}`);
    say(`CPU of others: ${JSON.stringify(watch.foreign)}, load ${load()} after`);
  } finally {
    await bench.close();
  }
}

const PHASES = ['created', 'asked', 'answered'] as const;
type Phase = (typeof PHASES)[number];

interface LagPoint extends Waited {
  readonly clients: number;
  readonly rates: Readonly<Record<Phase, number>>;
  /** All of each phase, as their clients saw it. */
  readonly done: Readonly<Record<Phase, readonly Done[]>>;
  readonly refused: LagClient['refused'];
}

/** Each phase begins as soon as the last reply of the one before it is there, whatever is carried out by then. */
async function measureLag(bench: BenchStack, clients: number, count: number): Promise<LagPoint> {
  const client = new LagClient(bench);
  const done: Record<Phase, Done[]> = { created: [], asked: [], answered: [] };
  const phase = (name: Phase, work: (index: number) => Promise<Done>): Promise<number> =>
    rateOf(count, clients, async (index) => {
      done[name][index] = await work(index);
    });
  const idOf = (name: Phase, index: number): string => done[name][index]?.body.id ?? '';
  const created = await phase('created', () => client.createIntent());
  const asked = await phase('asked', (index) => client.ask(idOf('created', index)));
  const answered = await phase('answered', (index) => client.answer(idOf('asked', index)));
  const ids = done.created.map((_each, index) => ({
    intentId: idOf('created', index),
    suspensionId: idOf('asked', index),
  }));
  await untilAtRest(bench, ids);
  const waited = await waitedFor(bench, ids);
  const rates = { created, asked, answered };
  return { clients, rates, done, refused: client.refused, ...waited };
}

async function untilAtRest(
  bench: BenchStack,
  ids: readonly { readonly intentId: string; readonly suspensionId: string }[],
): Promise<void> {
  const carriedOut = new CarriedOut(bench);
  try {
    const intents = ids.map(({ intentId }) => intentId);
    await carriedOut.allEnded(
      ids.map(({ suspensionId }) => workflowIdOf('suspension', suspensionId)),
    );
    await carriedOut.rows({ of: 'resumed intents', ids: intents });
    await carriedOut.allAtRest(intents.map((id) => workflowIdOf('intent', id)));
  } finally {
    await carriedOut.close();
  }
}

/** Agents create intents and ask without a pause, while one person answers questions that others wait for, one after another. */
async function measurePerson(bench: BenchStack, agents: number, answers: number) {
  const client = new LagClient(bench);
  const over = new AbortController();
  const busy = Array.from({ length: agents }, async () => {
    while (!over.signal.aborted) await client.ask((await client.createIntent()).body.id ?? '');
  });
  const repliedMs: number[] = [];
  const wentOnMs: number[] = [];
  for (let nth = 0; nth < answers; nth += 1) {
    const asked = await client.ask((await client.createIntent()).body.id ?? '');
    const id = asked.body.id ?? '';
    const waiting = bench.call('agent', 'GET', `/suspensions/${id}/wait?timeout_seconds=50`);
    await pause(SETTLING_MS);
    const began = performance.now();
    const answered = client.answer(id);
    await waiting;
    wentOnMs.push(performance.now() - began);
    repliedMs.push((await answered).allMs);
  }
  over.abort();
  await Promise.all(busy);
  return { repliedMs, wentOnMs };
}

function pointsTable(points: readonly LagPoint[]): string {
  const row = (name: string, cell: (point: LagPoint) => string) => [name, ...points.map(cell)];
  const rows = PHASES.flatMap((phase) => [
    row(`${phase} a second`, ({ rates }) => rates[phase].toFixed(1)),
    row(`${phase}: wait for a place, mean (clients ÷ rate)`, ({ clients, rates, done }) => {
      const waits = done[phase].map(({ waitMs }) => waitMs);
      return `${ms(mean(waits))} (${ms((clients / rates[phase]) * 1_000)})`;
    }),
    row(`${phase}: place to reply`, ({ done }) =>
      inShort(done[phase].map(({ servedMs }) => servedMs)),
    ),
  ]);
  return table(
    ['p50, p95, slowest', ...points.map(({ clients }) => `${clients} clients`)],
    [
      ...rows,
      row('start of an intent until its first task', (point) => inShort(point.firstTaskMs)),
      row('question ended until its intent has taken it', (point) => inShort(point.takenMs)),
      row('refused', ({ refused }) => JSON.stringify(refused)),
    ],
  );
}

function inShort(samples: readonly number[]): string {
  return [0.5, 0.95, 1].map((share) => ms(percentile(samples, share))).join(', ');
}

function inAll(samples: readonly number[]): string {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => ms(percentile(samples, share)));
  return `p50 ${p50}, p95 ${p95}, p99 ${p99}, slowest ${ms(percentile(samples, 1))}`;
}

function mean(samples: readonly number[]): number {
  return samples.reduce((sum, each) => sum + each, 0) / samples.length;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}

function load(): string {
  return (loadavg()[0] ?? NaN).toFixed(1);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
process.exit(0);
