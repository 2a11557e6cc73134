import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import type { AccessList } from '../contracts/access.js';
import type { Intent, IntentStatus, IntentSummary } from '../contracts/intent.js';
import type { Vote } from '../contracts/decision.js';
import type { QuestionChange } from '../contracts/feed.js';
import type { AnswerKey, EligibilityChange } from '../contracts/journal.js';
import type { Plan, PlanStateName, PlanSummary } from '../contracts/plan.js';
import type { Membership, Portfolio, PortfolioStatus } from '../contracts/portfolio.js';
import type { JsonObject } from '../contracts/primitives.js';
import type { Schedule } from '../contracts/retry-policy.js';
import type { Subscription } from '../contracts/subscription.js';
import type { Claim } from '../contracts/suspension-verbs.js';
import type {
  Resolution,
  ResponseType,
  SuspensionRecord,
  TimelineKind,
} from '../contracts/suspension.js';
import type { Task, TaskStatus, TaskSummary } from '../contracts/task.js';
import type { ApprovalsTable, RunEventsTable, RunsTable } from './approval-tables.js';
import type {
  ChannelChecksTable,
  DeliveriesTable,
  DeliveryTriesTable,
  RunsSetAsideTable,
} from './delivery-tables.js';
import type { ErasuresTable } from './erasures-table.js';
import type {
  CheckpointLeavesTable,
  CheckpointsTable,
  JournalQuarantineTable,
  RetentionTombstonesTable,
} from './log-tables.js';
import type {
  AgentsTable,
  BlocksDueTable,
  CoordinatorsTable,
  SignInTables,
  SnapshotsTable,
  Spaced,
} from './named-tables.js';

/** Written as the text of `toJsonText`, read as the value. */
export type Json<T> = ColumnType<T, string, string>;

type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

export interface IntentsTable extends Spaced, Summarized<IntentSummary> {
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
  /** Hash of the creating body, if it came under a key. */
  creation_hash: string | null;
  record: Json<Intent>;
  parent_id: GeneratedAlways<string | null>;
  /** The principal whose key created it; null in records of 0.1. */
  owner: GeneratedAlways<string | null>;
  access: GeneratedAlways<AccessList | null>;
}

/** Whether an intent depends on another, as of a revision. */
export interface DependenciesTable {
  intent_id: string;
  dependency_id: string;
  revision: number;
  present: boolean;
}

export interface EventsTable extends Spaced {
  intent_id: string;
  sequence: number;
  id: string;
  event_type: string;
  actor: string;
  /** Null in events of 0.1. */
  principal: string | null;
  /** Null unless a client posted the event by itself. */
  claimed: boolean | null;
  payload: Json<JsonObject>;
  /** `''` in events of before there were commitments. */
  payload_commitment: string;
  /** Null if the payload was erased. */
  payload_salt: string | null;
  created_at: string;
  previous_event_hash: string | null;
  event_hash: string;
  trace_id: string | null;
  parent_event_id: string | null;
  /** Bytes of the payload. */
  bytes: GeneratedAlways<number>;
  /** Its position in the feed; the driver reads a bigint as text. */
  feed_position: Generated<string>;
}

/** Which agents and portfolios follow an intent, besides its creator. */
export interface FeedMembersTable {
  kind: 'agent' | 'portfolio';
  audience: string;
  intent_id: string;
}

/**
 * Three kinds of journal rows fill one row, in any order: the opening, the progress and the settlement,
 * each with its own columns and the latter two with their own revision. `schedule` is null until the
 * opening arrives; `intent_id` is also null for a question without an intent.
 */
export interface SuspensionsTable extends Spaced {
  id: string;
  intent_id: string | null;
  asked_by: string | null;
  /** The name in which it was asked, if that is another. */
  asked_as: string | null;
  /** The workflow of an agent that waits for the answer. */
  waiting_workflow: string | null;
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
  /** The keys of all votes, in their order; null if one answer was enough. */
  answer_keys: NullableJson<readonly AnswerKey[]>;
  /** The votes while the question is open; null if one answer is enough. */
  votes: NullableJson<readonly Vote[]>;
  /** Null unless somebody changed who is eligible. */
  eligibility: NullableJson<EligibilityChange>;
  /** The latest claim while the question is open, which may have expired; null once it was released. */
  claim: NullableJson<Claim>;
  comment_count: Generated<number>;
  /** To whom it was delegated; null if it was to nobody. */
  delegates: NullableJson<readonly string[]>;
  /** The key under which its agent asked, and what it asked. */
  request_key: string | null;
  request_hash: string | null;
  /** Why it waits, if it is no question to people. */
  pause_reason: string | null;
  /** The channels of the attempts that were due; `''` is the default channel. */
  asked_channels: GeneratedAlways<string[]>;
  /** The recipients of the attempts that were due; `''` is nobody in particular. */
  asked_recipients: GeneratedAlways<string[]>;
  /** How much waits for it while it is open; its place in the feed, and the change that gave it this place. */
  blocks: Generated<number>;
  feed_position: GeneratedAlways<string | null>;
  change: GeneratedAlways<QuestionChange['change'] | null>;
  /** Whom its rule names as it is in force; and who is excluded, or has voted while it is open. */
  eligible: GeneratedAlways<string[]>;
  closed_to: GeneratedAlways<string[]>;
  /** Question and context as they are searched: folded, and the grams of that. A trigger keeps both. */
  searched: GeneratedAlways<string>;
  grams: GeneratedAlways<unknown>;
  /** Bytes of the record. */
  bytes: GeneratedAlways<number>;
}

export interface SuspensionTimelineTable extends Spaced {
  suspension_id: string;
  sequence: number;
  at: string;
  kind: TimelineKind;
  detail: Json<JsonObject>;
  /** `''`, as `event_hash`, in entries of before timelines were chained. */
  payload_commitment: Generated<string>;
  /** Null if the detail was erased. */
  payload_salt: string | null;
  previous_event_hash: string | null;
  event_hash: Generated<string>;
}

export interface SubscriptionsTable extends Spaced {
  id: string;
  intent_id: string | null;
  portfolio_id: string | null;
  created_by: string;
  created_at: string;
  active: boolean;
  creation_hash: string | null;
  record: Json<Subscription>;
  /** Bytes of the record. */
  bytes: GeneratedAlways<number>;
}

/** What the database makes of a record. */
interface Summarized<Summary> {
  /** Bytes of the record. */
  bytes: GeneratedAlways<number>;
  /** The record without what lists leave out. */
  summary: GeneratedAlways<Summary>;
  summary_bytes: GeneratedAlways<number>;
}

export interface Database extends SignInTables {
  approvals: ApprovalsTable;
  blocks_due: BlocksDueTable;
  channel_checks: ChannelChecksTable;
  run_events: RunEventsTable;
  runs: RunsTable;
  runs_set_aside: RunsSetAsideTable;
  erasures: ErasuresTable;
  checkpoints: CheckpointsTable;
  checkpoint_leaves: CheckpointLeavesTable;
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
  journal_quarantine: JournalQuarantineTable;
  retention_tombstones: RetentionTombstonesTable;
  snapshots: SnapshotsTable;
}

export type Store = Kysely<Database>;

export interface PortfoliosTable extends Spaced, Summarized<Omit<Portfolio, 'metadata'>> {
  id: string;
  version: number;
  status: PortfolioStatus;
  created_by: string;
  created_at: string;
  last_sequence: number;
  /** Hash of the event `last_sequence`. */
  head_hash: string | null;
  creation_hash: string | null;
  record: Json<Portfolio>;
}

export interface PortfolioMembershipsTable {
  portfolio_id: string;
  intent_id: string;
  /** The version of the portfolio that added or removed the intent. */
  revision: number;
  /** Null after the intent was removed. */
  membership: ColumnType<Membership | null, string | null, string | null>;
}

/** A view of the current memberships. */
export interface PortfolioMembersView {
  portfolio_id: string;
  intent_id: string;
  membership: ColumnType<Membership, never, never>;
}

/** A view of the intents whose events belong to a portfolio's feed. */
export interface PortfolioIntentsView {
  portfolio_id: string;
  intent_id: string;
  /** The last position that counts; null without an end. The driver reads a bigint as text. */
  until_position: ColumnType<string | null, never, never>;
}

export interface TasksTable extends Spaced, Summarized<TaskSummary> {
  id: string;
  intent_id: string;
  plan_id: string | null;
  status: TaskStatus;
  revision: number;
  created_at: string;
  creation_hash: string | null;
  record: Json<Task>;
}

export interface PlansTable extends Spaced, Summarized<PlanSummary> {
  id: string;
  intent_id: string;
  state: PlanStateName;
  revision: number;
  created_at: string;
  creation_hash: string | null;
  record: Json<Plan>;
}
