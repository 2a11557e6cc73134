import { zonelessInstantSchema } from '../../../contracts/primitives.js';
import { subscribeRequestSchema } from '../../../contracts/subscription.js';
import type { Subscription } from '../../../contracts/subscription.js';
import type { Gateway } from '../../gateway/types.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { naiveOrNull, naiveTime, zoned } from '../naive-time.js';
import { idSchema, optionalName, pageQuery } from '../schemas.js';

const subscribeSchema = subscribeRequestSchema.extend({
  intent_id: idSchema.optional(),
  portfolio_id: idSchema.optional(),
  subscriber_id: optionalName,
  expires_at: zonelessInstantSchema.transform(zoned).optional(),
});

/** A subscription as the SDK parses it: of its times it reads the names in camel case. */
function wireSubscription(subscription: Subscription) {
  const expires = naiveOrNull(subscription.expires_at);
  const created = naiveTime(subscription.created_at);
  return {
    ...subscription,
    ...{ created_at: created, createdAt: created, expires_at: expires, expiresAt: expires },
    ended_at: naiveOrNull(subscription.ended_at),
  };
}

/** Webhook subscriptions (§11). */
export function subscriptionRoutes(gateway: Gateway): readonly DoorRoute[] {
  return [
    doorRoute({
      ...{ method: 'post', path: '/subscriptions', access: 'any', body: subscribeSchema },
      async handle({ req, body: { subscriber_id, ...request } }) {
        const named = { ...request, ...(subscriber_id && { subscriber_id }) };
        return wireSubscription(await gateway.subscribe(doorCaller(req), named));
      },
    }),
    doorRoute({
      ...{ method: 'get', path: '/subscriptions', access: 'any' },
      query: pageQuery.extend({
        intent_id: idSchema.optional(),
        portfolio_id: idSchema.optional(),
      }),
      async handle({ req, query }) {
        const { value: subscriptions } = await gateway.listSubscriptions(doorCaller(req), query);
        return { subscriptions: subscriptions.map(wireSubscription) };
      },
    }),
    doorRoute({
      ...{ method: 'delete', path: '/subscriptions/:subscriptionId', access: 'any' },
      async handle({ req, id }) {
        await gateway.unsubscribe(doorCaller(req), id('subscriptionId'));
        return { message: 'Subscription removed' };
      },
    }),
  ];
}
