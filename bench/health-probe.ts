import { setTimeout as pause } from 'node:timers/promises';
import { runMain, sayReady, untilStopRequested } from '../runtime/program.js';

const BETWEEN_MS = 50;

/**
 * `health-probe.ts <url>`: looks at `/health` again and again, in a process of its own, so that it does not wait for the
 * clients of a burst. Prints how long each look took, in milliseconds; Infinity if it failed.
 */
async function main(url: string | undefined): Promise<void> {
  if (url === undefined) throw new Error('Name the URL of /health.');
  const stop = new AbortController();
  void untilStopRequested().then(() => stop.abort());
  // The first look loads what fetch needs.
  await look(url);
  sayReady('The probe is ready.');
  while (!stop.signal.aborted) {
    process.stdout.write(`${await look(url)}\n`);
    await pause(BETWEEN_MS);
  }
}

async function look(url: string): Promise<number> {
  const began = performance.now();
  const isWell = await fetch(url).then(
    async (reply) => (await reply.text()) !== '' && reply.ok,
    () => false,
  );
  return isWell ? performance.now() - began : Infinity;
}

await runMain(() => main(process.argv[2]));
