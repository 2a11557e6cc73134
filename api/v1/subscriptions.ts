import { z } from 'zod';
import type { FeedScope } from '../../contracts/subscription/feed.js';
import {
  newSubscriptionSchema,
  subscribeRequestSchema,
  subscriptionSchema,
} from '../../contracts/subscription/subscription.js';
import { QUESTION_FRAMES, eventFrames, sendFeed } from '../feed/stream.js';
import { jsonOf } from '../http/input.js';
import { feedStartSchema, subscriptionPageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import type { RouteCall } from '../http/route.js';
import { readerFor } from '../usecases/visibility.js';
import {
  subscribeToAgent,
  subscribeToAll,
  subscribeToIntent,
  subscribeToPortfolio,
  subscribeToRun,
  subscribeToSuspensions,
} from '../usecases/event/stream.js';
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
} from '../usecases/subscription/subscriptions.js';
import { PAGE } from './replies.js';
import { v1Route, type Route } from './route.js';

const STREAM = {
  query: feedStartSchema,
  headers: ['Last-Event-ID'],
  replies: {
    200: {
      description: 'A frame an event, in their order, until either side ends it.',
      body: z.string(),
      contentType: 'text/event-stream',
      headers: ['Holdpoint-Feed-Position'],
    },
  },
} as const;

interface Streamed {
  readonly call: RouteCall;
  readonly query: z.output<typeof feedStartSchema>;
  readonly headers: { readonly 'Last-Event-ID': number | undefined };
}

async function stream(
  { call, query, headers }: Streamed,
  scope: FeedScope,
  frames = eventFrames(call.caller, readerFor(call)),
): Promise<undefined> {
  const after = headers['Last-Event-ID'] ?? query.last_event_id;
  const { res, feed, longPolls } = call;
  const gone = longPolls.signalFor(res, 'streams');
  await sendFeed(feed, { res, frames, scope, after, gone });
}

/** The streams of events: of one intent or run, of all, of an agent, of a portfolio (RFC-0006). */
export const STREAM_ROUTES: readonly Route[] = [
  v1Route(subscribeToIntent, 'GET /intents/:intentId/subscribe', {
    ...STREAM,
    summary: 'Streams the events of an intent as they come',
    handle: async (input) => stream(input, await input.run(input.params.intentId)),
  }),
  v1Route(subscribeToRun, 'GET /runs/:runId/subscribe', {
    ...STREAM,
    summary: 'Streams the events of a run without an intent as they come; not for agents',
    handle: async (input) => stream(input, await input.run(input.params.runId)),
  }),
  v1Route(subscribeToAll, 'GET /subscribe', {
    ...STREAM,
    summary: 'Streams the events of all intents and runs as they come',
    handle: async (input) => stream(input, await input.run()),
  }),
  v1Route(subscribeToAgent, 'GET /agents/:agentId/subscribe', {
    ...STREAM,
    summary: 'Streams the events of the intents and runs of an agent',
    handle: async (input) => stream(input, await input.run(input.params.agentId)),
  }),
  v1Route(subscribeToPortfolio, 'GET /portfolios/:portfolioId/subscribe', {
    ...STREAM,
    summary: 'Streams the events of a portfolio and of its intents as they come',
    handle: async (input) => stream(input, await input.run(input.params.portfolioId)),
  }),
];

/** The stream behind an inbox. Its path also fits the routes of a question, so it comes before them. */
export const QUESTION_STREAM_ROUTES: readonly Route[] = [
  v1Route(subscribeToSuspensions, 'GET /suspensions/subscribe', {
    ...STREAM,
    summary: 'Streams which questions change, as they do; an agent sees its own',
    handle: async (input) => stream(input, await input.run(), QUESTION_FRAMES),
  }),
];

const SUBSCRIPTION = { description: 'The subscription.', body: subscriptionSchema } as const;

/** Webhooks to which events are posted (RFC-0006). */
export const SUBSCRIPTION_ROUTES: readonly Route[] = [
  v1Route(createSubscription, 'POST /subscriptions', {
    summary:
      'Has the events of an intent, a portfolio, or all intents and runs posted to a webhook',
    headers: ['Idempotency-Key'],
    body: jsonOf(subscribeRequestSchema),
    replies: {
      201: { description: 'The subscription, with its secret.', body: newSubscriptionSchema },
    },
    handle: async ({ run, headers, body }) =>
      reply(201, await run(body, headers['Idempotency-Key'])),
  }),
  v1Route(listSubscriptions, 'GET /subscriptions', {
    summary: 'Lists subscriptions, newest first; an agent sees its own',
    query: subscriptionPageSchema,
    replies: PAGE.declare('subscriptions', subscriptionSchema),
    handle: async ({ run, query }) => PAGE.reply('subscriptions', await run(query), query),
  }),
  v1Route(deleteSubscription, 'DELETE /subscriptions/:subscriptionId', {
    summary: 'Ends a subscription; for its creator, and admins',
    keyed: true,
    replies: { 200: SUBSCRIPTION },
    handle: async ({ run, params }) => reply(200, await run(params.subscriptionId)),
  }),
];
