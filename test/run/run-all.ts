import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RUN_LOGS, findLeaks } from '../support/secrets.js';
import type { Job } from './lanes.js';
import { Progress } from './progress.js';
import { outputOf, runJobs, type RunOptions } from './run-jobs.js';
import { lookAgain, lookTwice, type Look, type Outcome } from './second-look.js';
import { startStores } from './stores.js';
import { summaryOf } from './summary.js';

const { stdout } = process;

/**
 * Runs jobs, shows how they go on, and then searches all that was written meanwhile for seeded secrets: what they and whoever
 * shares their streams wrote, and every log that tests keep by `runLog`. A file that failed may get a second look.
 *
 * @param echoes - whether to show what the jobs write as they write it, in the place of their progress
 * @returns whether all is in order
 */
export function runAll(jobs: readonly Job[], echoes = false): Promise<boolean> {
  return inRun(jobs, echoes, async (options) =>
    lookTwice(jobs, await runJobs(jobs, options), options),
  );
}

/** Gives files of earlier runs their second look. */
export function runAgain(looks: readonly Look[]): Promise<boolean> {
  const jobs = looks.map(({ job }) => ({ ...job, writes: [] }));
  return inRun(jobs, false, (options) => lookAgain(looks, options));
}

async function inRun(
  jobs: readonly Job[],
  echoes: boolean,
  run: (options: RunOptions) => Promise<Outcome>,
): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdpoint-run-'));
  const logs = path.join(folder, 'logs');
  await mkdir(logs);
  process.env[RUN_LOGS] = logs;
  const began = performance.now();
  const asks = jobs.some(({ runsTests, ownStores }) => runsTests && !(ownStores ?? false));
  const stores = asks ? await startStores(process.env) : undefined;
  Object.assign(process.env, stores?.env);
  if (stores) stdout.write(`stores of the tests: ${stores.said}\n`);
  const progress = new Progress({
    write: (text) => {
      if (!echoes) stdout.write(text);
    },
    now: () => performance.now(),
  });
  const ticks = setInterval(() => progress.tick(), 1_000);
  const outcome = await run({ folder, watcher: progress, echoes });
  clearInterval(ticks);
  await stores?.stop();
  const written = jobs
    .filter(({ writes }) => writes.length > 0)
    .flatMap(({ name, writes }) => [outputOf(name), ...writes]);
  const complaints = await findLeaks(logs, written);
  const seconds = (performance.now() - began) / 1_000;
  const { ok, text } = summaryOf(outcome, { seconds, complaints, logs });
  stdout.write(text);
  if (ok) await rm(folder, { recursive: true });
  return ok;
}
