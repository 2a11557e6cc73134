import type { Request, Response } from 'express';
import type { FeedHub } from '../../../store/feed/hub.js';
import type { FeedScope } from '../../../store/queries/feed.js';
import { refusalOf } from '../../errors.js';
import { sendFeed } from '../../feed/stream.js';
import type { Gateway } from '../../gateway/types.js';
import type { LongPolls } from '../../long-polls.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { sdkFrames } from '../sdk-frames.js';

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
export function subscribeRoutes({ gateway, feed, longPolls }: Deps): readonly DoorRoute[] {
  async function stream(req: Request, res: Response, scope: FeedScope): Promise<undefined> {
    const lastId = req.get('Last-Event-ID') ?? '';
    const after = POSITION.test(lastId) ? Number(lastId) : undefined;
    const gone = longPolls.signalFor(res);
    const subscription = { res, frames: sdkFrames(doorCaller(req), scope), scope, gone };
    try {
      await sendFeed(feed, { ...subscription, after });
    } catch (error) {
      if (refusalOf(error)?.code !== 'invalid_request' || after === undefined) throw error;
      await sendFeed(feed, { ...subscription, after: undefined });
    }
    return undefined;
  }

  return [
    doorRoute({
      ...{ method: 'get', path: '/agents/:agentId/subscribe', access: 'any' },
      handle: ({ req, res }) =>
        stream(req, res, { kind: 'agent', id: String(req.params['agentId']) }),
    }),
    doorRoute({
      ...{ method: 'get', path: '/intents/:intentId/subscribe', access: 'any' },
      async handle({ req, res, id }) {
        await gateway.getIntent(id('intentId'));
        return stream(req, res, { kind: 'intent', id: id('intentId') });
      },
    }),
    doorRoute({
      ...{ method: 'get', path: '/portfolios/:portfolioId/subscribe', access: 'any' },
      async handle({ req, res, id }) {
        await gateway.getPortfolio(id('portfolioId'));
        return stream(req, res, { kind: 'portfolio', id: id('portfolioId') });
      },
    }),
  ];
}
