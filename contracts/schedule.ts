import { z } from 'zod';
import { instantSchema } from './primitives.js';
import { keptLadderEntrySchema } from './retry-policy.js';

/** One notification attempt with the ladder entries in force (R26-45, AM-27). */
export const scheduledAttemptSchema = z.object({
  attempt: z.int().min(1),
  at: instantSchema.describe('When the attempt is due.'),
  next_attempt_at: instantSchema.nullable().describe('When the next one is; null on the last.'),
  channel_hint: z.string().nullable().describe('The last ladder entry that names one wins.'),
  notify_to: z.string().nullable().describe('The last ladder entry that names one wins.'),
  ladder: z.array(keptLadderEntrySchema).readonly(),
});
export type ScheduledAttempt = Readonly<z.infer<typeof scheduledAttemptSchema>>;

/** Every instant of a suspension, computed once when it opens (R26-49, AM-29, R25-43). */
export const scheduleSchema = z.object({
  attempts: z.array(scheduledAttemptSchema).readonly(),
  expires_at: z
    .exactOptional(instantSchema)
    .describe('The total deadline; absent where the question never expires.'),
});
export type Schedule = Readonly<z.infer<typeof scheduleSchema>>;
