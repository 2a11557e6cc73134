import { z } from 'zod';
import { instantSchema, jsonObjectSchema, jsonValueSchema, nameSchema } from './primitives.js';
import { scheduleSchema } from './retry-policy.js';
import {
  resolutionSchema,
  responseTypeSchema,
  suspensionRecordSchema,
  timelineEntrySchema,
} from './suspension.js';

/** Where a suspension stands in its ladder. */
const suspensionProgressSchema = z.object({
  attempt: z.int().min(1).describe('The latest attempt that was due; 1 from the start.'),
  max_attempts: z.int().min(1),
  next_attempt_at: instantSchema.nullable(),
});
export type SuspensionProgress = Readonly<z.infer<typeof suspensionProgressSchema>>;

const subjectSchema = z
  .uuid()
  .nullable()
  .describe('Null where no intent waits: a workflow of its agent does, or nobody but who polls.');

/** A suspension in a list: its view without what only one suspension's page shows. */
export const inboxEntrySchema = suspensionProgressSchema.extend({
  id: z.uuid(),
  intent_id: subjectSchema,
  state: z.enum(['pending', 'settled']),
  asked_by: z.string().describe('The principal that asked.'),
  record: suspensionRecordSchema,
});
export type InboxEntry = Readonly<z.infer<typeof inboxEntrySchema>>;

/** Body of `GET /v1/suspensions/{id}` and `…/wait`. */
export const suspensionViewSchema = inboxEntrySchema.extend({
  schedule: scheduleSchema,
  timeline: z.array(timelineEntrySchema).readonly(),
});
export type SuspensionView = Readonly<z.infer<typeof suspensionViewSchema>>;

/** Body of a reply of `POST …/suspend`: the view, with what the caller should know of its request. */
export const askedViewSchema = suspensionViewSchema.extend({
  warnings: z.exactOptional(z.array(z.string()).readonly()),
});

/** Body of a 200 from `POST …/suspend/respond` (R25-73, R25-74). */
export const respondResultSchema = z.object({
  intent_id: subjectSchema,
  suspension_id: z.uuid(),
  resolution: z.literal('responded'),
  value: jsonValueSchema,
  choice_label: z.exactOptional(z.string()),
  choice_description: z.exactOptional(z.string()),
  responded_by: z.string(),
  responded_at: instantSchema,
  metadata: z.exactOptional(jsonObjectSchema),
});
export type RespondResult = Readonly<z.infer<typeof respondResultSchema>>;

/** Body of a 202 from `POST …/suspend/respond`: kept, and not yet judged. */
export const handedOverSchema = z.object({
  intent_id: subjectSchema,
  suspension_id: z.uuid(),
  status: z.literal('handed_over'),
  detail: z.string(),
});

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
