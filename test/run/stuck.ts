import { Worker } from 'node:worker_threads';
import type { Runner, Test } from 'mocha';

/** Milliseconds that a test may have the thread to itself; no limit of mocha ends it meanwhile. */
const LIMIT_MS = 600_000;
/** Sets another one. */
export const STUCK_MS = 'HOLDPOINT_TEST_STUCK_MS';
const BEAT_MS = 500;
const TITLE_BYTES = 500;

/**
 * Ends this process where a test never gives its thread back, and says which: a loop without an end in what it tests. From the
 * first test on, for what comes before may build a server.
 */
export function watchThread(runner: Runner): void {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const title = new Uint8Array(new SharedArrayBuffer(TITLE_BYTES));
  const limitMs = Number(process.env[STUCK_MS] ?? LIMIT_MS);
  runner.once('test', () => {
    const script = new URL('stuck.mjs', import.meta.url);
    new Worker(script, { workerData: { beats, title, limitMs } }).unref();
    setInterval(() => {
      Atomics.add(beats, 0, 1);
      Atomics.notify(beats, 0);
    }, BEAT_MS).unref();
  });
  runner.on('test', (test: Test) => {
    title.fill(0);
    new TextEncoder().encodeInto(test.titlePath().join(' › '), title);
  });
}
