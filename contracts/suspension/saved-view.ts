import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { INBOX_SORTS } from '../constants/statuses.js';
import { instantSchema, textSchema } from '../kernel/primitives.js';
import { inboxFilterSchema } from './view.js';

/** What a saved view shows: the parameters of `GET /v1/suspensions` that the inbox offers. */
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

/** A list of questions that one person comes back to, under a name. Nobody else sees it. */
export const savedViewSchema = saveViewSchema.extend({
  id: z.uuid(),
  saved_at: instantSchema,
});
export type SavedView = Readonly<z.infer<typeof savedViewSchema>>;

/** Body of `GET /v1/me/views`. */
export const savedViewListSchema = z.object({
  views: z.array(savedViewSchema).readonly().describe('By name.'),
});
