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
 * Notes for `holdpoint doctor` each run that the threads of this process set aside, again with each task that they refuse it. Logs
 * a note that fails. Returns a function that ends it, once all notes are taken.
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
