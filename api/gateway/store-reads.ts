import type { AggregateStatus, IntentGraph, Relation } from '../../contracts/graph.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { AnswerKey } from '../../contracts/journal.js';
import type { Plan } from '../../contracts/plan.js';
import type { Task } from '../../contracts/task.js';
import type { StoredTask } from '../../store/queries/tasks.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { InboxCounts } from '../../contracts/inbox.js';
import type { InboxConditions, InboxQuery, InboxRow } from '../../store/queries/inbox.js';
import type { EventRange, StoredEnd } from '../../store/queries/events.js';
import type { Subscription } from '../../contracts/subscription.js';
import type { SubscriptionPage } from '../../store/queries/subscriptions.js';
import { RefusalError } from '../errors.js';
import type { Clock } from './clock.js';
import { withinDeadline } from './deadline.js';
import type { AgentRows } from './agent-types.js';
import type { CoordinatorReads } from './coordinator-types.js';
import type { PortfolioReads } from './portfolio-types.js';
import type { EventPage, IntentPage, TaskPage } from './types.js';

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
