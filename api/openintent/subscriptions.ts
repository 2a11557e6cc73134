import type { Request, Response } from 'express';
import type { FeedScope } from '../../contracts/feed.js';
import { zonelessInstantSchema } from '../../contracts/primitives.js';
import { subscribeRequestSchema } from '../../contracts/subscription.js';
import type { Subscription } from '../../contracts/subscription.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { refusalOf } from '../errors.js';
import { sendFeed } from '../feed/stream.js';
import type { Gateway } from '../gateway/types.js';
import type { LongPolls } from '../http/long-polls.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { idSchema, optionalName, pageQuery } from './schemas.js';
import { sdkFrames } from './sdk-frames.js';
import { naiveOrNull, naiveTime, withZone } from './wire.js';

const POSITION = /^\d{1,15}$/;

interface Deps {
  readonly gateway: Pick<Gateway, 'getIntent' | 'getPortfolio'>;
  readonly feed: FeedHub;
  readonly longPolls: LongPolls;
}

/**
 * The streams that the SDK opens (§1), over the same feed as those of `/v1`. It asks again at once and for
 * ever after any refusal, so that an id this feed cannot have given is taken for none.
 */
export function streamRoutes({ gateway, feed, longPolls }: Deps): readonly OpenIntentRoute[] {
  async function stream(req: Request, res: Response, scope: FeedScope): Promise<undefined> {
    const lastId = req.get('Last-Event-ID') ?? '';
    const after = POSITION.test(lastId) ? Number(lastId) : undefined;
    const gone = longPolls.signalFor(res);
    const subscription = { res, frames: sdkFrames(openIntentCaller(req), scope), scope, gone };
    try {
      await sendFeed(feed, { ...subscription, after });
    } catch (error) {
      if (refusalOf(error)?.code !== 'invalid_request' || after === undefined) throw error;
      await sendFeed(feed, { ...subscription, after: undefined });
    }
    return undefined;
  }

  return [
    openIntentRoute({
      method: 'get',
      path: '/agents/:agentId/subscribe',
      access: 'any',
      handle: ({ req, res }) =>
        stream(req, res, { kind: 'agent', id: String(req.params['agentId']) }),
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId/subscribe',
      access: 'any',
      async handle({ req, res, id }) {
        await gateway.getIntent(id('intentId'));
        return stream(req, res, { kind: 'intent', id: id('intentId') });
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/portfolios/:portfolioId/subscribe',
      access: 'any',
      async handle({ req, res, id }) {
        await gateway.getPortfolio(id('portfolioId'));
        return stream(req, res, { kind: 'portfolio', id: id('portfolioId') });
      },
    }),
  ];
}

const subscribeSchema = subscribeRequestSchema.extend({
  intent_id: idSchema.optional(),
  portfolio_id: idSchema.optional(),
  subscriber_id: optionalName,
  expires_at: zonelessInstantSchema.transform(withZone).optional(),
});

/** A subscription as the SDK parses it: of its times it reads the names in camel case. */
function wireSubscription(subscription: Subscription) {
  const expires = naiveOrNull(subscription.expires_at);
  const created = naiveTime(subscription.created_at);
  return {
    ...subscription,
    created_at: created,
    createdAt: created,
    expires_at: expires,
    expiresAt: expires,
    ended_at: naiveOrNull(subscription.ended_at),
  };
}

/** Webhook subscriptions (§11). */
export function subscriptionRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'post',
      path: '/subscriptions',
      access: 'any',
      body: subscribeSchema,
      async handle({ req, body: { subscriber_id, ...request } }) {
        const named = { ...request, ...(subscriber_id && { subscriber_id }) };
        return wireSubscription(await gateway.subscribe(openIntentCaller(req), named));
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/subscriptions',
      access: 'any',
      query: pageQuery.extend({
        intent_id: idSchema.optional(),
        portfolio_id: idSchema.optional(),
      }),
      async handle({ req, query }) {
        const { value: subscriptions } = await gateway.listSubscriptions(
          openIntentCaller(req),
          query,
        );
        return { subscriptions: subscriptions.map(wireSubscription) };
      },
    }),
    openIntentRoute({
      method: 'delete',
      path: '/subscriptions/:subscriptionId',
      access: 'any',
      async handle({ req, id }) {
        await gateway.unsubscribe(openIntentCaller(req), id('subscriptionId'));
        return { message: 'Subscription removed' };
      },
    }),
  ];
}
