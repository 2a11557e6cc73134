import { z } from 'zod';
import { NEXT_REMINDER } from '../constants/snooze.js';
import { instantSchema } from '../kernel/primitives.js';

/** Body of `POST /v1/suspensions/{id}/snooze`. */
export const snoozeRequestSchema = z.object({
  until: z
    .union([instantSchema, z.literal(NEXT_REMINDER)])
    .describe('When the question is to be in your lists again: an instant, or `next_reminder`.'),
});
export type SnoozeRequest = Readonly<z.infer<typeof snoozeRequestSchema>>;

/** A question that one person does not want to see for a while. It is still open, and open to everybody else. */
export const snoozeSchema = z.object({
  suspension_id: z.uuid(),
  until: instantSchema.describe('When it is in the lists of its person again.'),
  until_reminder: z
    .boolean()
    .describe('Whether it ends with the next reminder, if that is earlier.'),
  snoozed_at: instantSchema,
});
export type Snooze = Readonly<z.infer<typeof snoozeSchema>>;

/** Body of `GET /v1/snoozes`. */
export const snoozeListSchema = z.object({
  snoozes: z.array(snoozeSchema).readonly().describe('Those that still hide something.'),
});
