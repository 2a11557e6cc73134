import { setTimeout as after } from 'node:timers/promises';

/** Less than mocha gives a hook, so that a step that never ends says which one it is. */
const LIMIT_MS = 120_000;

/** Waits for a step of a hook, and fails with its name where it does not end. */
export async function within<T>(step: string, waited: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = after(LIMIT_MS, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`${step} took more than ${LIMIT_MS / 1000} s`);
  });
  try {
    return await Promise.race([waited, late]);
  } finally {
    over.abort();
  }
}
