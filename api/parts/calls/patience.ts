import { refusalOf } from '../../errors.js';
import { readUnavailable } from '../refusals.js';
import {
  DeadlinePassed,
  WRITE_MS,
  limitOf,
  patiently,
  withinDeadline,
  type Clock,
} from './deadline.js';
import type { Temporal } from './temporal.js';

export type Patient = ReturnType<typeof createPatient>;

/**
 * Reads what a write refers to, again for 10 s in all: it may have been created a moment ago. Then throws
 * `workflow_unavailable`; any other failure is thrown at once.
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

/** Repeats a Query while nobody answers, 10 s in all. */
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
