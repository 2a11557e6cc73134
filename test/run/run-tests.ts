import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TIMES, slowest, sumTallies } from './file-times.js';
import { JOBS, OTHER_JOBS, isMeant, mochaJob } from './lanes.js';
import type { Job } from './lanes.js';
import { runJobs } from './run-jobs.js';
import { RUN_LOGS, findLeaks } from '../support/secrets.js';

/*
 * Runs tests and then searches all that was written meanwhile for seeded secrets: what they and whoever
 * shares their streams wrote, and every log that tests keep by `runLog`.
 * Usage: tsx test/run/run-tests.ts [<job>…]
 *        tsx test/run/run-tests.ts <source that must have written>… -- <arguments of mocha>
 */
function jobsOf(args: readonly string[]): readonly Job[] {
  const divider = args.indexOf('--');
  if (divider >= 0) {
    return [mochaJob('mocha', args.slice(divider + 1), { writes: args.slice(0, divider) })];
  }
  const known = [...JOBS, ...OTHER_JOBS];
  const unknown = args.filter((name) => !known.some((job) => isMeant(name, job)));
  if (unknown.length > 0) throw new Error(`There is no job ${unknown.join(', ')}.`);
  return args.length === 0 ? JOBS : known.filter((job) => args.some((name) => isMeant(name, job)));
}

const jobs = jobsOf(process.argv.slice(2));
const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-run-'));
const [logs, times] = [path.join(folder, 'logs'), path.join(folder, 'times')];
await Promise.all([mkdir(logs), mkdir(times)]);
process.env[RUN_LOGS] = logs;
process.env[TIMES] = times;

const began = performance.now();
const ended = await runJobs(jobs);
const complaints = await findLeaks(
  logs,
  jobs.flatMap(({ name, writes }) => (writes.length > 0 ? [`${name}.stdout`, ...writes] : [])),
);
const { passed, failed, files } = await sumTallies(times);
await rm(folder, { recursive: true });

const seconds = ((performance.now() - began) / 1_000).toFixed(0);
if (files.length > 1) process.stdout.write(`\n${slowest(files)}`);
process.stdout.write(`\nAll in all: ${passed} tests passed, ${failed} failed, in ${seconds} s\n`);
for (const complaint of complaints) process.stderr.write(`secrets: ${complaint}\n`);
const broken = ended.filter(({ code }) => code !== 0).map(({ name }) => name);
if (broken.length > 0) process.stderr.write(`not in order: ${broken.join(', ')}\n`);
process.exit(broken.length + complaints.length > 0 ? 1 : 0);
