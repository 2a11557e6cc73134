import type { Request, Response } from 'express';
import { z } from 'zod';
import type { FeedScope } from '../../contracts/feed.js';
import { subscribeRequestSchema, subscriptionSchema } from '../../contracts/subscription.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { eventFrames } from '../feed/frames.js';
import { sendFeed } from '../feed/stream.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import type { LongPolls } from '../http/long-polls.js';
import { feedStartSchema, subscriptionPageSchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { EXAMPLES } from '../openapi/examples.js';

const STREAM = {
  access: 'any',
  query: feedStartSchema,
  headers: ['Last-Event-ID'],
  replies: {
    200: {
      description: 'A frame an event, in their order, until either side ends it.',
      body: z.string(),
      contentType: 'text/event-stream',
      example: EXAMPLES.streamed,
      headers: ['Holdpoint-Feed-Position'],
    },
  },
} as const;

interface Streamed {
  readonly req: Request;
  readonly res: Response;
  readonly query: z.output<typeof feedStartSchema>;
  readonly headers: { readonly 'Last-Event-ID': number | undefined };
}

/** What the streams need. */
export interface StreamDeps {
  readonly gateway: Pick<Gateway, 'getIntent' | 'getPortfolio'>;
  readonly feed: FeedHub;
  readonly longPolls: LongPolls;
}

/** The streams of events: of one intent, of all, of an agent's intents, of a portfolio's (RFC-0006). */
export function streamRoutes({ gateway, feed, longPolls }: StreamDeps): readonly Route[] {
  async function stream({ req, res, query, headers }: Streamed, scope: FeedScope) {
    const after = headers['Last-Event-ID'] ?? query.last_event_id;
    const gone = longPolls.signalFor(res);
    await sendFeed(feed, { res, frames: eventFrames(callerOf(req)), scope, after, gone });
    return undefined;
  }

  return [
    defineRoute({
      method: 'get',
      path: '/intents/:intentId/subscribe',
      id: 'subscribeToIntent',
      summary: 'Streams the events of an intent as they come',
      ...STREAM,
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle(input) {
        const { intentId } = input.params;
        await gateway.getIntent(intentId);
        return stream(input, { kind: 'intent', id: intentId });
      },
    }),
    defineRoute({
      method: 'get',
      path: '/subscribe',
      id: 'subscribeToAll',
      summary: 'Streams the events of all intents as they come',
      ...STREAM,
      errors: ['store_unavailable'],
      handle: (input) => stream(input, { kind: 'all' }),
    }),
    defineRoute({
      method: 'get',
      path: '/agents/:agentId/subscribe',
      id: 'subscribeToAgent',
      summary: 'Streams the events of the intents that an agent created or has to do with',
      ...STREAM,
      errors: ['store_unavailable'],
      handle: (input) => stream(input, { kind: 'agent', id: input.params.agentId }),
    }),
    defineRoute({
      method: 'get',
      path: '/portfolios/:portfolioId/subscribe',
      id: 'subscribeToPortfolio',
      summary: 'Streams the events of a portfolio and of its intents as they come',
      ...STREAM,
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle(input) {
        const { portfolioId } = input.params;
        await gateway.getPortfolio(portfolioId);
        return stream(input, { kind: 'portfolio', id: portfolioId });
      },
    }),
  ];
}

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
      method: 'post',
      path: '/subscriptions',
      id: 'createSubscription',
      access: 'any',
      summary: 'Has the events of an intent, a portfolio or all intents posted to a webhook',
      body: jsonOf(subscribeRequestSchema, EXAMPLES.subscribe),
      replies: { 201: SUBSCRIPTION },
      errors: [
        'intent_not_found',
        'portfolio_not_found',
        'webhooks_not_configured',
        'deadline_in_past',
        'workflow_unavailable',
        'store_unavailable',
      ],
      async handle({ req, body }) {
        return reply(201, await gateway.subscribe(callerOf(req), body));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/subscriptions',
      id: 'listSubscriptions',
      access: 'any',
      summary: 'Lists subscriptions, newest first; an agent sees its own',
      query: subscriptionPageSchema,
      replies: {
        200: {
          description: 'A page of subscriptions.',
          body: subscriptionListSchema,
          example: { subscriptions: [EXAMPLES.subscription] },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: ['store_unavailable'],
      async handle({ req, query }) {
        const read = await gateway.listSubscriptions(callerOf(req), query);
        return reply(200, { subscriptions: read.value }, staleness(read));
      },
    }),
    defineRoute({
      method: 'delete',
      path: '/subscriptions/:subscriptionId',
      id: 'deleteSubscription',
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
