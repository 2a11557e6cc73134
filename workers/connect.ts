import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { TemporalConnectionOptions } from '../temporal-config/connection.js';
import { reasonOf } from '../temporal-config/errors.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Connects to Temporal, for as long as it takes: the first failure is told in one line, the others
 * are not. Resolves with undefined where `signal` is aborted first.
 */
export async function connectPatiently(
  options: TemporalConnectionOptions,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<NativeConnection | undefined> {
  for (let wait = 0; !signal.aborted; wait = Math.min(wait * 2 || FIRST_PAUSE_MS, MAX_PAUSE_MS)) {
    await pause(wait, undefined, { signal }).catch(() => undefined);
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      if (wait > 0) continue;
      log(
        `Temporal at ${options.address} is away, trying again until it is back: ${oneLine(error)}`,
      );
    }
  }
  return undefined;
}

function oneLine(error: unknown): string {
  return reasonOf(error).replace(/\s*\n\s*/g, ' ');
}
