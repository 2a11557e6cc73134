import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { INBOX_SORTS } from '../constants/statuses.js';
import { instantSchema, textSchema } from '../kernel/primitives.js';
import { inboxFilterSchema } from './view.js';
import { NEXT_REMINDER } from '../constants/duration.js';

/** The filter of a saved view: the parameters of `GET /v1/suspensions` that the inbox offers. */
export const savedFilterSchema = inboxFilterSchema
  .pick({ view: true, group: true, channel: true, resolution: true, text: true })
  .extend({
    state: z.enum(['pending', 'settled']).optional(),
    sort: z.enum(INBOX_SORTS).optional(),
  });
export type SavedFilter = Readonly<z.infer<typeof savedFilterSchema>>;

/** Body of `PUT /v1/me/views/{id}`. */
export const saveViewSchema = z.object({
  name: textSchema(LIMITS.viewNameCharacters).describe('No other view of the caller has it.'),
  filter: savedFilterSchema,
});
export type SaveView = Readonly<z.infer<typeof saveViewSchema>>;

/** A named list of questions that one person has saved. Nobody else sees it. */
export const savedViewSchema = saveViewSchema.extend({
  id: z.uuid(),
  saved_at: instantSchema,
});
export type SavedView = Readonly<z.infer<typeof savedViewSchema>>;

/** Body of `GET /v1/me/views`. */
export const savedViewListSchema = z.object({
  views: z.array(savedViewSchema).readonly().describe('By name.'),
});

/** Body of `POST /v1/suspensions/{id}/snooze`. */
export const snoozeRequestSchema = z.object({
  until: z
    .union([instantSchema, z.literal(NEXT_REMINDER)])
    .describe('When the question is to be in your lists again: an instant, or `next_reminder`.'),
});
export type SnoozeRequest = Readonly<z.infer<typeof snoozeRequestSchema>>;

/** A question that one person has hidden for a while. It is still open, and visible to everybody else. */
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
