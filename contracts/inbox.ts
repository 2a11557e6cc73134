import { z } from 'zod';
import { LIMITS } from './constants/limits.js';
import { nameSchema } from './primitives.js';
import { resolutionSchema, responseTypeSchema } from './suspension.js';
import type { SuspensionView } from './suspension-view.js';

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
  intent_id: z.uuid().optional(),
  /** Words of question or context; the last one may be unfinished. */
  text: z.string().trim().min(1).max(LIMITS.nameCharacters).optional(),
});
export type InboxFilter = z.output<typeof inboxFilterSchema>;

/** A suspension in a list: its view without what only one suspension's page shows. */
export type InboxEntry = Omit<SuspensionView, 'schedule' | 'timeline'>;

/** Body of `GET /v1/suspensions`. */
export interface InboxPage {
  readonly suspensions: readonly InboxEntry[];
  /** For the `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/** Body of `GET /v1/suspensions/counts`. */
export interface InboxCounts {
  readonly pending: number;
  readonly responded: number;
  readonly expired: number;
  readonly cancelled: number;
}
