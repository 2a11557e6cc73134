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
  readonly env?: NodeJS.ProcessEnv;
}

export type Lane = 'skipping' | 'real' | 'fast';

/** Set where no test needs a server: none is then looked for, downloaded or built. */
export const NO_SERVERS = 'HOLDPOINT_TEST_NO_SERVERS';

/** Only a test moves the clock of the time-skipping server, so these run one after the other. */
const SKIPPING = /^test\/(workflows|replay)\//;
/** Most tests of these folders need neither Temporal nor a store nor processes of ours. */
const FAST = /^test\/(activities|api|bench|client|contracts|conventions|domain|model|runtime)\//;
const NOT_FAST =
  /^test\/api\/(e2e\/|main\.)|\/(subscribe|deliver-events)\.test\.ts$|^test\/conventions\/lint\.test/;

/** The lane of a test file; `real` waits for real clocks, servers and processes. */
export function laneOf(file: string): Lane {
  if (SKIPPING.test(file)) return 'skipping';
  return FAST.test(file) && !NOT_FAST.test(file) ? 'fast' : 'real';
}

function filesOf(lane: Lane): string[] {
  const names = readdirSync('test', { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => path.posix.join('test', name.split(path.sep).join('/')));
  return files.filter((file) => file.endsWith('.test.ts') && laneOf(file) === lane).sort();
}

/** A job that runs mocha with these arguments. */
export function mochaJob(name: string, args: readonly string[], more: Partial<Job> = {}): Job {
  const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
  return { name, args: [mocha, ...args], writes: [], ...more };
}

function toolJob(name: string, ...args: readonly string[]): Job {
  return { name, args, writes: [] };
}

/**
 * What `npm test` runs, in the order in which it is begun: first what takes long and mostly waits, last what
 * fills the gap at the end.
 */
export const JOBS: readonly Job[] = [
  mochaJob('skipping', filesOf('skipping'), { writes: ['worker'] }),
  mochaJob('real', filesOf('real'), { writes: ['api', 'worker', 'service.api', 'service.worker'] }),
  mochaJob('fast', filesOf('fast'), { writes: ['api'], env: { [NO_SERVERS]: 'true' } }),
  toolJob('lint', 'node_modules/eslint/bin/eslint.js', '.'),
  toolJob('typecheck', 'node_modules/typescript/bin/tsc', '--noEmit'),
  toolJob('format', 'node_modules/prettier/bin/prettier.cjs', '--check', '.'),
];
