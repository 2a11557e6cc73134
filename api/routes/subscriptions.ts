import { z } from 'zod';
import { subscribeRequestSchema, subscriptionSchema } from '../../contracts/subscription.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { subscriptionPageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { staleness } from '../http/staleness.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

const subscriptionListSchema = z.object({ subscriptions: z.array(subscriptionSchema).readonly() });

const SUBSCRIPTION = {
  description: 'The subscription.',
  body: subscriptionSchema,
  example: EXAMPLES.subscription,
};

/** `POST`, `GET` and `DELETE /subscriptions`: events posted to a webhook (RFC-0006). */
export function subscriptionRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'post', path: '/subscriptions', id: 'createSubscription', access: 'any' },
      summary: 'Has the events of an intent, a portfolio or all intents posted to a webhook',
      body: jsonOf(subscribeRequestSchema, EXAMPLES.subscribe),
      replies: { 201: SUBSCRIPTION },
      errors: [
        ...(['intent_not_found', 'portfolio_not_found', 'webhooks_not_configured'] as const),
        ...(['deadline_in_past', 'workflow_unavailable', 'store_unavailable'] as const),
      ],
      async handle({ req, body }) {
        return reply(201, await gateway.subscribe(callerOf(req), body));
      },
    }),
    defineRoute({
      ...{ method: 'get', path: '/subscriptions', id: 'listSubscriptions', access: 'any' },
      summary: 'Lists subscriptions, newest first; an agent sees its own',
      query: subscriptionPageSchema,
      replies: {
        200: {
          ...{ description: 'A page of subscriptions.', body: subscriptionListSchema },
          ...{ example: { subscriptions: [EXAMPLES.subscription] }, headers: ['Holdpoint-Stale'] },
        },
      },
      errors: ['store_unavailable'],
      async handle({ req, query }) {
        const read = await gateway.listSubscriptions(callerOf(req), query);
        return reply(200, { subscriptions: read.value }, staleness(read));
      },
    }),
    defineRoute({
      ...{ method: 'delete', path: '/subscriptions/:subscriptionId', id: 'deleteSubscription' },
      access: 'any',
      summary: 'Ends a subscription; for who created it, and admins',
      replies: { 200: SUBSCRIPTION },
      errors: ['forbidden', 'workflow_unavailable', 'store_unavailable'],
      async handle({ req, params }) {
        return reply(200, await gateway.unsubscribe(callerOf(req), params.subscriptionId));
      },
    }),
  ];
}
