import { defined } from '../../contracts/constants/defined.js';
import { zonelessInstantSchema } from '../../contracts/kernel/primitives.js';
import { subscribeRequestSchema } from '../../contracts/subscription/subscription.js';
import type { Subscription } from '../../contracts/subscription/subscription.js';
import type { FeedScope } from '../../contracts/subscription/feed.js';
import { refusalOf } from '../errors.js';
import { sendFeed } from '../feed/stream.js';
import type { Binding, RouteCall } from '../http/route.js';
import { readerFor } from '../usecases/visibility.js';
import {
  subscribeToAgent,
  subscribeToIntent,
  subscribeToPortfolio,
} from '../usecases/event/stream.js';
import { createSubscription } from '../usecases/subscription/subscribe.js';
import { deleteSubscription, listSubscriptions } from '../usecases/subscription/manage.js';
import { entriesOf, openIntentRoute } from './route.js';
import { idSchema, optionalName, pageQuery } from './schemas.js';
import { sdkFrames } from './sdk-frames.js';
import { withNaiveTimes, withZone } from './wire.js';

const POSITION = /^\d{1,15}$/;

/**
 * Sends the feed as the SDK reads it. After a refusal the SDK asks again at once and for ever, so an id that this feed cannot
 * have sent is ignored.
 */
async function stream(call: RouteCall, scope: FeedScope) {
  const { req, res, caller, feed, longPolls } = call;
  const lastId = req.get('Last-Event-ID') ?? '';
  const after = POSITION.test(lastId) ? Number(lastId) : undefined;
  const gone = longPolls.signalFor(res, 'streams');
  const subscription = { res, frames: sdkFrames(caller, readerFor(call), scope), scope, gone };
  try {
    await sendFeed(feed, { ...subscription, after });
  } catch (error) {
    if (refusalOf(error)?.code !== 'invalid_request' || after === undefined) throw error;
    await sendFeed(feed, { ...subscription, after: undefined });
  }
}

/** The streams that the SDK opens, over the same feed as those of `/v1`. */
export const STREAM_ROUTES: readonly Binding[] = [
  openIntentRoute(subscribeToAgent, 'GET /agents/:agent/subscribe', {
    handle: async ({ run, call, id }) => stream(call, await run(id('agent'))),
  }),
  openIntentRoute(subscribeToIntent, 'GET /intents/:intentId/subscribe', {
    handle: async ({ run, call, id }) => stream(call, await run(id('intentId'))),
  }),
  openIntentRoute(subscribeToPortfolio, 'GET /portfolios/:portfolioId/subscribe', {
    handle: async ({ run, call, id }) => stream(call, await run(id('portfolioId'))),
  }),
];

const subscribeSchema = subscribeRequestSchema.extend({
  intent_id: idSchema.optional(),
  portfolio_id: idSchema.optional(),
  subscriber_id: optionalName,
  expires_at: zonelessInstantSchema.transform(withZone).optional(),
});

/** Returns a subscription as the SDK parses it: it reads the times under names in camel case. */
function wireSubscription<T extends Subscription>(subscription: T) {
  const shown = withNaiveTimes(subscription, ['created_at', 'expires_at', 'ended_at']);
  return { ...shown, createdAt: shown.created_at, expiresAt: shown.expires_at };
}

/** Webhook subscriptions. */
export const SUBSCRIPTION_ROUTES: readonly Binding[] = [
  openIntentRoute(createSubscription, 'POST /subscriptions', {
    body: subscribeSchema,
    handle: async ({ run, body: { subscriber_id, ...request } }) =>
      wireSubscription(await run(defined({ ...request, subscriber_id }))),
  }),
  openIntentRoute(listSubscriptions, 'GET /subscriptions', {
    query: pageQuery.extend({
      intent_id: idSchema.optional(),
      portfolio_id: idSchema.optional(),
    }),
    handle: async ({ run, query }) => ({
      subscriptions: entriesOf(await run(query), query).map(wireSubscription),
    }),
  }),
  openIntentRoute(deleteSubscription, 'DELETE /subscriptions/:subscriptionId', {
    async handle({ run, id }) {
      await run(id('subscriptionId'));
      return { message: 'Subscription removed' };
    },
  }),
];
