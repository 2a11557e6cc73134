import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchStack } from './bench-stack.js';
import { eventsWhenAnsweredIn } from './history.js';
import { measureInbox } from './inbox.js';
import { LATENCIES, measureLatencies } from './latency.js';
import type { LatencyName } from './latency.js';
import { measureMemory } from './memory.js';
import { plotDistributions } from './plot.js';
import { asJson, asMarkdown } from './report.js';
import type { Figures } from './report.js';
import { measureBare, measureHoldpoint } from './throughput.js';

const PLOT = 'docs/latency.svg';
const ROUNDS = 200;
const QUESTIONS = 640;
const OPEN = [500, 5_000];
const INBOX_ROWS = [10_000, 100_000];
const INBOX_ROUNDS = 100;

/**
 * `npm run bench [-- --json] [-- --plot]`: measures Holdpoint beside a bare workflow, in one run on one dev
 * server. `--json` prints one JSON object last; `--plot` writes the distributions to docs/.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, plot: { type: 'boolean' } },
  });
  const figures = await measure();
  say(`\n${cpus().length} cores, Node ${process.versions.node}\n\n${asMarkdown(figures)}`);
  if (values.plot === true) await plot(figures);
  if (values.json === true) say(asJson(figures));
}

async function measure(): Promise<Figures> {
  say('Starting Holdpoint and a bare workflow beside it.');
  const bench = await BenchStack.start();
  try {
    say(`Latencies, ${ROUNDS} rounds.`);
    const latencies = await measureLatencies(bench, ROUNDS);
    say(`Throughput, ${QUESTIONS} questions.`);
    const bare = await measureBare(bench, QUESTIONS);
    const holdpoint = await measureHoldpoint(bench, QUESTIONS);
    say('Histories.');
    const [attempt_1, attempt_3] = [
      await eventsWhenAnsweredIn(bench, 1),
      await eventsWhenAnsweredIn(bench, 3),
    ];
    say('The inbox.');
    const inbox = await measureInbox(bench, INBOX_ROWS, INBOX_ROUNDS);
    say(`Memory with ${OPEN.join(' and ')} open suspensions, which takes minutes.`);
    const memory = await measureMemory(OPEN);
    return { latencies, bare, holdpoint, events: { attempt_1, attempt_3 }, memory, inbox };
  } finally {
    await bench.close();
  }
}

async function plot({ latencies }: Figures): Promise<void> {
  const names = Object.keys(LATENCIES) as LatencyName[];
  const series = names.map((name) => ({ label: LATENCIES[name], samples: latencies[name] }));
  await writeFile(PLOT, plotDistributions(series));
  say(`The distributions are in ${PLOT}.`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

await main();
process.exit(0);
