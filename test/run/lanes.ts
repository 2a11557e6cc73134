import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Something that a test run starts as a process of its own. */
export interface Job {
  readonly name: string;
  /** Arguments of Node. */
  readonly args: readonly string[];
  /** The logs, besides its own output, that must have a line in the end. */
  readonly writes: readonly string[];
  /** Whether it is a mocha, which notes what its tests do and fails if it has none. */
  readonly runsTests: boolean;
  /** Whether its tests start all stores themselves, and ask for none of the run. */
  readonly ownStores?: boolean;
  /** Whether its tests start servers, browsers or processes, so that a file that fails is looked at again. Its arguments are files. */
  readonly looksTwice?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

export type Lane = 'workflows' | 'real' | 'fast' | 'conventions' | 'browser' | 'package' | 'faults';

/** Set where no test needs a server: none is then looked for, downloaded or built. */
export const NO_SERVERS = 'HOLDPOINT_TEST_NO_SERVERS';

/** Workflows: most need no server, and the others take turns on one. */
const WORKFLOWS = /^test\/(workflows|replay|temporal)\//;
/** Most tests of these folders need neither Temporal nor a store nor processes of ours. */
const FAST = /^test\/(activities|api|bench|cli|client|contracts|domain|model|mutation|runtime)\//;
const NOT_FAST = /^test\/api\/(e2e\/|main\.)|\/(subscribe|deliver-events)\.test\.ts$/;
/** What sources and documents look like, which is the same on every Node. */
const CONVENTIONS = /^test\/conventions\//;

/** The inbox in a real browser, over servers that each file has one of. */
const BROWSER = /^test\/web\//;

/** What is shipped is packed and installed into other projects: minutes of npm, which CI spends and `npm test` does not. */
const PACKAGE = /^test\/package\//;
/** Killed processes, which have to come back in time. CI runs them with nothing beside. They mostly wait. */
const FAULTS = /^test\/faults\//;

const SLOWEST_FAULTS = /store-down|temporal-agent/;

/** The lane of a test file; `real` waits for real clocks, servers and processes. */
export function laneOf(file: string): Lane {
  if (PACKAGE.test(file)) return 'package';
  if (FAULTS.test(file)) return 'faults';
  if (WORKFLOWS.test(file)) return 'workflows';
  if (BROWSER.test(file)) return 'browser';
  if (CONVENTIONS.test(file)) return 'conventions';
  return FAST.test(file) && !NOT_FAST.test(file) ? 'fast' : 'real';
}

/** All files of tests that mocha finds by their name. */
export function testFiles(): string[] {
  const names = readdirSync('test', { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => path.posix.join('test', name.split(path.sep).join('/')));
  return files.filter((file) => file.endsWith('.test.ts')).sort();
}

/** Those that compute most, in an order in which every other one makes half of it: no process has most of them. */
const DEAREST = [
  'test/api/http/large-errors.test.ts',
  'test/api/authorization/every-operation.test.ts',
  'test/model/containers.test.ts',
  'test/cli/answer-batches.test.ts',
  'test/domain/schema/work.test.ts',
  'test/client/portability.test.ts',
];

/** What no run of all tests has: it needs other programs, or many minutes. */
export function suites(folder: string): string[] {
  const names = readdirSync(path.join('test', folder)).filter((name) => name.endsWith('.suite.ts'));
  return names.sort().map((name) => `test/${folder}/${name}`);
}

/** The dearest first. */
function filesOf(lane: Lane): string[] {
  const files = testFiles().filter((file) => laneOf(file) === lane);
  const dearest = DEAREST.filter((file) => files.includes(file));
  return [...dearest, ...files.filter((file) => !dearest.includes(file))];
}

/** MiB for what lives shortly, four times what Node gives it: less is looked at again to find what still lives. */
const YOUNG = '--max-semi-space-size=64';

/** A job that runs mocha with these arguments. */
export function mochaJob(name: string, args: readonly string[], more: Partial<Job> = {}): Job {
  return { name, args: mochaArgs(args), writes: [], runsTests: true, ...more };
}

/** Arguments of Node for a mocha with these arguments. */
export function mochaArgs(args: readonly string[]): readonly string[] {
  return [YOUNG, createRequire(import.meta.url).resolve('mocha/bin/mocha.js'), ...args];
}

function toolJob(name: string, ...args: readonly string[]): Job {
  return { name, args, writes: [], runsTests: false };
}

/** The files of a lane, dealt to several processes. */
function shards(lane: Lane, count: number, more: Partial<Job>): Job[] {
  return dealt(lane, filesOf(lane), count, more);
}

/** Files dealt to several processes: most of their time they wait for servers, each of which has one user at a time. */
export function dealt(
  name: string,
  files: readonly string[],
  count: number,
  more: Partial<Job> = {},
): Job[] {
  return Array.from({ length: count }, (_, shard) =>
    mochaJob(
      `${name}-${shard + 1}`,
      files.filter((_file, index) => index % count === shard),
      more,
    ),
  );
}

const WORKFLOWS_SHARDS = shards('workflows', 3, { writes: ['worker'], looksTwice: true });
const REAL_SHARDS = shards('real', 3, {
  writes: ['api', 'worker', 'service.api', 'service.worker'],
  looksTwice: true,
});

/**
 * What `npm test` runs, in the order in which it is begun: first what mostly waits, beside one job that computes, and last
 * what only computes, so that no core is ever idle.
 */
export const JOBS: readonly Job[] = [
  ...REAL_SHARDS.slice(0, 2),
  ...WORKFLOWS_SHARDS.slice(0, 1),
  ...REAL_SHARDS.slice(2),
  ...shards('browser', 2, { writes: ['api'], looksTwice: true }),
  ...WORKFLOWS_SHARDS.slice(1),
  toolJob('check', '--import', 'tsx', 'test/run/check.ts'),
  ...shards('fast', 2, { writes: ['api'], env: { [NO_SERVERS]: 'true' } }),
  mochaJob('conventions', filesOf('conventions'), { env: { [NO_SERVERS]: 'true' } }),
  toolJob('format', '--import', 'tsx', 'test/run/format.ts'),
];

const FAULTS_MORE = {
  writes: ['service.api', 'service.worker'],
  ownStores: true,
  looksTwice: true,
};

/** Those that take longest begin first. */
const FAULTS_IN_ORDER = filesOf('faults').sort(
  (one, other) => Number(SLOWEST_FAULTS.test(other)) - Number(SLOWEST_FAULTS.test(one)),
);

const CHAOS = 'test/faults/chaos.suite.ts';
const OWN = { ownStores: true, looksTwice: true };

/** What runs by its name only, such as `npm run test:package`. */
export const OTHER_JOBS: readonly Job[] = [
  mochaJob('chaos', [CHAOS], OWN),
  mochaJob('chaos:postgres', [CHAOS], { ...OWN, env: { HOLDPOINT_CHAOS_STORE: 'postgres' } }),
  mochaJob('bench', suites('bench'), OWN),
  mochaJob('openapi', suites('openapi'), OWN),
  mochaJob('openintent', suites('openintent'), OWN),
  mochaJob('python', suites('python'), OWN),
  mochaJob('image', suites('image'), OWN),
  mochaJob('frameworks', suites('frameworks'), OWN),
  mochaJob('package', filesOf('package'), OWN),
  mochaJob(
    'shipped',
    ['cli', 'package', 'release'].map((name) => `test/package/${name}.test.ts`),
    OWN,
  ),
  ...FAULTS_IN_ORDER.map((file) =>
    mochaJob(`faults-${path.basename(file, '.test.ts')}`, [file], FAULTS_MORE),
  ),
];

/** Whether a name from the command line means this job: the job's own, or its lane's. */
export function isMeant(name: string, job: Job): boolean {
  return job.name === name || job.name.split('-')[0] === name;
}
