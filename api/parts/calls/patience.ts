import { refusalOf } from '../../errors.js';
import { readUnavailable } from '../refusals.js';
import { DeadlinePassed, WRITE_MS, limitOf, patiently, withinDeadline } from './deadline.js';
import type { Clock } from './deadline.js';
import type { Temporal } from './temporal.js';

/** Makes a read by id wait as long as a write. */
export type Patient = ReturnType<typeof createPatient>;

/**
 * The reads of what a write refers to. It may have been created a moment ago, even by the same request, so that no
 * worker has taken it up and the store has no copy yet. Such a read is made again, 10 s in all, before it
 * throws `workflow_unavailable`. It throws any other failure at once.
 */
export function createPatient(clock: Clock) {
  return <T>(read: (id: string) => Promise<T>) =>
    async (id: string): Promise<T> => {
      try {
        return await withinDeadline(clock, limitOf(clock, 'worker', WRITE_MS), (scope) =>
          patiently(clock, scope, isUnanswered, () => read(id)),
        );
      } catch (error) {
        throw error instanceof DeadlinePassed ? readUnavailable() : error;
      }
    };
}

/** Asks a workflow again while nobody answers, 10 s in all. */
export function patientQuery(query: Temporal['query'], patient: Patient): Temporal['query'] {
  return async (workflowId, definition, args) => {
    const answered = patient(async (id) => {
      const asked = await query(id, definition, args);
      if (asked.kind === 'no_answer') throw readUnavailable();
      return asked;
    });
    try {
      return await answered(workflowId);
    } catch (error) {
      if (isUnanswered(error)) return { kind: 'no_answer' };
      throw error;
    }
  };
}

function isUnanswered(error: unknown): boolean {
  return refusalOf(error)?.code === 'workflow_unavailable';
}
