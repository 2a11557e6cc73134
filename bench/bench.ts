import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchStack } from './bench-stack.js';
import { measureVersion, PARTS } from './figures.js';
import type { Figures, Measure, Part } from './figures.js';
import { eventsWhenAnsweredIn } from './history.js';
import { measureInbox } from './inbox.js';
import { LATENCIES } from './latency.js';
import type { LatencyName } from './latency.js';
import { measureMemory } from './memory.js';
import { withVersion } from './other-version.js';
import { plotDistributions } from './plot.js';
import { asMarkdown } from './report.js';
import { asJson } from './targets.js';

const PLOT = 'docs/latency.svg';
const ROUNDS = '100';
const QUESTIONS = '320';
const OPEN = [500, 5_000];
const INBOX_ROWS = [10_000, 100_000];
const INBOX_ROUNDS = 100;

/**
 * `npm run bench [-- --json] [-- --plot] [-- --against <commit>] [-- --only cost,latency]`: measures Holdpoint
 * beside a bare workflow, in one run on one development server, and another version of it in the same way.
 * `--json` prints one JSON object last; `--plot` writes the distributions to docs/.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      plot: { type: 'boolean' },
      against: { type: 'string' },
      only: { type: 'string', default: PARTS.join(',') },
      rounds: { type: 'string', default: ROUNDS },
      questions: { type: 'string', default: QUESTIONS },
    },
  });
  const measure: Measure = {
    parts: new Set(values.only.split(',').map(partOf)),
    rounds: countOf('rounds', values.rounds),
    questions: countOf('questions', values.questions),
    say,
  };
  const figures = await measureAll(measure, values.against);
  say(`\n${cpus().length} cores, Node ${process.versions.node}\n\n${asMarkdown(figures)}`);
  if (values.plot === true) await plot(figures);
  if (values.json === true) say(asJson(figures));
}

async function measureAll(measure: Measure, commit: string | undefined): Promise<Figures> {
  const today = await measureToday(measure);
  // What follows takes long, and may fail.
  if (commit !== undefined) say(`\n${asMarkdown(today)}`);
  const against =
    commit === undefined
      ? undefined
      : await withVersion(commit, say, async (root) => {
          const bench = await BenchStack.start(root);
          try {
            return await measureVersion(bench, measure);
          } finally {
            await bench.close();
          }
        });
  if (!measure.parts.has('memory')) return { ...today, ...(against && { against }) };
  say(`Memory with ${OPEN.join(' and ')} open suspensions, which takes minutes.`);
  const memory = await measureMemory(OPEN);
  return { ...today, memory, ...(against && { against }) };
}

async function measureToday(measure: Measure): Promise<Figures> {
  const { parts } = measure;
  say('Starting Holdpoint and a bare workflow beside it.');
  const bench = await BenchStack.start();
  try {
    const version = await measureVersion(bench, measure);
    const events = parts.has('history') ? await measureHistories(bench) : undefined;
    const inbox = parts.has('inbox')
      ? await measureInbox(bench, INBOX_ROWS, INBOX_ROUNDS)
      : undefined;
    return { ...version, ...(events && { events }), ...(inbox && { inbox }) };
  } finally {
    await bench.close();
  }
}

async function measureHistories(bench: BenchStack) {
  say('  histories');
  return {
    attempt_1: await eventsWhenAnsweredIn(bench, 1),
    attempt_3: await eventsWhenAnsweredIn(bench, 3),
  };
}

async function plot({ latencies }: Figures): Promise<void> {
  if (latencies === undefined) return;
  const names = Object.keys(LATENCIES) as LatencyName[];
  const series = names.map((name) => ({ label: LATENCIES[name], samples: latencies[name] }));
  await writeFile(PLOT, plotDistributions(series));
  say(`The distributions are in ${PLOT}.`);
}

function partOf(name: string): Part {
  const part = PARTS.find((each) => each === name);
  if (part === undefined) throw new Error(`--only knows ${PARTS.join(', ')}, not ${name}`);
  return part;
}

function countOf(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} needs a whole number`);
  return count;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

// Whatever is still there is removed by those who listen to `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
await main();
process.exit(0);
