import { z } from 'zod';
import type { Reader } from '../intent/access.js';
import { SUBSCRIPTION_ENDS } from '../constants/statuses.js';
import { LIMITS } from '../constants/limits.js';
import { boundedText, instantSchema, nameSchema } from '../kernel/primitives.js';

/** A webhook subscription to the events of one intent, of one portfolio or of all intents (RFC-0006). */
export const subscriptionSchema = z
  .object({
    id: z.uuid(),
    intent_id: z.uuid().nullable(),
    portfolio_id: z.uuid().nullable(),
    subscriber_id: z.string(),
    event_types: z.array(z.string()).readonly().describe('The types to deliver; empty for all.'),
    webhook_url: z.string(),
    active: z.boolean(),
    expires_at: instantSchema.nullable(),
    created_by: z.string(),
    created_at: instantSchema,
    ended_at: instantSchema.nullable(),
    end_reason: z.enum(SUBSCRIPTION_ENDS).nullable(),
    withheld_at: z
      .exactOptional(instantSchema)
      .describe(
        'When an event was last withheld, to the minute: the principal that made the subscription may no longer see it, or can no longer sign in.',
      ),
  })
  .meta({ id: 'Subscription' });
export type Subscription = Readonly<z.infer<typeof subscriptionSchema>>;

/** The reply that creates a subscription. No other reply contains its secret. */
export const newSubscriptionSchema = subscriptionSchema.extend({
  secret: z
    .string()
    .describe('Verifies what is posted (Standard Webhooks). It is not shown again.'),
});
export type NewSubscription = Readonly<z.infer<typeof newSubscriptionSchema>>;

const webhookUrlSchema = boundedText(2_000)
  .refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:', {
    params: { accepted: 'an https:// URL' },
  })
  .meta({ format: 'uri', pattern: '^https://' });

const idGiven = { type: 'string' };

/** Body of `POST /v1/subscriptions`. An intent and a portfolio together are refused; null means neither. */
export const subscribeRequestSchema = z
  .object({
    intent_id: z.uuid().optional(),
    portfolio_id: z.uuid().optional(),
    subscriber_id: nameSchema.optional(),
    event_types: z.array(nameSchema).max(LIMITS.eventTypes).readonly().default([]),
    webhook_url: webhookUrlSchema,
    expires_at: instantSchema.optional(),
  })
  .meta({
    not: {
      required: ['intent_id', 'portfolio_id'],
      properties: { intent_id: idGiven, portfolio_id: idGiven },
    },
  })
  .meta({ id: 'SubscribeRequest' });
export type SubscribeRequest = z.output<typeof subscribeRequestSchema>;

/** The rights of a principal to see events. */
export interface Sight {
  /** Whether everything of every event is visible: the ids of all questions, and the logs of runs. */
  readonly sees_all: boolean;
  /** The principal whose view access lists restrict, if they do. */
  readonly reader?: Reader;
}

/** Filters subscriptions; an absent field matches every subscription. */
export interface SubscriptionFilter {
  readonly intent_id?: string | undefined;
  readonly portfolio_id?: string | undefined;
  readonly created_by?: string | undefined;
}
