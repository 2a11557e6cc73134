import { z } from 'zod';
import { COORDINATOR_EVENT_TYPES, EVENT_TYPES, PORTFOLIO_EVENT_TYPES } from './constants/events.js';
import { instantSchema, jsonObjectSchema, nameSchema } from './primitives.js';

/** `sha256:` and the digest in base64url without padding (RFC-0019 §1.2). */
const eventHashSchema = z.string().regex(/^sha256:[\w-]{43}$/);

/**
 * One entry of an intent's append-only log; `sequence` starts at 1 and has no gaps. `event_hash` covers
 * every other field, `previous_event_hash` included, which is null for the first (RFC-0019 §1).
 */
export const intentEventSchema = z.object({
  id: z.uuid(),
  intent_id: z.uuid(),
  sequence: z.int().min(1),
  event_type: z.string(),
  actor: z.string(),
  payload: jsonObjectSchema,
  created_at: instantSchema,
  previous_event_hash: eventHashSchema.nullable(),
  event_hash: eventHashSchema,
});
export type IntentEvent = z.infer<typeof intentEventSchema>;

const RESERVED: readonly string[] = [
  ...EVENT_TYPES,
  ...PORTFOLIO_EVENT_TYPES,
  ...COORDINATOR_EVENT_TYPES,
];

/**
 * Body of `POST /v1/intents/{id}/events`. The types that the server itself writes are refused, so
 * that nobody can forge a suspension's history.
 */
export const appendEventRequestSchema = z.object({
  event_type: nameSchema
    .refine((type) => !RESERVED.includes(type), {
      params: { accepted: 'an event type that the server does not write itself' },
    })
    .meta({ not: { enum: RESERVED } }),
  payload: jsonObjectSchema.default({}),
});

/** The end of a log: the newest event's sequence (0 where there is none) and hash. */
export interface ChainHead {
  readonly sequence: number;
  /** Undefined where only the number is known. */
  readonly event_hash?: string | null | undefined;
}

const chainBreakSchema = z.object({
  sequence: z.int(),
  kind: z
    .enum(['changed', 'missing', 'unexpected', 'out_of_order', 'unlinked'])
    .describe(
      'The content is not what was hashed, the event is not there, it should not be there, it comes after one that followed it, or it does not follow the event before it.',
    ),
  detail: z.string(),
});

/** Where a log is not what was recorded. */
export type ChainBreak = Readonly<z.infer<typeof chainBreakSchema>>;
export type ChainBreakKind = ChainBreak['kind'];

/** What the end of a log was compared with: the intent's own state, or the store's note of it. */
const headSourceSchema = z.enum(['workflow', 'store']);
export type HeadSource = z.infer<typeof headSourceSchema>;

const chainReportSchema = z.object({
  intent_id: z.string().nullable(),
  event_count: z.int(),
  first_sequence: z.int().nullable(),
  last_sequence: z.int(),
  head_hash: z.string().nullable().describe('Hash of the last event.'),
  chain_valid: z.boolean(),
  breaks: z
    .array(chainBreakSchema)
    .readonly()
    .describe('The first hundred, in the order of the log.'),
});
/** What a check of a whole log found. */
export type ChainReport = Readonly<z.infer<typeof chainReportSchema>>;

/** Reply of `GET /v1/intents/{id}/events/verify` (form of RFC-0019 §6.1). */
export const verifyReportSchema = chainReportSchema.extend({ head_from: headSourceSchema });
export type VerifyReport = Readonly<z.infer<typeof verifyReportSchema>>;

/** Last line of an exported log: without it, or with another end, lines have been lost. */
export const exportEndSchema = z.object({
  end_of_log: z.object({
    intent_id: z.string(),
    last_sequence: z.int().min(0),
    head_hash: z.string().nullable(),
    head_from: headSourceSchema,
  }),
});
export type ExportEnd = z.infer<typeof exportEndSchema>;
