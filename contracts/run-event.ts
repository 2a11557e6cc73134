import type { z } from 'zod';
import { intentEventSchema, verifyReportSchema } from './event.js';
import { nameSchema } from './primitives.js';

/**
 * One event that an approval left in the log of an agent's run. It is chained like an intent's; `run_id` stands in
 * the place of the intent.
 */
export const runEventSchema = intentEventSchema
  .omit({ intent_id: true, claimed: true, trace_id: true, parent_event_id: true })
  .extend({ run_id: nameSchema });
export type RunEvent = z.infer<typeof runEventSchema>;

/** Reply of `GET /v1/runs/{run_id}/events/verify`. */
export const runReportSchema = verifyReportSchema.omit({ intent_id: true }).extend({
  run_id: nameSchema,
});
export type RunReport = Readonly<z.infer<typeof runReportSchema>>;
