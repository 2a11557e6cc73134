import { z } from 'zod';
import { COORDINATOR_EVENT_TYPES, EVENT_TYPES, PORTFOLIO_EVENT_TYPES } from './constants/events.js';
import { instantSchema, jsonObjectSchema, nameSchema } from './primitives.js';

/** `sha256:` and the digest in base64url without padding (RFC-0019 §1.2). */
export const eventHashSchema = z.string().regex(/^sha256:[\w-]{43}$/);

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
export type AppendEventRequest = z.output<typeof appendEventRequestSchema>;
