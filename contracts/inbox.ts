import { z } from 'zod';
import { nameSchema } from './primitives.js';
import { inboxEntrySchema } from './suspension-view.js';
import { resolutionSchema, responseTypeSchema } from './suspension.js';

export const INBOX_SORTS = ['urgency', 'oldest', 'newest'] as const;
export type InboxSort = (typeof INBOX_SORTS)[number];

/** What a suspension may be found by; all that is given has to hold. */
export const inboxFilterSchema = z.object({
  resolution: resolutionSchema.optional(),
  /** A channel that an attempt so far went to. */
  channel: nameSchema.optional(),
  /** Somebody an attempt so far was addressed to. */
  recipient: nameSchema.optional(),
  response_type: responseTypeSchema.optional(),
  asked_by: nameSchema.optional(),
  intent_id: z.guid().optional(),
  /** Words of question or context; the last one may be unfinished. */
  text: nameSchema.optional(),
});
export type InboxFilter = z.output<typeof inboxFilterSchema>;

/** Body of `GET /v1/suspensions`. */
export const inboxPageSchema = z.object({
  suspensions: z.array(inboxEntrySchema).readonly(),
  next_cursor: z.string().nullable().describe('For the next page; null on the last one.'),
});
export type InboxPage = Readonly<z.infer<typeof inboxPageSchema>>;

const count = z.int().min(0);

/** Body of `GET /v1/suspensions/counts`. */
export const inboxCountsSchema = z.object({
  pending: count,
  responded: count,
  expired: count,
  cancelled: count,
});
export type InboxCounts = Readonly<z.infer<typeof inboxCountsSchema>>;
