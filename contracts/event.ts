import { z } from 'zod';
import { EVENT_TYPES } from './constants/events.js';
import { instantSchema, jsonObjectSchema, nameSchema } from './primitives.js';

/** One entry of an intent's append-only log; `sequence` starts at 1 and has no gaps. */
export const intentEventSchema = z.object({
  id: z.uuid(),
  intent_id: z.uuid(),
  sequence: z.int().min(1),
  event_type: z.string(),
  actor: z.string(),
  payload: jsonObjectSchema,
  created_at: instantSchema,
});
export type IntentEvent = z.infer<typeof intentEventSchema>;

/**
 * Body of `POST /v1/intents/{id}/events`. The types that the server itself writes are refused, so
 * that nobody can forge a suspension's history.
 */
export const appendEventRequestSchema = z.object({
  event_type: nameSchema
    .refine((type) => !(EVENT_TYPES as readonly string[]).includes(type), {
      params: { accepted: 'an event type that the server does not write itself' },
    })
    .meta({ not: { enum: EVENT_TYPES } }),
  payload: jsonObjectSchema.default({}),
});
export type AppendEventRequest = z.output<typeof appendEventRequestSchema>;
