import { refusalOf } from '../errors.js';
import type { Clock } from './clock.js';
import { DeadlinePassed, withinDeadline, WRITE_MS } from './deadline.js';
import { patiently } from './patience.js';
import type { Ask } from './queries.js';
import { readUnavailable, writeUnavailable } from './refusals.js';

/** Makes a read by id as patient as a write. */
export type Patient = <T>(read: (id: string) => Promise<T>) => (id: string) => Promise<T>;

/**
 * The reads of what a write names. It may have been created a moment ago, by the same request even, so that no
 * worker has taken it up and the store has no copy yet: such a read is made again, 10 s in all, before it
 * throws `workflow_unavailable`. What else a read throws, it throws at once.
 */
export function createPatient(clock: Clock): Patient {
  return (read) => async (id) => {
    try {
      return await withinDeadline(clock, WRITE_MS, (scope) =>
        patiently(clock, scope, isUnanswered, () => read(id)),
      );
    } catch (error) {
      throw error instanceof DeadlinePassed ? readUnavailable() : error;
    }
  };
}

/** Asks again while nobody answers; throws `workflow_unavailable` where nobody does in 10 s. */
export function patientAsk(ask: Ask, clock: Clock): Ask {
  return async (workflowId, definition) => {
    try {
      return await withinDeadline(clock, WRITE_MS, (scope) =>
        patiently(clock, scope, isUnanswered, async () => {
          const asked = await ask(workflowId, definition);
          if (asked.kind === 'no_answer') throw readUnavailable();
          return asked;
        }),
      );
    } catch (error) {
      throw error instanceof DeadlinePassed ? writeUnavailable() : error;
    }
  };
}

function isUnanswered(error: unknown): boolean {
  return refusalOf(error)?.code === 'workflow_unavailable';
}
