import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from './lanes.js';
import { runLog } from '../support/secrets.js';

/** A process that a test forgot may hold a job's streams open for ever. */
const LINGER_MS = 5_000;
/** One more than there are cores, for most jobs mostly wait; more than five would wait for each other. */
const AT_ONCE = Math.max(2, Math.min(availableParallelism() + 1, 5));

/** How a job went. */
export interface EndedJob {
  readonly name: string;
  readonly code: number;
}

/** Takes what jobs write. */
export type Out = (stream: 'stdout' | 'stderr', text: string) => void;

interface Running {
  /** What waits to be shown. */
  readonly held: Parameters<Out>[];
  ended: boolean;
}

const toOwnStreams: Out = (stream, text) => void process[stream].write(text);

/** Runs jobs beside each other; begins them in their order. */
export async function runJobs(
  jobs: readonly Job[],
  out = toOwnStreams,
): Promise<readonly EndedJob[]> {
  const waiting = [...jobs];
  const shown: Running[] = [];
  const ended: EndedJob[] = [];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      if (jobs.length > 1) out('stdout', `begun: ${job.name}\n`);
      const began = performance.now();
      const code = await runJob(job, shown, out);
      ended.push({ name: job.name, code });
      const seconds = ((performance.now() - began) / 1_000).toFixed(0);
      const how = code === 0 ? 'in order' : `failed with ${code}`;
      if (jobs.length > 1) out('stdout', `ended: ${job.name}, ${how}, after ${seconds} s\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ended;
}

async function runJob({ name, args, env }: Job, shown: Running[], out: Out): Promise<number> {
  const colours = process.stdout.isTTY && !process.env['NO_COLOR'] ? { FORCE_COLOR: '1' } : {};
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...colours, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running: Running = { held: [], ended: false };
  shown.push(running);
  for (const stream of ['stdout', 'stderr'] as const) {
    const log = runLog(`${name}.${stream}`);
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      log.write(text);
      running.held.push([stream, text]);
      show(shown, out);
    });
  }
  const closed = once(child, 'close');
  const [code] = (await once(child, 'exit')) as [number | null];
  await Promise.race([closed, pause(LINGER_MS)]);
  running.ended = true;
  show(shown, out);
  return code ?? 1;
}

/** The first job that runs is shown as it goes on, the others once those before them have ended. */
function show(jobs: Running[], out: Out): void {
  for (let [first] = jobs; first; [first] = jobs) {
    for (const [stream, text] of first.held.splice(0)) out(stream, text);
    if (!first.ended) return;
    jobs.shift();
  }
}
