import { BroadcastChannel } from 'node:worker_threads';
import { failureOf } from '../store/failures.js';
import type { RunNames } from '../store/queries/set-aside.js';
import type { Log } from './log.js';
import { SET_ASIDE } from './workflow-threads.js';

interface Surroundings {
  readonly log: Log;
  /** Keeps a run where the API reads it. */
  readonly note: (run: RunNames) => Promise<void>;
}

/**
 * Notes each run that the threads of this process set aside, for `holdpoint doctor`, and again with each task that they refuse it. A
 * note that fails is logged. Returns what ends it, once the notes are taken.
 */
export function startNotingSetAside({ log, note }: Surroundings): () => Promise<void> {
  const told = new BroadcastChannel(SET_ASIDE);
  let notes = Promise.resolve();
  told.onmessage = (message) => {
    const { data } = message as { readonly data: RunNames };
    notes = notes
      .then(() => note(data))
      .catch((error: unknown) => log.warn(failureOf(error), 'set_aside_not_noted'));
  };
  told.unref();
  return () => {
    told.close();
    return notes;
  };
}
