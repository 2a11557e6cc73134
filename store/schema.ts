import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely';
import type { AccessList } from '../contracts/intent/access.js';
import type { Intent, IntentStatus, IntentSummary } from '../contracts/intent/intent.js';
import type { Vote } from '../contracts/suspension/decision.js';
import type { QuestionChange } from '../contracts/subscription/feed.js';
import type { AnswerKey, EligibilityChange } from '../contracts/log/journal.js';
import type { Plan, PlanStateName, PlanSummary } from '../contracts/plan/plan.js';
import type { Membership, Portfolio, PortfolioStatus } from '../contracts/portfolio/portfolio.js';
import type { JsonObject } from '../contracts/kernel/primitives.js';
import type { Schedule } from '../contracts/suspension/retry-policy.js';
import type { Subscription } from '../contracts/subscription/subscription.js';
import type { Claim, Delegates } from '../contracts/suspension/verbs.js';
import type {
  Resolution,
  ResponseType,
  SuspensionRecord,
  TimelineKind,
} from '../contracts/suspension/suspension.js';
import type { Task, TaskStatus, TaskSummary } from '../contracts/plan/task.js';
import type {
  ApprovalsTable,
  ChannelChecksTable,
  CheckpointLeavesTable,
  CheckpointsTable,
  DeliveriesTable,
  DeliveryTriesTable,
  ErasuresTable,
  JournalQuarantineTable,
  PushTables,
  QuestionFactsTable,
  RetentionTombstonesTable,
  RunEventsTable,
  RunsTable,
  WorkerTables,
} from './tables.js';
import type { Json, NullableJson, Recorded, Spaced, Summarized } from './column-values.js';
import type {
  AgentsTable,
  CoordinatorsTable,
  SavedViewsTable,
  SignInTables,
  SnapshotsTable,
} from './named-tables.js';

interface IntentsTable extends Spaced, Summarized<Intent, IntentSummary> {
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
  /** Hash of the request body that created it under an Idempotency-Key. */
  creation_hash: string | null;
  parent_id: GeneratedAlways<string | null>;
  owner: GeneratedAlways<string | null>;
  access: GeneratedAlways<AccessList | null>;
}

/** Whether one intent depends on another, as of a revision. */
interface DependenciesTable {
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
  principal: string;
  /** Null unless a client posted the event itself. */
  claimed: boolean | null;
  payload: Json<JsonObject>;
  payload_commitment: string;
  payload_salt: string | null;
  created_at: string;
  previous_event_hash: string | null;
  event_hash: string;
  trace_id: string | null;
  parent_event_id: string | null;
  bytes: GeneratedAlways<number>;
  /** Its position in the feed; the driver reads a bigint as text. */
  feed_position: Generated<string>;
}

export interface FeedMembersTable {
  kind: 'agent' | 'portfolio';
  audience: string;
  intent_id: string;
}

/**
 * Three kinds of journal rows fill one row, in any order: the opening, the progress and the settlement, each with its
 * own columns and the latter two with their own revision. `schedule` is null until the opening arrives; `intent_id`
 * is also null without an intent.
 */
interface SuspensionsTable extends Spaced {
  id: string;
  intent_id: string | null;
  asked_by: string | null;
  asked_as: string | null;
  /** The agent's workflow that waits for the answer. */
  waiting_workflow: string | null;
  question: string | null;
  response_type: ResponseType | null;
  channel_hint: string | null;
  suspended_at: string | null;
  expires_at: string | null;
  schedule: ColumnType<Schedule | null, string | null | undefined, string | null>;
  /** The opened record and the settlement, merged as they arrive. */
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
  /** The keys of all votes in order; null if one answer was enough. */
  answer_keys: NullableJson<readonly AnswerKey[]>;
  /** The votes while the question is open; null if one answer is enough. */
  votes: NullableJson<readonly Vote[]>;
  /** Null unless somebody changed the eligible people. */
  eligibility: NullableJson<EligibilityChange>;
  /** The latest claim, which may have expired; null once it was released or the question ended. */
  claim: NullableJson<Claim>;
  comment_count: Generated<number>;
  /** The people it was delegated to; null without any. */
  delegates: NullableJson<readonly string[]>;
  /** The groups it was delegated to, each with the delegating people; null without any. */
  delegate_groups: NullableJson<NonNullable<Delegates['delegate_groups']>>;
  /** The key under which the agent asked, and the hash of the request. */
  request_key: string | null;
  request_hash: string | null;
  /** Why it waits, if it is a pause and not a question. */
  pause_reason: string | null;
  /** The channels of the attempts that were due; `''` is the default channel. */
  asked_channels: GeneratedAlways<string[]>;
  /** The recipients of the attempts that were due; `''` is an attempt without a recipient. */
  asked_recipients: GeneratedAlways<string[]>;
  /** Its latest change, and the position of that in the feed. */
  feed_position: GeneratedAlways<string | null>;
  change: GeneratedAlways<QuestionChange['change'] | null>;
  /** The people its current rule names; and those who are excluded or have already voted. */
  eligible: GeneratedAlways<string[]>;
  closed_to: GeneratedAlways<string[]>;
  /** The people whose answers count, and those in whose names they were given. */
  answered_by: GeneratedAlways<string[]>;
  /** From 1 for a critical approval to 5 for a question that names no risk. */
  risk: GeneratedAlways<number>;
  /** Question and context folded for search, and the grams of that text. A trigger keeps both. */
  searched: GeneratedAlways<string>;
  grams: GeneratedAlways<unknown>;
  bytes: GeneratedAlways<number>;
}

interface SuspensionTimelineTable extends Spaced {
  suspension_id: string;
  sequence: number;
  at: string;
  kind: TimelineKind;
  detail: Json<JsonObject>;
  payload_commitment: string;
  /** Null if the detail was erased. */
  payload_salt: string | null;
  previous_event_hash: string | null;
  event_hash: string;
}

/** Questions that a person has hidden until `ends_at`, or until they change. */
interface SnoozesTable extends Spaced {
  principal: string;
  suspension_id: string;
  ends_at: string;
  /** Null if reminders do not end it. */
  attempt: number | null;
  question_version: number;
  snoozed_at: string;
}

interface SubscriptionsTable extends Spaced, Recorded<Subscription> {
  id: string;
  intent_id: string | null;
  portfolio_id: string | null;
  created_by: string;
  created_at: string;
  active: boolean;
  creation_hash: string | null;
}

export interface Database extends SignInTables, PushTables, WorkerTables {
  approvals: ApprovalsTable;
  channel_checks: ChannelChecksTable;
  run_events: RunEventsTable;
  runs: RunsTable;
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
  snoozes: SnoozesTable;
  saved_views: SavedViewsTable;
  question_facts: QuestionFactsTable;
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

interface PortfoliosTable extends Spaced, Summarized<Portfolio, Omit<Portfolio, 'metadata'>> {
  id: string;
  version: number;
  status: PortfolioStatus;
  created_by: string;
  created_at: string;
  last_sequence: number;
  /** Hash of the event `last_sequence`. */
  head_hash: string | null;
  creation_hash: string | null;
}

interface PortfolioMembershipsTable {
  portfolio_id: string;
  intent_id: string;
  /** The version of the portfolio that added or removed the intent. */
  revision: number;
  /** Null after the intent was removed. */
  membership: ColumnType<Membership | null, string | null, string | null>;
}

interface PortfolioMembersView {
  portfolio_id: string;
  intent_id: string;
  membership: ColumnType<Membership, never, never>;
}

/** A view of the intents whose events belong to a portfolio's feed. */
interface PortfolioIntentsView {
  portfolio_id: string;
  intent_id: string;
  /** The last position that counts; null without an end. The driver reads a bigint as text. */
  until_position: ColumnType<string | null, never, never>;
}

interface TasksTable extends Spaced, Summarized<Task, TaskSummary> {
  id: string;
  intent_id: string;
  plan_id: string | null;
  status: TaskStatus;
  revision: number;
  created_at: string;
  creation_hash: string | null;
}

interface PlansTable extends Spaced, Summarized<Plan, PlanSummary> {
  id: string;
  intent_id: string;
  state: PlanStateName;
  revision: number;
  created_at: string;
  creation_hash: string | null;
}
