import type { Request, Response } from 'express';
import { z } from 'zod';
import type { FeedScope } from '../../store/queries/feed.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { eventFrames } from '../feed/frames.js';
import { sendFeed } from '../feed/stream.js';
import type { Gateway } from '../gateway/types.js';
import { feedStartSchema } from '../http/queries.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import type { LongPolls } from '../long-polls.js';
import { callerOf } from '../middleware/authenticate.js';
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
export interface SubscribeDeps {
  readonly gateway: Pick<Gateway, 'getIntent' | 'getPortfolio'>;
  readonly feed: FeedHub;
  readonly longPolls: LongPolls;
}

/** The streams of events: of one intent, of all, of an agent's intents, of a portfolio's (RFC-0006). */
export function subscribeRoutes({ gateway, feed, longPolls }: SubscribeDeps): readonly Route[] {
  async function stream({ req, res, query, headers }: Streamed, scope: FeedScope) {
    const after = headers['Last-Event-ID'] ?? query.last_event_id;
    const gone = longPolls.signalFor(res);
    await sendFeed(feed, { res, frames: eventFrames(callerOf(req)), scope, after, gone });
    return undefined;
  }

  return [
    defineRoute({
      ...{ method: 'get', path: '/intents/:intentId/subscribe', id: 'subscribeToIntent' },
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
      ...{ method: 'get', path: '/subscribe', id: 'subscribeToAll' },
      summary: 'Streams the events of all intents as they come',
      ...STREAM,
      errors: ['store_unavailable'],
      handle: (input) => stream(input, { kind: 'all' }),
    }),
    defineRoute({
      ...{ method: 'get', path: '/agents/:agentId/subscribe', id: 'subscribeToAgent' },
      summary: 'Streams the events of the intents that an agent created or has to do with',
      ...STREAM,
      errors: ['store_unavailable'],
      handle: (input) => stream(input, { kind: 'agent', id: input.params.agentId }),
    }),
    defineRoute({
      ...{ method: 'get', path: '/portfolios/:portfolioId/subscribe', id: 'subscribeToPortfolio' },
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
