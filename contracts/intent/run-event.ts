import type { z } from 'zod';
import { intentEventSchema, verifyReportSchema } from './event.js';
import { nameSchema } from '../kernel/primitives.js';

/** One event in the log of an agent's run, chained like an intent's event, with `run_id` in place of the intent. */
export const runEventSchema = intentEventSchema
  .omit({ intent_id: true, claimed: true, trace_id: true, parent_event_id: true })
  .extend({ run_id: nameSchema });
export type RunEvent = z.infer<typeof runEventSchema>;

/** Reply of `GET /v1/runs/{run_id}/events/verify`. */
export const runReportSchema = verifyReportSchema.omit({ intent_id: true }).extend({
  run_id: nameSchema,
});
export type RunReport = Readonly<z.infer<typeof runReportSchema>>;
