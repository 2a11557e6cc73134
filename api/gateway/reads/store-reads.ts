import { sql } from 'kysely';
import type { IntentEvent } from '../../../contracts/event.js';
import type { AggregateStatus, IntentGraph, Relation } from '../../../contracts/graph.js';
import type { Intent } from '../../../contracts/intent.js';
import type { AnswerKey } from '../../../contracts/journal.js';
import type { Plan } from '../../../contracts/plan.js';
import type { Subscription } from '../../../contracts/subscription.js';
import type { InboxCounts, SuspensionView } from '../../../contracts/suspension-view.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import type { Task } from '../../../contracts/task.js';
import { FeedEndFinder } from '../../../store/feed/end.js';
import { changeAgent, findAgent, listAgents } from '../../../store/queries/agent.js';
import { coordinatorsOf, findCoordinator } from '../../../store/queries/coordinator.js';
import {
  eventsInOrder,
  findEvents,
  lastSequence,
  listEvents,
  logEnd,
} from '../../../store/queries/event-log.js';
import type { EventRange, StoredEnd } from '../../../store/queries/event-log.js';
import { childrenStatus, intentGraph, relatedIntents } from '../../../store/queries/graph.js';
import { countSuspensions, idsNotInState, listSuspensions } from '../../../store/queries/inbox.js';
import type { InboxConditions, InboxQuery, InboxRow } from '../../../store/queries/inbox.js';
import { findIntent, listIntents } from '../../../store/queries/intent.js';
import { findPlans, findTasks, listPlans, listTasks } from '../../../store/queries/plan.js';
import type { StoredTask } from '../../../store/queries/plan.js';
import {
  findPortfolio,
  isMember,
  listMembers,
  listPortfolios,
  portfoliosOf,
} from '../../../store/queries/portfolio.js';
import { findSubscription, listSubscriptions } from '../../../store/queries/subscription.js';
import type { SubscriptionPage } from '../../../store/queries/subscription.js';
import { findAnswer, findSuspension } from '../../../store/queries/suspension.js';
import type { Store } from '../../../store/schema.js';
import { RefusalError } from '../../errors.js';
import type { AgentRows } from '../agent/types.js';
import { withinDeadline } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';
import type {
  CoordinatorReads,
  EventPage,
  IntentPage,
  PortfolioReads,
  TaskPage,
} from '../types.js';

const DEADLINE_MS = 2_000;

/** The answer that settled a suspension, as the store keeps it. */
export interface StoredAnswer extends AnswerKey {
  readonly record: SuspensionRecord;
}

/** What the gateway reads from the store. Ids have the form of an entity's id. */
export interface StoreReads extends PortfolioReads, CoordinatorReads, AgentRows {
  ping(): Promise<void>;
  findIntent(id: string): Promise<Intent | undefined>;
  listIntents(page: IntentPage): Promise<readonly Intent[]>;
  relatedIntents(
    relation: Relation,
    intentId: string,
    page: Omit<IntentPage, 'status'>,
  ): Promise<readonly Intent[]>;
  childrenStatus(intentId: string): Promise<AggregateStatus>;
  intentGraph(intentId: string, limit: number): Promise<IntentGraph>;
  findEvents(
    types: readonly string[],
    page: Pick<EventPage, 'limit' | 'offset'>,
  ): Promise<readonly IntentEvent[]>;
  listEvents(intentId: string, page: EventPage): Promise<readonly IntentEvent[]>;
  eventsInOrder(intentId: string, range: EventRange): Promise<readonly IntentEvent[]>;
  logEnd(intentId: string): Promise<StoredEnd | undefined>;
  /** Sequence of the newest event that is stored; 0 where there is none. */
  lastSequence(intentId: string): Promise<number>;
  listSuspensions(query: InboxQuery): Promise<readonly InboxRow[]>;
  countSuspensions(conditions: InboxConditions): Promise<InboxCounts>;
  /** The ids among these whose row does not show the state yet. */
  notYet(wanted: ReadonlyMap<string, 'pending' | 'settled'>): Promise<readonly string[]>;
  findSuspension(id: string): Promise<SuspensionView | undefined>;
  findTasks(ids: readonly string[]): Promise<readonly StoredTask[]>;
  listTasks(intentId: string, page: TaskPage): Promise<readonly Task[]>;
  findPlans(ids: readonly string[]): Promise<readonly Plan[]>;
  listPlans(intentId: string, page: Omit<TaskPage, 'status'>): Promise<readonly Plan[]>;
  findAnswer(suspensionId: string): Promise<StoredAnswer | undefined>;
  findSubscription(id: string): Promise<Subscription | undefined>;
  listSubscriptions(page: SubscriptionPage): Promise<readonly Subscription[]>;
  /** A place in the feed that no event before this moment lies behind. */
  feedEnd(): Promise<number>;
}

/** Where the gateway tells what went wrong; pino's loggers fit. */
export interface GatewayLog {
  warn(fields: object, message: string): void;
}

/** Reads from the store within 2 s. Throws RefusalError `store_unavailable` where it fails. */
export type FromStore = <T>(read: (store: StoreReads) => Promise<T>) => Promise<T>;

/** Binds a store; the cause of each failure is logged and kept as the error's cause. */
export function createFromStore(store: StoreReads, clock: Clock, log: GatewayLog): FromStore {
  return async (read) => {
    try {
      return await withinDeadline(clock, DEADLINE_MS, () => read(store));
    } catch (error) {
      log.warn({ err: error }, 'store read failed');
      const detail = 'The store did not answer.';
      throw new RefusalError({ code: 'store_unavailable', detail }, { cause: error });
    }
  };
}

/** The store's queries as the gateway reads them; failures are the driver's. */
export function storeReadsOf(db: Store): StoreReads {
  return {
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    findIntent: (id) => findIntent(db, id),
    listIntents: (page) => listIntents(db, page),
    relatedIntents: (relation, intentId, page) => relatedIntents(db, relation, intentId, page),
    childrenStatus: (intentId) => childrenStatus(db, intentId),
    intentGraph: (intentId, limit) => intentGraph(db, intentId, limit),
    findEvents: (types, page) => findEvents(db, types, page),
    listEvents: (intentId, page) => listEvents(db, intentId, page),
    eventsInOrder: (intentId, range) => eventsInOrder(db, intentId, range),
    logEnd: (intentId) => logEnd(db, intentId),
    lastSequence: (intentId) => lastSequence(db, intentId),
    listSuspensions: (query) => listSuspensions(db, query),
    countSuspensions: (conditions) => countSuspensions(db, conditions),
    notYet: (wanted) => idsNotInState(db, wanted),
    findCoordinator: (id) => findCoordinator(db, id),
    coordinatorsOf: (intentId, page) => coordinatorsOf(db, intentId, page),
    findPortfolio: (id) => findPortfolio(db, id),
    listPortfolios: (page) => listPortfolios(db, page),
    portfoliosOf: (intentId, page) => portfoliosOf(db, intentId, page),
    isMember: (portfolioId, intentId) => isMember(db, portfolioId, intentId),
    listMembers: (portfolioId, page) => listMembers(db, portfolioId, page),
    findSuspension: (id) => findSuspension(db, id),
    findTasks: (ids) => findTasks(db, ids),
    listTasks: (intentId, page) => listTasks(db, intentId, page),
    findPlans: (ids) => findPlans(db, ids),
    listPlans: (intentId, page) => listPlans(db, intentId, page),
    findSubscription: (id) => findSubscription(db, id),
    listSubscriptions: (page) => listSubscriptions(db, page),
    feedEnd: () => new FeedEndFinder(db).reach(),
    findAgent: (agentId) => findAgent(db, agentId),
    listAgents: (limit) => listAgents(db, limit),
    changeAgent: (agentId, rule) => changeAgent(db, agentId, rule),
    findAnswer: (suspensionId) => findAnswer(db, suspensionId),
  };
}
