import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { IntentEvent } from '../../contracts/event.js';
import { COORDINATOR_DECISION } from '../../domain/coordinator/coordinator.js';
import { mayAll } from '../../domain/policy/authorize.js';
import type { SpaceScope } from '../../contracts/feed.js';
import type { Listed, Page } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import {
  FIRST,
  READ,
  START,
  WRITE,
  asCaller,
  forAnyone,
  operations,
  read,
  readOf,
  storeRead,
} from './operation.js';
import type { Operation, Resource } from './operation.js';
import { demandFor, eventsFor, readerFor, seesQuestionsOf } from './visibility.js';

type EventPage = Parameters<Gateway['listEvents']>[1];

/** The logs of intents and portfolios. */
export const EVENTS = operations({
  listEvents: readOf(async (call, intentId: string, page: EventPage) => {
    const log = await call.gateway.listEvents(intentId, page);
    return eventsFor(await seesQuestionsOf(call, intentId), log);
  }),
  appendEvent: {
    resource: 'intent',
    refusals: ['governance_violation', 'intent_closed', ...WRITE],
    run: asCaller('postEvent'),
  },
  /** Computed over the log as it was recorded. */
  verifyEvents: readOf(forAnyone('verifyEvents')),
  /** The log as it was recorded, and so only for those who may read all of it: with shortened ids it would not verify. */
  exportEvents: {
    resource: 'intent',
    refusals: ['forbidden', ...READ],
    async run(call, intentId: string) {
      await demandFor(call, 'exportEvents', intentId);
      return call.gateway.exportEvents(intentId);
    },
  },
  listPortfolioEvents: read('portfolio', async (call, portfolioId: string, page: EventPage) =>
    eventsFor(
      mayAll(call.caller, 'seeQuestionIds'),
      await call.gateway.listPortfolioEvents(portfolioId, page, readerFor(call)),
    ),
  ),
  verifyPortfolioEvents: read('portfolio', ({ gateway }, portfolioId: string) =>
    gateway.verifyEvents(portfolioId, 'portfolio'),
  ),
  /** With whole ids of questions, so not for agents. */
  exportPortfolioEvents: read('portfolio', ({ gateway }, portfolioId: string) =>
    gateway.exportEvents(portfolioId, 'portfolio'),
  ),
  listCoordinatorDecisions: readOf(
    ({ gateway }, intentId: string, page: Page): Promise<Listed<IntentEvent>> =>
      gateway.listEvents(intentId, { ...page, event_types: [COORDINATOR_DECISION] }),
  ),
});

const STORE = ['store_unavailable'] as const;

/** A stream for every key, as long as the caller has not too many open. */
function stream<const Run extends Operation['run']>(
  resource: Resource,
  reads: readonly ErrorCode[],
  run: Run,
) {
  return { resource, refusals: ['too_many_streams', ...reads], run } as const;
}

/** Streams of events as they come; each results in what of the feed is sent. */
export const STREAMS = operations({
  subscribeToIntent: {
    resource: 'intent',
    refusals: ['too_many_streams', ...READ],
    intentIn: FIRST,
    async run({ gateway, caller: { space } }, intentId: string): Promise<SpaceScope> {
      await gateway.getIntent(intentId);
      return { kind: 'intent', id: intentId, space };
    },
  },
  /** Of a run whose approvals belong to no intent; whoever may read its log. */
  subscribeToRun: stream(
    'approval',
    STORE,
    async ({ caller: { space } }, runId: string): Promise<SpaceScope> => ({
      kind: 'run',
      id: runId,
      space,
    }),
  ),
  /** Events of all intents, and of all runs to whoever may read their logs. */
  subscribeToAll: stream('server', STORE, async ({ caller: { space } }): Promise<SpaceScope> => ({
    kind: 'all',
    space,
  })),
  /** Events of the intents that an agent created or is assigned to, and of runs in which it asked. */
  subscribeToAgent: stream(
    'agent',
    STORE,
    async ({ caller: { space } }, agentId: string): Promise<SpaceScope> => ({
      kind: 'agent',
      id: agentId,
      space,
    }),
  ),
  /** Changes of the questions that the list of them shows the caller. */
  subscribeToSuspensions: stream('suspension', STORE, async ({ caller }): Promise<SpaceScope> => {
    const { space, principal } = caller;
    if (mayAll(caller, 'subscribeToSuspensions')) return { kind: 'questions', space };
    return { kind: 'questions_of', id: principal, space };
  }),
  /** Events of the portfolio and of its intents. */
  subscribeToPortfolio: stream(
    'portfolio',
    READ,
    async ({ gateway, caller: { space } }, portfolioId: string): Promise<SpaceScope> => {
      await gateway.getPortfolio(portfolioId);
      return { kind: 'portfolio', id: portfolioId, space };
    },
  ),
});

/** Webhooks to which events are posted. */
export const SUBSCRIPTIONS = operations({
  createSubscription: {
    resource: 'subscription',
    refusals: [
      'intent_not_found',
      'portfolio_not_found',
      'webhooks_not_configured',
      'too_many_subscriptions',
      'deadline_in_past',
      ...START,
    ],
    run: asCaller('subscribe'),
  },
  listSubscriptions: storeRead('subscription', asCaller('listSubscriptions')),
  /** By whoever created it, or an admin. */
  deleteSubscription: {
    resource: 'subscription',
    refusals: ['forbidden', ...READ],
    run: asCaller('unsubscribe'),
  },
});
