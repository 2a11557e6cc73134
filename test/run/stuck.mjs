import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

// The thread that `watchThread` (stuck.ts) starts: it ends the process once the thread of the tests does nothing else any more.
const { beats, title, limitMs } = workerData;
/** A machine that was stopped meanwhile gets time to go on. */
const AGAIN_MS = 2_000;

function rests(ms) {
  return Atomics.wait(beats, 0, Atomics.load(beats, 0), ms) !== 'timed-out';
}

while (rests(limitMs) || rests(AGAIN_MS));
const end = title.indexOf(0);
const test = new TextDecoder().decode(title.slice(0, end === -1 ? title.length : end));
writeSync(
  2,
  `The thread of the tests has not rested for ${limitMs} ms: a loop without an end, in or after "${test}"?\n`,
);
process.kill(process.pid, 'SIGKILL');
