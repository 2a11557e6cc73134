import type { IntentEvent } from '../../contracts/event.js';
import { COORDINATOR_DECISION } from '../../domain/coordinator/coordinator.js';
import type { FeedScope } from '../../contracts/feed.js';
import { RefusalError } from '../errors.js';
import { mayAnswer } from '../gateway/caller.js';
import type { Page, Read } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import { READ, WRITE, asCaller, forAnyone, operations } from './operation.js';
import { eventsFor, seesQuestionsOf } from './visibility.js';

type EventPage = Parameters<Gateway['listEvents']>[1];

/** A log with shortened ids would not verify. */
function exportForbidden(): RefusalError {
  return new RefusalError({
    code: 'forbidden',
    detail:
      'An exported log holds everything: it is for operators and for the agent of its intent.',
    accepted: 'role operator or admin, or the key that created the intent',
  });
}

/** The logs of intents and portfolios. */
export const EVENTS = operations({
  listEvents: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    async run(call, intentId: string, page: EventPage) {
      const read = await call.gateway.listEvents(intentId, page);
      return eventsFor(await seesQuestionsOf(call, intentId), read);
    },
  },
  appendEvent: {
    resource: 'intent',
    access: 'agent',
    refusals: ['intent_closed', ...WRITE],
    run: asCaller('appendEvent'),
  },
  /** Computed over the log as it was recorded. */
  verifyEvents: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: forAnyone('verifyEvents'),
  },
  /** The log as it was recorded, and so only for those who may read all of it. */
  exportEvents: {
    resource: 'intent',
    access: 'any',
    refusals: ['forbidden', ...READ],
    async run(call, intentId: string) {
      if (!(await seesQuestionsOf(call, intentId))) throw exportForbidden();
      return call.gateway.exportEvents(intentId);
    },
  },
  listPortfolioEvents: {
    resource: 'portfolio',
    access: 'any',
    refusals: READ,
    run: async ({ gateway, caller }, portfolioId: string, page: EventPage) =>
      eventsFor(mayAnswer(caller), await gateway.listPortfolioEvents(portfolioId, page)),
  },
  listCoordinatorDecisions: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: ({ gateway }, intentId: string, page: Page): Promise<Read<readonly IntentEvent[]>> =>
      gateway.listEvents(intentId, { ...page, event_types: [COORDINATOR_DECISION] }),
  },
});

/** Streams of events as they come; each results in what of the feed is sent. */
export const STREAMS = operations({
  subscribeToIntent: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    async run({ gateway }, intentId: string): Promise<FeedScope> {
      await gateway.getIntent(intentId);
      return { kind: 'intent', id: intentId };
    },
  },
  subscribeToAll: {
    resource: 'server',
    access: 'any',
    refusals: ['store_unavailable'],
    run: async (): Promise<FeedScope> => ({ kind: 'all' }),
  },
  /** Those of the intents that an agent created or has to do with. */
  subscribeToAgent: {
    resource: 'agent',
    access: 'any',
    refusals: ['store_unavailable'],
    run: async (_call, agentId: string): Promise<FeedScope> => ({ kind: 'agent', id: agentId }),
  },
  /** Those of the portfolio and of its intents. */
  subscribeToPortfolio: {
    resource: 'portfolio',
    access: 'any',
    refusals: READ,
    async run({ gateway }, portfolioId: string): Promise<FeedScope> {
      await gateway.getPortfolio(portfolioId);
      return { kind: 'portfolio', id: portfolioId };
    },
  },
});

/** Webhooks to which events are posted. */
export const SUBSCRIPTIONS = operations({
  createSubscription: {
    resource: 'subscription',
    access: 'any',
    refusals: [
      'intent_not_found',
      'portfolio_not_found',
      'webhooks_not_configured',
      'deadline_in_past',
      ...READ,
    ],
    run: asCaller('subscribe'),
  },
  listSubscriptions: {
    resource: 'subscription',
    access: 'any',
    refusals: ['store_unavailable'],
    run: asCaller('listSubscriptions'),
  },
  /** By whoever created it, or an admin. */
  deleteSubscription: {
    resource: 'subscription',
    access: 'any',
    refusals: ['forbidden', ...READ],
    run: asCaller('unsubscribe'),
  },
});
