import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ApprovalView, Proposal } from '../contracts/approval/approval.js';
import type {
  ApprovalStatus,
  CheckpointStatus,
  RiskClass,
} from '../contracts/constants/approvals.js';
import type { JsonObject } from '../contracts/kernel/primitives.js';
import type { Json, Recorded, Spaced } from './column-values.js';
import type { DeliveryTry, TryFailure } from '../contracts/channel/notification.js';
import type { Checkpoint, LogKind } from '../contracts/log/checkpoint.js';
import type { WorkflowType } from '../contracts/constants/names.js';
import type { JournalRow } from '../contracts/log/journal.js';
import type { Caller } from '../contracts/people/caller.js';
import type { PushTarget, QuietHours } from '../contracts/people/noticing.js';
import type { Resolution } from '../contracts/suspension/suspension.js';

export interface ApprovalsTable extends Spaced, Recorded<ApprovalView> {
  id: string;
  revision: number;
  run_id: string;
  intent_id: string | null;
  asked_by: string;
  on_behalf_of: string | null;
  status: ApprovalStatus;
  risk_class: RiskClass;
  created_at: string;
  resolved_at: string | null;
  /** The end of it for its agent too, which may be in the future; null if that is not known. */
  ended_at: string | null;
  /** The status of the agent's checkpoint; null without one. */
  checkpoint: CheckpointStatus | null;
  suspension_id: string | null;
  proposed: Json<Proposal>;
}

/** The logs of runs: events of approvals that have no intent, or whose intent was already closed. */
export interface RunEventsTable extends Spaced {
  run_id: string;
  sequence: number;
  key: string;
  id: string;
  event_type: string;
  actor: string;
  principal: string;
  payload: Json<JsonObject>;
  payload_commitment: string;
  payload_salt: string | null;
  created_at: string;
  previous_event_hash: string | null;
  event_hash: string;
  /** Its position in the feed; the driver reads a bigint as text. */
  feed_position: Generated<string>;
  /** The agent in whose name the approval was requested; null if nobody was asked. */
  asked_as: string | null;
  bytes: GeneratedAlways<number>;
}

export interface RunsTable extends Spaced {
  run_id: string;
  /** The end of its log, even if that entry was removed; 0 and null without a log. */
  last_sequence: Generated<number>;
  head_hash: string | null;
  /** The last entry that retention has removed, and its hash; 0 and null if it removed none. */
  removed_through: Generated<number>;
  removed_hash: string | null;
  /** The last time that something of it was stored. */
  last_at: string;
  /** Whether retention may still have something to remove. */
  kept: Generated<boolean>;
}

export interface DeliveriesTable extends Spaced {
  delivery_id: string;
  channel: string;
  reference: string | null;
  delivered_at: string;
  /** The principal of the recipient; null if the channel has one place for all. */
  person: string | null;
  /** The version of the question that the message shows; null if it needs no further update. */
  shows: number | null;
  /** Whether an update is due, how often it failed, how often it became due, and when to try again. */
  due: Generated<boolean>;
  follow_tries: Generated<number>;
  news: Generated<number>;
  follow_at: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface ChannelChecksTable {
  channel: string;
  worker: string;
  at: ColumnType<string, never, never>;
  /** Why it failed, as a code and as text; null if it did not. */
  outcome: TryFailure | null;
  reason: string | null;
}

/** Workflow runs that workers have set aside. */
interface RunsSetAsideTable {
  run_id: string;
  workflow_id: string;
  since: ColumnType<string, never, never>;
}

/** The last time that some worker did each check which is due once for all workers. */
interface LooksTable {
  work: string;
  at: ColumnType<string, never, never>;
}

export interface WorkerTables {
  runs_set_aside: RunsSetAsideTable;
  looks: LooksTable;
}

export interface DeliveryTriesTable extends Spaced {
  delivery_id: string;
  at: string;
  try_number: number;
  channel: string;
  outcome: DeliveryTry['outcome'];
  status_code: number | null;
  duration_ms: number;
}

export interface CheckpointsTable extends Checkpoint {
  /** When it was appended to the file, and when the webhook accepted it. */
  filed_at: string | null;
  posted_at: string | null;
}

/** The end of a log in a checkpoint, if it differs from the checkpoint before. */
export interface CheckpointLeavesTable {
  kind: LogKind;
  id: string;
  checkpoint: number;
  sequence: number;
  head_hash: string;
  removed: 'retention' | null;
}

export interface JournalQuarantineTable extends Spaced {
  id: string;
  kind: JournalRow['kind'];
  intent_id: string | null;
  suspension_id: string | null;
  approval_id: string | null;
  sequence: number | null;
  reason: string;
  /** The row, as the text of its JSON. */
  content: string;
  refused_at: Generated<string>;
}

/** Logs that retention has removed, or is about to remove. */
export interface RetentionTombstonesTable {
  kind: WorkflowType;
  id: string;
  /** The end of its log; null without a log. */
  last_sequence: number | null;
  head_hash: string | null;
  reason: 'retention';
  marked_at: string;
  /** When it was removed; null while all of it is still there. */
  removed_at: string | null;
  swept: Generated<boolean>;
}

/** Erasures. `through_sequence` and `event_sequence` are numbers in the log of an intent. */
export interface ErasuresTable {
  kind: 'intent' | 'suspension' | 'approval';
  id: string;
  erased_at: string;
  erased_by: string;
  through_sequence: number | null;
  event_sequence: number | null;
}

/** Browsers that get pushes about questions, each of one session. */
interface PushSubscriptionsTable extends PushTarget {
  session_id: string;
  space: string;
  caller: Json<Caller>;
  noted_at: string;
  /** When to send next; null if nothing waits. */
  send_at: ColumnType<string | null, never, string | null>;
  /** How often sending failed since it last succeeded. */
  tries: Generated<number>;
}

/** The open questions that were, or are to be, pushed to a browser. */
interface PushesTable {
  session_id: string;
  suspension_id: string;
  /** Grows with each attempt, and with a delegation to this person. */
  mark: number;
  due: boolean;
}

/** Questions that came, or came again, and whose recipients are not determined yet. */
interface PushNewsTable {
  suspension_id: string;
  space: string;
  at: Generated<string>;
}

interface QuietHoursTable {
  space: string;
  principal: string;
  hours: Json<QuietHours>;
}

export interface PushTables {
  push_subscriptions: PushSubscriptionsTable;
  pushes: PushesTable;
  push_news: PushNewsTable;
  quiet_hours: QuietHoursTable;
}

/** Figures of a question for reports; all but `viewed_at` is derived from its row and its timeline. */
export interface QuestionFactsTable extends Spaced {
  suspension_id: string;
  /** Null until the opening is stored. */
  asked_at: string | null;
  asked_by: string | null;
  /** The tools of the proposed calls, each once. */
  tools: Generated<string[]>;
  /** The groups in the current rule. */
  groups: Generated<string[]>;
  /** The channels of the attempts so far; an empty text is the default channel. */
  channels: Generated<string[]>;
  resolution: Resolution | null;
  settled_at: string | null;
  denied: Generated<boolean>;
  /** Whether a person has changed the arguments of a call. */
  edited: Generated<boolean>;
  as_expected: Generated<boolean>;
  claimed_at: string | null;
  /** When somebody who may answer first opened it. */
  viewed_at: string | null;
  /** Milliseconds from the opening until it was first opened, claimed or answered; null where it was not. */
  until_viewed: GeneratedAlways<number | null>;
  until_claimed: GeneratedAlways<number | null>;
  until_answered: GeneratedAlways<number | null>;
}
