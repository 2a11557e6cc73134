import type { DueFollowUp } from '../../activities/ports/upkeep.js';
import { SUSPENSION_ID } from '../domain/suspension/notification-samples.js';

/** A message that shows the first version of its question, which is over by now. */
export const DUE = {
  suspension_id: SUSPENSION_ID,
  reference: 'm-1',
  shows: 1,
  space: 'default',
  tries: 0,
  news: 1,
  latest: true,
  intent_id: null,
  asked_by: 'agent',
  settled: true,
  question_version: 1,
  edits: [],
} satisfies Partial<DueFollowUp>;
