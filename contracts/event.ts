import { z } from 'zod';
import { COORDINATOR_EVENT_TYPES, EVENT_TYPES, PORTFOLIO_EVENT_TYPES } from './constants/events.js';
import { instantSchema, jsonObjectSchema, nameSchema } from './primitives.js';

/** `sha256:` and the digest in base64url without padding (RFC-0019 §1.2). */
const eventHashSchema = z.string().regex(/^sha256:[\w-]{43}$/);

/**
 * One event in the log of an intent. `sequence` starts at 1 and has no gaps. `event_hash` covers all other
 * fields, including the hash of the event before, which is null for the first event (RFC-0019 §1).
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
 * Body of `POST /v1/intents/{id}/events`. Types that the server writes itself are refused, so that nobody can
 * forge the history of a suspension.
 */
export const appendEventRequestSchema = z.object({
  event_type: nameSchema
    .refine((type) => !RESERVED.includes(type), {
      params: { accepted: 'an event type that the server does not write itself' },
    })
    .meta({ not: { enum: RESERVED } }),
  payload: jsonObjectSchema.default({}),
});

/** The end of a log: sequence and hash of its newest event. The sequence of an empty log is 0. */
export interface ChainHead {
  readonly sequence: number;
  /** Undefined if only the sequence is known. */
  readonly event_hash?: string | null | undefined;
}

const chainBreakSchema = z.object({
  sequence: z.int(),
  kind: z
    .enum(['changed', 'missing', 'unexpected', 'out_of_order', 'unlinked'])
    .describe(
      '`changed`: the content differs from what was hashed. `missing`: the event is not there. `unexpected`: it does not belong there. `out_of_order`: it comes after a later one. `unlinked`: it names another event before it.',
    ),
  detail: z.string(),
});

/** A place where a log differs from what was recorded. */
export type ChainBreak = Readonly<z.infer<typeof chainBreakSchema>>;
/** What is wrong at such a place. */
export type ChainBreakKind = ChainBreak['kind'];

/** What the end of a log was compared with: the state of the intent's workflow, or the store's own note. */
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
    .describe('The first hundred places, in the order of the log.'),
});
/** The result of checking a whole log. */
export type ChainReport = Readonly<z.infer<typeof chainReportSchema>>;

/** Reply of `GET /v1/intents/{id}/events/verify` (RFC-0019 §6.1). */
export const verifyReportSchema = chainReportSchema.extend({ head_from: headSourceSchema });
export type VerifyReport = Readonly<z.infer<typeof verifyReportSchema>>;

/** The last line of an exported log. If it is missing or names another end, lines were lost. */
export const exportEndSchema = z.object({
  end_of_log: z.object({
    intent_id: z.string(),
    last_sequence: z.int().min(0),
    head_hash: z.string().nullable(),
    head_from: headSourceSchema,
  }),
});
export type ExportEnd = z.infer<typeof exportEndSchema>;
