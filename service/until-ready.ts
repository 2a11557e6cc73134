import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 50;
const CALL_MS = 5_000;

/**
 * Resolves when a GET of `url` is answered with 200.
 *
 * @throws Error after `limitMs` milliseconds, with what was answered last; the signal's reason where
 * it is aborted first
 */
export async function untilReady(url: string, limitMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const obstacle = await obstacleAt(url, signal);
    if (obstacle === undefined) return;
    signal.throwIfAborted();
    if (performance.now() > deadline) {
      throw new Error(`${url} was not ready after ${limitMs / 1000} s: ${obstacle}`);
    }
    await pause(POLL_MS, undefined, { signal });
  }
}

async function obstacleAt(url: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const reply = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    });
    const text = await reply.text();
    return reply.status === 200 ? undefined : `${reply.status} ${text}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
