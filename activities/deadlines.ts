import type { DueDeadline } from '../contracts/deadline.js';
import { forEach } from './for-each.js';
import type { Activities } from './types.js';

/** `expire` signals a suspension; one that is closed is settled, and needs to be told nothing. */
export interface DeadlinePorts {
  readonly expire: (suspensionId: string, deadline: DueDeadline) => Promise<unknown>;
}

/** Ends questions for the deadline of a portfolio; a batch that comes again changes nothing. */
export function createDeadlineActivities({
  expire,
}: DeadlinePorts): Pick<Activities, 'expireQuestions'> {
  return {
    async expireQuestions({ suspension_ids, ...deadline }) {
      await forEach(suspension_ids, (suspensionId) => expire(suspensionId, deadline));
    },
  };
}
