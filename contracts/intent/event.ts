import { z } from 'zod';
import {
  COORDINATOR_EVENT_TYPES,
  EVENT_TYPES,
  PORTFOLIO_EVENT_TYPES,
} from '../constants/events.js';
import { LIMITS } from '../constants/limits.js';
import { boundedText, instantSchema, jsonObjectSchema, nameSchema } from '../kernel/primitives.js';

/** `sha256:` and the digest in base64url without padding (RFC-0019 §1.2). */
export const eventHashSchema = boundedText(50).regex(/^sha256:[\w-]{43}$/);

const TRACE_CHARACTERS = LIMITS.nameCharacters;

/** The origin of an event, as the client states it. The server does not check it. */
const tracing = {
  trace_id: z.exactOptional(boundedText(TRACE_CHARACTERS).min(1)),
  parent_event_id: z.exactOptional(boundedText(TRACE_CHARACTERS).min(1)),
};
export interface Tracing {
  readonly trace_id?: string;
  readonly parent_event_id?: string;
}

/**
 * One event in the log of an intent. `sequence` starts at 1 and has no gaps. `event_hash` covers the other fields and
 * the hash of the event before, null for the first (RFC-0019 §1). It covers a commitment instead of the payload, so
 * that the payload can be erased. The id is derived from the hash.
 */
export const intentEventSchema = z
  .object({
    id: z.uuid(),
    intent_id: z.uuid(),
    sequence: z.int().min(1),
    event_type: z.string(),
    actor: z.string().describe('Who acts, as the sender of the write claims it.'),
    principal: z.string().describe('Whose key made the write; `holdpoint` if the server did.'),
    claimed: z
      .exactOptional(z.literal(true))
      .describe('A client posted the event by itself: it proves nothing and decides nothing.'),
    payload: jsonObjectSchema,
    payload_commitment: eventHashSchema.describe(
      'SHA-256 over the canonical JSON of `{"payload": …, "salt": …}`. The hash of the event covers it.',
    ),
    payload_salt: z
      .exactOptional(boundedText(43).regex(/^[\w-]{43}$/))
      .describe(
        'Proves the payload against its commitment. Absent where the whole payload is not shown.',
      ),
    erased: z
      .exactOptional(z.literal(true))
      .describe('The payload was erased, with its salt, and is shown as `{}`.'),
    created_at: instantSchema,
    previous_event_hash: eventHashSchema.nullable(),
    event_hash: eventHashSchema,
    ...tracing,
  })
  .meta({ id: 'IntentEvent' });
export type IntentEvent = z.infer<typeof intentEventSchema>;

const RESERVED: readonly string[] = [
  ...EVENT_TYPES,
  ...PORTFOLIO_EVENT_TYPES,
  ...COORDINATOR_EVENT_TYPES,
];

/**
 * Body of `POST /v1/intents/{id}/events`. Types that the server writes are refused, so nobody can forge a suspension.
 */
export const appendEventRequestSchema = z
  .object({
    event_type: nameSchema
      .refine((type) => !RESERVED.includes(type), {
        params: { accepted: 'an event type that the server does not write itself' },
      })
      .meta({ not: { enum: RESERVED } }),
    payload: jsonObjectSchema.default({}),
    ...tracing,
  })
  .meta({ id: 'AppendEventRequest' });

/** The end of a log: sequence and hash of its newest event. The sequence of an empty log is 0. */
export interface ChainHead {
  readonly sequence: number;
  /** Undefined if only the sequence is known. */
  readonly event_hash?: string | null | undefined;
}

const chainBreakSchema = z.object({
  sequence: z.int(),
  kind: z
    .enum(['changed', 'missing', 'unexpected', 'out_of_order', 'unlinked', 'removed', 'refused'])
    .describe(
      '`changed`: the content differs from what was hashed. `missing`: the event is not there. `unexpected`: it does not belong there. `out_of_order`: it comes after a later one. `unlinked`: it names another event before it. `removed`: its payload is gone, and no later event says that it was erased. `refused`: the store would not take a row about the intent, and set it aside; `sequence` is 0 if the row is no event.',
    ),
  detail: z.string(),
});

export type ChainBreak = Readonly<z.infer<typeof chainBreakSchema>>;
export type ChainBreakKind = ChainBreak['kind'];

/** The source with which the end of a log was compared: the intent's workflow, or the store's own note. */
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
  erased_count: z
    .int()
    .describe(
      'Events without a payload. Those before an event `personal_data_erased` that covers them break nothing.',
    ),
  erased: z.array(z.int()).readonly().describe('The first hundred of these events.'),
});
export type ChainReport = Readonly<z.infer<typeof chainReportSchema>>;

/** Reply of `GET /v1/intents/{id}/events/verify` (RFC-0019 §6.1). */
export const verifyReportSchema = chainReportSchema.extend({ head_from: headSourceSchema });
export type VerifyReport = Readonly<z.infer<typeof verifyReportSchema>>;

/** Reply of `GET /v1/suspensions/{id}/timeline/verify`. */
export const timelineReportSchema = verifyReportSchema.omit({ intent_id: true }).extend({
  suspension_id: z.string(),
  erasure: z
    .exactOptional(z.object({ erased_at: instantSchema, erased_by: z.string() }))
    .describe('Who erased the details that are gone, and when, as the store has it.'),
});
export type TimelineReport = Readonly<z.infer<typeof timelineReportSchema>>;

/** The last line of an exported log. If it is missing or names another end, lines were lost. */
export const exportEndSchema = z.object({
  end_of_log: z.object({
    intent_id: z.exactOptional(z.string()),
    /** The id of the suspension, if the log is a timeline. */
    suspension_id: z.exactOptional(z.string()),
    last_sequence: z.int().min(0),
    head_hash: z.string().nullable(),
    head_from: headSourceSchema,
    /** The rows of this log that the store refused and set aside. Absent if there are none. */
    refused: z.exactOptional(z.array(chainBreakSchema).readonly()),
  }),
});
export type ExportEnd = z.infer<typeof exportEndSchema>;

/** One event in the log of an agent's run, chained like an intent's event, with `run_id` instead of the intent. */
export const runEventSchema = intentEventSchema
  .omit({ intent_id: true, claimed: true, trace_id: true, parent_event_id: true })
  .extend({ run_id: nameSchema });
export type RunEvent = z.infer<typeof runEventSchema>;

/** Reply of `GET /v1/runs/{run_id}/events/verify`. */
export const runReportSchema = verifyReportSchema.omit({ intent_id: true }).extend({
  run_id: nameSchema,
});
export type RunReport = Readonly<z.infer<typeof runReportSchema>>;
