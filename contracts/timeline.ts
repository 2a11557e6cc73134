import { z } from 'zod';
import { instantSchema, jsonObjectSchema } from './primitives.js';

/** What can happen in a suspension's life, as its timeline tells it. */
export const timelineKindSchema = z.enum([
  'opened',
  'attempt',
  'attempt_skipped',
  'delivered',
  'delivery_failed',
  'delivery_superseded',
  'answer_accepted',
  'answer_rejected',
  'expired',
  'cancelled',
]);
export type TimelineKind = z.infer<typeof timelineKindSchema>;

/** One entry of a suspension's timeline; `sequence` starts at 1 and has no gaps. */
export const timelineEntrySchema = z.object({
  sequence: z.int().min(1),
  at: instantSchema,
  kind: timelineKindSchema,
  detail: jsonObjectSchema,
});
export type TimelineEntry = Readonly<z.infer<typeof timelineEntrySchema>>;
