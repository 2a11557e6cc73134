import { zonelessInstantSchema } from '../../contracts/primitives.js';
import { subscribeRequestSchema } from '../../contracts/subscription.js';
import type { Subscription } from '../../contracts/subscription.js';
import type { FeedScope } from '../../contracts/feed.js';
import { refusalOf } from '../errors.js';
import { sendFeed } from '../feed/stream.js';
import type { Binding, RouteCall } from '../http/route.js';
import { readerFor } from '../operations/visibility.js';
import { STREAMS, SUBSCRIPTIONS } from '../operations/event.js';
import { entriesOf, openIntentRoute } from './route.js';
import { idSchema, optionalName, pageQuery } from './schemas.js';
import { sdkFrames } from './sdk-frames.js';
import { withNaiveTimes, withZone } from './wire.js';

const POSITION = /^\d{1,15}$/;

/**
 * Sends what the SDK reads of the feed. After any refusal the SDK asks again at once and for ever, so an id
 * that this feed cannot have sent counts as none.
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
  openIntentRoute(STREAMS.subscribeToAgent, {
    method: 'get',
    path: '/agents/:agent/subscribe',
    handle: async ({ run, call, id }) => stream(call, await run(id('agent'))),
  }),
  openIntentRoute(STREAMS.subscribeToIntent, {
    method: 'get',
    path: '/intents/:intentId/subscribe',
    handle: async ({ run, call, id }) => stream(call, await run(id('intentId'))),
  }),
  openIntentRoute(STREAMS.subscribeToPortfolio, {
    method: 'get',
    path: '/portfolios/:portfolioId/subscribe',
    handle: async ({ run, call, id }) => stream(call, await run(id('portfolioId'))),
  }),
];

const subscribeSchema = subscribeRequestSchema.extend({
  intent_id: idSchema.optional(),
  portfolio_id: idSchema.optional(),
  subscriber_id: optionalName,
  expires_at: zonelessInstantSchema.transform(withZone).optional(),
});

/** A subscription as the SDK parses it: of its times it reads the names in camel case. */
function wireSubscription<T extends Subscription>(subscription: T) {
  const shown = withNaiveTimes(subscription, ['created_at', 'expires_at', 'ended_at']);
  return { ...shown, createdAt: shown.created_at, expiresAt: shown.expires_at };
}

/** Webhook subscriptions. */
export const SUBSCRIPTION_ROUTES: readonly Binding[] = [
  openIntentRoute(SUBSCRIPTIONS.createSubscription, {
    method: 'post',
    path: '/subscriptions',
    body: subscribeSchema,
    handle: async ({ run, body: { subscriber_id, ...request } }) =>
      wireSubscription(await run({ ...request, ...(subscriber_id && { subscriber_id }) })),
  }),
  openIntentRoute(SUBSCRIPTIONS.listSubscriptions, {
    method: 'get',
    path: '/subscriptions',
    query: pageQuery.extend({
      intent_id: idSchema.optional(),
      portfolio_id: idSchema.optional(),
    }),
    handle: async ({ run, query }) => ({
      subscriptions: entriesOf(await run(query), query).map(wireSubscription),
    }),
  }),
  openIntentRoute(SUBSCRIPTIONS.deleteSubscription, {
    method: 'delete',
    path: '/subscriptions/:subscriptionId',
    async handle({ run, id }) {
      await run(id('subscriptionId'));
      return { message: 'Subscription removed' };
    },
  }),
];
