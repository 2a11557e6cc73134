import { appendFile, readFile } from 'node:fs/promises';
import { mochaArgs, type Job } from './lanes.js';
import { runJobs, type EndedJob, type Failure, type RunOptions } from './run-jobs.js';

/** `1` in it: a test that fails has failed, as somebody who looks for a flaky test wants it. */
export const LOOKS = 'HOLDPOINT_TEST_LOOKS';
/** Names a file that takes what is to be looked at again, for a later `run-tests.ts --again`: where other runs go on beside this one. */
export const LATER = 'HOLDPOINT_TEST_LOOK_LATER';

/** With more files than these something is wrong that no second look makes right. */
export const MOST_FILES = 8;

/** A file of tests that failed, and is run once more. */
export interface Look {
  readonly job: Job;
  readonly file: string;
  readonly failures: readonly Failure[];
}

/** What a run has come to. */
export interface Outcome {
  readonly ended: readonly EndedJob[];
  /** Failed at first, and passed at the second look. */
  readonly flaky: readonly Failure[];
  /** Files that are looked at again later; none of their tests is counted yet. */
  readonly later: number;
}

/**
 * Runs each file with a failing test once more, by itself in a new process, after everything else has ended. What it comes to then
 * counts. Jobs that only compute, jobs that failed as a whole, and more than eight files get no second look.
 */
export async function lookTwice(
  jobs: readonly Job[],
  ended: readonly EndedJob[],
  options: RunOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Outcome> {
  const looks = looksAt(jobs, ended);
  if (looks.length === 0 || env[LOOKS] === '1') return { ended, flaky: [], later: 0 };
  const later = env[LATER];
  if (later === undefined && looks.length > MOST_FILES) return { ended, flaky: [], later: 0 };
  const decided = ended.map((one) => without(one, looks));
  if (later !== undefined) {
    await appendFile(later, looks.map((look) => `${JSON.stringify(look)}\n`).join(''));
    return { ended: decided, flaky: [], later: looks.length };
  }
  const second = await lookAgain(looks, options);
  return { ...second, ended: [...decided, ...second.ended] };
}

/** Runs the files once more, one after the other. More than eight have failed without. */
export async function lookAgain(
  looks: readonly Look[],
  options: RunOptions,
): Promise<Outcome & { readonly later: 0 }> {
  if (looks.length > MOST_FILES) {
    const ended = looks.map(({ job, failures }) => ({ ...NOTHING, name: job.name, failures }));
    return { ended, flaky: [], later: 0 };
  }
  const again = await runJobs(looks.map(againOf), { ...options, atOnce: 1 });
  const ended = again.map((one, index) => {
    if (one.failures.length === 0) return one;
    const titles = one.failures.map(({ title }) => title);
    const first = looks[index]?.failures.filter(({ title }) => !titles.includes(title)) ?? [];
    return { ...one, failures: [...one.failures, ...first] };
  });
  const isFlaky = (_: Look, index: number) => again[index]?.failures.length === 0;
  return { ended, flaky: looks.filter(isFlaky).flatMap(({ failures }) => failures), later: 0 };
}

/** What runs have left for later. */
export async function readLooks(file: string): Promise<readonly Look[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Look);
}

const NOTHING = { passed: 0, passedIn: new Map<string, number>(), files: [] };

function looksAt(jobs: readonly Job[], ended: readonly EndedJob[]): Look[] {
  return jobs
    .filter(({ looksTwice }) => looksTwice)
    .flatMap((job) => {
      const failures = ended.find(({ name }) => name === job.name)?.failures ?? [];
      const files = new Set(failures.flatMap(({ file }) => file ?? []));
      return [...files].map((file) => ({
        job,
        file,
        failures: failures.filter((failure) => failure.file === file),
      }));
    });
}

/** What a job came to in its other files. */
function without(job: EndedJob, looks: readonly Look[]): EndedJob {
  const files = looks.filter((look) => look.job.name === job.name).map(({ file }) => file);
  const passed = files.reduce((sum, file) => sum - (job.passedIn.get(file) ?? 0), job.passed);
  const isKept = ({ file }: Failure) => file === undefined || !files.includes(file);
  return { ...job, passed, failures: job.failures.filter(isKept) };
}

function againOf({ job, file }: Look, index: number): Job {
  const name = `${job.name}.again-${index + 1}`;
  return { ...job, name, args: mochaArgs([file]), writes: [] };
}
