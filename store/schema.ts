import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import type { Intent, IntentStatus } from '../contracts/intent.js';
import type { JsonObject } from '../contracts/json.js';
import type { DeliveryTry } from '../contracts/notification.js';
import type { Schedule } from '../contracts/schedule.js';
import type { AgentRecord } from '../contracts/agent.js';
import type { Subscription } from '../contracts/subscription.js';
import type { Resolution, ResponseType, SuspensionRecord } from '../contracts/suspension.js';
import type { TimelineKind } from '../contracts/timeline.js';
import type {
  PortfoliosTable,
  PortfolioMembershipsTable,
  PortfolioIntentsView,
  PortfolioMembersView,
  TasksTable,
  PlansTable,
  CoordinatorsTable,
} from './container-tables.js';

/** Written as the text of `toJsonText`, read as the value. */
export type Json<T> = ColumnType<T, string, string>;

export interface IntentsTable {
  id: string;
  version: number;
  status: IntentStatus;
  title: string;
  created_by: string;
  created_at: string;
  updated_at: string;
  last_sequence: number;
  /** Hash of the event `last_sequence`. */
  head_hash: string | null;
  record: Json<Intent>;
  parent_id: GeneratedAlways<string | null>;
}

/** That an intent depends on another, or no longer does. */
export interface DependenciesTable {
  intent_id: string;
  dependency_id: string;
  revision: number;
  present: boolean;
}

export interface EventsTable {
  intent_id: string;
  sequence: number;
  id: string;
  event_type: string;
  actor: string;
  payload: Json<JsonObject>;
  created_at: string;
  previous_event_hash: string | null;
  event_hash: string;
  /** Its place in the feed; the driver reads a bigint as text. */
  feed_position: Generated<string>;
}

/** The agents that an intent was assigned to, and the containers it is a member of. */
export interface FeedMembersTable {
  kind: 'agent' | 'portfolio';
  audience: string;
  intent_id: string;
}

/**
 * Three kinds of journal rows fill one row here, in any order: the opening its static columns, the
 * progress and the settlement theirs, each under a revision of its own. `schedule` is null as long as
 * the opening has not arrived, `intent_id` also where no intent waits.
 */
export interface SuspensionsTable {
  id: string;
  intent_id: string | null;
  asked_by: string | null;
  question: string | null;
  response_type: ResponseType | null;
  channel_hint: string | null;
  suspended_at: string | null;
  expires_at: string | null;
  schedule: ColumnType<Schedule | null, string | null | undefined, string | null>;
  /** The opened record and the settlement, as far as they have arrived. */
  record: ColumnType<SuspensionRecord, string | undefined, string>;
  progress_revision: Generated<number>;
  attempt: Generated<number>;
  max_attempts: Generated<number>;
  next_attempt_at: string | null;
  settled_revision: Generated<number>;
  state: Generated<'pending' | 'settled'>;
  resolution: Resolution | null;
  settled_at: string | null;
  answer_key: string | null;
  answer_body_hash: string | null;
  /** Of the attempts that were due; `''` is the default channel. */
  asked_channels: GeneratedAlways<string[]>;
  /** Of the attempts that were due; `''` is nobody in particular. */
  asked_recipients: GeneratedAlways<string[]>;
  /** The words of question and context. */
  words: GeneratedAlways<unknown>;
}

export interface SuspensionTimelineTable {
  suspension_id: string;
  sequence: number;
  at: string;
  kind: TimelineKind;
  detail: Json<JsonObject>;
}

export interface DeliveriesTable {
  delivery_id: string;
  channel: string;
  reference: string | null;
  delivered_at: string;
}

export interface DeliveryTriesTable {
  delivery_id: string;
  at: string;
  try_number: number;
  channel: string;
  outcome: DeliveryTry['outcome'];
  status_code: number | null;
  duration_ms: number;
}

export interface SubscriptionsTable {
  id: string;
  intent_id: string | null;
  portfolio_id: string | null;
  created_by: string;
  created_at: string;
  active: boolean;
  record: Json<Subscription>;
}

export interface AgentsTable {
  agent_id: string;
  record: Json<AgentRecord>;
}

export interface Database {
  agents: AgentsTable;
  coordinators: CoordinatorsTable;
  portfolios: PortfoliosTable;
  portfolio_memberships: PortfolioMembershipsTable;
  portfolio_intents: PortfolioIntentsView;
  portfolio_members: PortfolioMembersView;
  intents: IntentsTable;
  dependencies: DependenciesTable;
  events: EventsTable;
  suspensions: SuspensionsTable;
  suspension_timeline: SuspensionTimelineTable;
  deliveries: DeliveriesTable;
  delivery_tries: DeliveryTriesTable;
  feed_members: FeedMembersTable;
  tasks: TasksTable;
  plans: PlansTable;
  subscriptions: SubscriptionsTable;
}

export type Store = Kysely<Database>;
