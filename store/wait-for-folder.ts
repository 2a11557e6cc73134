import { setTimeout as pause } from 'node:timers/promises';
import { FolderInUseError } from './folder-lock.js';

const POLL_MS = 200;
/** Longer than a process takes to end once its supervisor is gone. */
const PATIENCE_MS = 15_000;

/**
 * Runs `claim` again for up to 15 s while it throws `FolderInUseError`: the holder may be a process
 * that is just ending because its own supervisor was killed.
 */
export async function waitForFolder<T>(claim: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (!(error instanceof FolderInUseError) || Date.now() > deadline) throw error;
      await pause(POLL_MS);
    }
  }
}
