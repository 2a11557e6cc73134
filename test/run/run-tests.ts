import { JOBS, OTHER_JOBS, isMeant, mochaJob, type Job } from './lanes.js';
import { runAgain, runAll } from './run-all.js';
import { readLooks } from './second-look.js';

/*
 * Runs jobs of tests, all of `npm test` if none is named.
 * Usage: tsx test/run/run-tests.ts [--plain] [<job>…]
 *        tsx test/run/run-tests.ts <source that must have written>… -- <arguments of mocha>
 *        tsx test/run/run-tests.ts --again <file>
 * `--again` gives files the second look that earlier runs have left for later (HOLDPOINT_TEST_LOOK_LATER).
 * `--plain` shows what a single job itself writes, as it comes; arguments of mocha mean that, too.
 */
const PLAIN = '--plain';
const AGAIN = '--again';

function jobsOf(args: readonly string[]): readonly Job[] {
  const known = [...JOBS, ...OTHER_JOBS];
  const unknown = args.filter((name) => !known.some((job) => isMeant(name, job)));
  if (unknown.length > 0) throw new Error(`There is no job ${unknown.join(', ')}.`);
  return args.length === 0 ? JOBS : known.filter((job) => args.some((name) => isMeant(name, job)));
}

async function runTests(args: readonly string[]): Promise<boolean> {
  const [first, file] = args;
  if (first === AGAIN && file !== undefined) return runAgain(await readLooks(file));
  const divider = args.indexOf('--');
  if (divider >= 0) {
    const writes = args.slice(0, divider);
    return runAll([mochaJob('mocha', args.slice(divider + 1), { writes })], true);
  }
  const isPlain = args.includes(PLAIN);
  const jobs = jobsOf(args.filter((arg) => arg !== PLAIN));
  if (isPlain && jobs.length !== 1) throw new Error(`${PLAIN} shows one job, not ${jobs.length}.`);
  return runAll(jobs, isPlain);
}

process.exit((await runTests(process.argv.slice(2))) ? 0 : 1);
