import type { DueDeadline } from '../contracts/deadline.js';
import { forEach } from './for-each.js';
import type { Activities } from './types.js';

/** Both signal a workflow; one that is closed needs to be told nothing. */
export interface DeadlinePorts {
  readonly expire: (suspensionId: string, deadline: DueDeadline) => Promise<unknown>;
  readonly abandon: (intentId: string, deadline: DueDeadline) => Promise<unknown>;
}

/** Ends questions for the deadline of a portfolio; a batch that comes again changes nothing. */
export function createDeadlineActivities({
  expire,
  abandon,
}: DeadlinePorts): Pick<Activities, 'expireQuestions'> {
  return {
    async expireQuestions({ suspension_ids, intent_ids = [], ...deadline }) {
      await forEach(suspension_ids, (suspensionId) => expire(suspensionId, deadline));
      await forEach(intent_ids, (intentId) => abandon(intentId, deadline));
    },
  };
}
