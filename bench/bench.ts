import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { BenchStack, SILENT, type BenchStackOptions } from './bench-stack.js';
import {
  PARTS,
  measureVersion,
  watchOf,
  type DatabaseFigures,
  type Figures,
  type Measure,
  type Part,
} from './figures.js';
import { measureClients } from './clients.js';
import { eventsWhenAnsweredIn } from './history.js';
import { INBOX_KEYS, measureInbox } from './inbox.js';
import { LATENCIES, type LatencyName } from './latency.js';
import { measureMemory } from './memory.js';
import { measurePage } from './page.js';
import { withVersion } from './other-version.js';
import { plotDistributions, plotThroughput } from './plot.js';
import { OF_ANY_VERSION } from './paths.js';
import { findPostgresGrounds } from './postgres/grounds.js';
import { asMarkdown, WORK } from './report.js';
import { asJson } from './targets.js';
import { PHASES, type WorkName } from './throughput.js';

const LATENCY_PLOT = 'docs/latency.svg';
const THROUGHPUT_PLOT = 'docs/throughput.svg';
const ROUNDS = '100';
const QUESTIONS = '320';
const OPEN = '500,5000';
const INBOX_ROWS = '10000,100000';
const INBOX_ROUNDS = 100;

/**
 * `npm run bench [-- --json] [-- --plot] [-- --postgres] [-- --against <commit>] [-- --silent] [-- --only cost,latency]`: measures
 * Holdpoint beside a bare workflow, in one run on one development server, and another version of it in the same way.
 * With `--silent` nobody is told of today's questions, which wait in the inbox; an older version tells somebody all the same.
 * `--postgres` measures all of it again with Temporal and Holdpoint on PostgreSQL. `--json` prints one JSON object
 * last; `--rows` and `--open` say with how many questions the inbox and the memory are measured; `--plot` writes the distributions, and the throughput against clients, to docs/.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      plot: { type: 'boolean' },
      postgres: { type: 'boolean' },
      against: { type: 'string' },
      silent: { type: 'boolean' },
      only: { type: 'string', default: PARTS.join(',') },
      rounds: { type: 'string', default: ROUNDS },
      questions: { type: 'string', default: QUESTIONS },
      rows: { type: 'string', default: INBOX_ROWS },
      open: { type: 'string', default: OPEN },
    },
  });
  const countsOf = (name: 'rows' | 'open') =>
    values[name].split(',').map((count) => countOf(name, count));
  const measure: Measure = {
    parts: new Set(values.only.split(',').map(partOf)),
    rounds: countOf('rounds', values.rounds),
    questions: countOf('questions', values.questions),
    rows: countsOf('rows'),
    open: countsOf('open'),
    say,
  };
  const figures = await measureAll(measure, values.against, {
    onPostgres: values.postgres === true,
    config: values.silent === true ? SILENT : {},
  });
  say(`\n${cpus().length} cores, Node ${process.versions.node}\n\n${asMarkdown(figures)}`);
  if (values.plot === true) await plot(figures);
  if (values.json === true) say(asJson(figures));
}

async function measureAll(
  measure: Measure,
  commit: string | undefined,
  { onPostgres, config }: { readonly onPostgres: boolean; readonly config: object },
): Promise<Figures> {
  // What is missing is said before anything is measured.
  const grounds = onPostgres ? await findPostgresGrounds(process.env, say) : undefined;
  say('Starting Holdpoint and a bare workflow beside it.');
  let figures: Figures = await measureDatabase(measure, { config });
  // What follows takes long, and may fail.
  if (commit !== undefined || grounds !== undefined) say(`\n${asMarkdown(figures)}`);
  if (commit !== undefined) figures = { ...figures, against: await measureOther(measure, commit) };
  if (measure.parts.has('page')) {
    const [rows = 0] = measure.rows;
    say(`The page of the inbox with ${rows} open questions.`);
    figures = {
      ...figures,
      page: await withStack({ config }, (bench) => measurePage(bench, rows)),
    };
  }
  if (measure.parts.has('memory')) figures = await withMemory(figures, measure, { config });
  if (grounds === undefined) return figures;
  say('The same with Temporal and Holdpoint on PostgreSQL.');
  let postgres: DatabaseFigures = await measureDatabase(measure, { config, grounds });
  if (measure.parts.has('memory'))
    postgres = await withMemory(postgres, measure, { config, grounds });
  return { ...figures, postgres };
}

function measureOther(measure: Measure, commit: string) {
  return withVersion(commit, say, (root) =>
    withStack({ root }, (bench) => measureVersion(bench, { ...measure, paths: OF_ANY_VERSION })),
  );
}

async function withMemory<F extends DatabaseFigures>(
  figures: F,
  { open }: Measure,
  options: BenchStackOptions,
): Promise<F> {
  say(`Memory with ${open.join(' and ')} open suspensions, which takes minutes.`);
  const { points, foreign } = await measureMemory(open, options);
  return { ...figures, memory: points, foreign: { ...figures.foreign, memory: foreign } };
}

function measureDatabase(measure: Measure, options: BenchStackOptions): Promise<DatabaseFigures> {
  return withStack({ ...options, env: INBOX_KEYS }, async (bench) => {
    const { parts } = measure;
    const version = await measureVersion(bench, measure);
    const watch = watchOf(bench);
    const part = <T>(name: Part, work: () => Promise<T>) =>
      parts.has(name) ? watch.part(name, work) : undefined;
    const clients = await part('clients', () => measureEachCount(bench, measure));
    const events = await part('history', () => measureHistories(bench));
    const inbox = await part('inbox', () => measureInbox(bench, measure.rows, INBOX_ROUNDS));
    return {
      ...version,
      ...(clients && { clients }),
      ...(events && { events }),
      ...(inbox && { inbox }),
      foreign: { ...version.foreign, ...watch.foreign },
    };
  });
}

async function withStack<T>(
  options: BenchStackOptions,
  work: (bench: BenchStack) => Promise<T>,
): Promise<T> {
  const bench = await BenchStack.start(options);
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
}

function measureEachCount(bench: BenchStack, { questions }: Measure) {
  say(`  throughput with few and many clients, ${questions} questions of each kind`);
  return measureClients(bench, questions);
}

async function measureHistories(bench: BenchStack) {
  say('  histories');
  return {
    attempt_1: await eventsWhenAnsweredIn(bench, 1),
    attempt_3: await eventsWhenAnsweredIn(bench, 3),
  };
}

async function plot({ latencies, clients }: Figures): Promise<void> {
  if (latencies !== undefined) {
    const names = Object.keys(LATENCIES) as LatencyName[];
    const series = names.map((name) => ({ label: LATENCIES[name], samples: latencies[name] }));
    await writeFile(LATENCY_PLOT, plotDistributions(series));
    say(`The distributions are in ${LATENCY_PLOT}.`);
  }
  if (clients !== undefined) {
    const names = Object.keys(PHASES) as WorkName[];
    const lines = names.map((name) => ({
      label: WORK[name],
      points: clients.map((each) => [each.clients, each.rates[name]?.answers ?? NaN] as const),
    }));
    await writeFile(THROUGHPUT_PLOT, plotThroughput(lines));
    say(`The throughput is in ${THROUGHPUT_PLOT}.`);
  }
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
