import type {
  AnnouncementBatch,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
  Observation,
  ObservationRequest,
  Unreached,
} from '../contracts/announcement.js';
import type { JudgeCallsRequest, JudgedCall } from '../contracts/approval-judging.js';
import type { ApprovalNote, FoundMutation, StoredProposal } from '../contracts/approval-log.js';
import type { Checkpoint } from '../contracts/checkpoint.js';
import type { DeadlineBatch } from '../contracts/portfolio.js';
import type { IntentNote } from '../contracts/intent.js';
import type { JournalRow } from '../contracts/journal.js';
import type { PreparedInput, StoredInput } from '../contracts/suspension-requests.js';
import type { Ruling } from '../contracts/problem.js';
import type { SavedSnapshot, StoredSnapshot } from '../contracts/snapshot.js';
import type { TaskNews } from '../contracts/task.js';
import type { Sight, Subscription } from '../contracts/subscription.js';
import type {
  DeliveryReceipt,
  NotificationRequest,
  OpeningRest,
} from '../contracts/notification.js';

/** Which events are delivered, to whom, and what whoever made the subscription saw then. */
export interface EventDelivery extends Sight {
  readonly subscription: Subscription;
  /** The position in the feed after which to begin. */
  readonly after: number;
}

/** How far a turn of a subscription has come. */
export interface Delivered {
  readonly after: number;
  /** Whether it ended although there is more to deliver. */
  readonly more?: boolean;
}

/** How far the pump has passed the feed on. */
export interface Pumped {
  readonly after: number;
  /** Whether no subscription is active. */
  readonly idle: boolean;
}

/** What retention is about to remove. */
export interface Marked {
  /** Whether there are logs among it that a signed checkpoint has to name first. */
  readonly signs: boolean;
}

/** Something that a look for what nobody wrote could not look at, or not repair. */
export interface Failed {
  readonly type: 'suspension' | 'intent' | 'approval';
  readonly id: string;
  readonly space: string;
}

/** Where a look for what nobody wrote begins: at an instant (ISO-8601), or with all that the store shows as open. */
export interface ReconcileRequest {
  readonly since: string | null;
  /** What failed in the look before; this one begins with it. */
  readonly again?: readonly Failed[];
  /** Cancels also questions whose workflow Temporal does not know. */
  readonly cancel_missing?: true;
}

/** What a look for what nobody wrote has found. */
export interface Reconciled {
  /** Questions that ended before this instant (ISO-8601) have been looked at. */
  readonly looked_until: string;
  /** Questions and approvals that had an outcome which the store did not show. */
  readonly written: number;
  /** Questions and approvals whose workflow had ended without an outcome: they are cancelled. */
  readonly lost: number;
  /** Questions and approvals whose workflow Temporal does not know: they stay as they are. */
  readonly missing: number;
  /** Open questions and approvals that the store did not have: their workflows were told to write. */
  readonly unknown: number;
  /** Intents that the store did not have, or not as they are: they were told to write. Questions it had so were brought up to date. */
  readonly behind: number;
  /** What could not be looked at, or not be repaired: the next look begins with it. Absent if there is nothing. */
  readonly failed?: readonly Failed[];
}

/** What was wrong with one of these, as the counts of a look name it. */
export type Finding = keyof Omit<Reconciled, 'looked_until'>;

/** The activities that workflows call. */
export interface Activities {
  /** Writes rows to the store; a repeated batch has no effect. */
  writeJournal(rows: readonly JournalRow[]): Promise<void>;
  /**
   * Delivers one notification through the channel in force. With the rest of it, writes the opening row of the question
   * too.
   * Throws non-retryable ApplicationFailures `channel_not_configured` and `recipient_not_allowed`.
   */
  notify(request: NotificationRequest, rest?: OpeningRest): Promise<DeliveryReceipt>;
  /**
   * Checks and completes the question of an agent's workflow. Throws non-retryable ApplicationFailures
   * whose type is an error code and whose first detail the refusal.
   */
  prepareInput(request: unknown, space?: string): Promise<PreparedInput>;
  /**
   * Judges the tool calls of an agent by the rules of the configuration, in their order. Its space is that of the caller unless it is
   * named. Throws as `prepareInput` does.
   */
  judgeToolCalls(request: JudgeCallsRequest, space?: string): Promise<readonly JudgedCall[]>;
  /**
   * Stores what an agent is before it waits, once. Its space is that of the caller unless it is named. Throws as
   * `prepareInput` does.
   */
  saveSnapshot(snapshot: StoredSnapshot, space?: string): Promise<SavedSnapshot>;
  /** Appends an event of an approval to the log of its intent, or of its run, also where the intent takes no more. */
  noteApproval(note: ApprovalNote): Promise<void>;
  /** Appends to the log of its run that an agent holds other calls than people have approved. Its space is named or that of the caller. */
  noteMutation(found: FoundMutation, space?: string): Promise<void>;
  /** The proposal of an approval as the store has it, with its copies in these questions; null if it has none. */
  readProposal(approvalId: string, questions?: readonly string[]): Promise<StoredProposal | null>;
  /**
   * Delivers a subscription's events in order, and waits some seconds for more. Throws
   * non-retryable ApplicationFailures `endpoint_gone` and `address_refused`.
   */
  deliverEvents(request: EventDelivery): Promise<Delivered>;
  /** Follows the feed for some minutes, and wakes the subscriptions that an event may be for. */
  wakeSubscriptions(request: { readonly after: number | null }): Promise<Pumped>;
  /**
   * Ends a question whose workflow is gone, and returns how the store has it then; null if the store does not have
   * it. A question whose workflow is there is returned as it is. Its space is that of the caller unless it is named.
   */
  settleLost(suspensionId: string, space?: string): Promise<StoredInput | null>;
  /**
   * Reads which intents joined and left a portfolio. Throws, to be retried, while the store has not reached
   * `last_sequence`.
   */
  readMembers(request: MembershipRequest): Promise<MembershipPage>;
  /** Announces the state of an intent or portfolio to its observers; returns those that did not take it. */
  announce(batch: AnnouncementBatch): Promise<Unreached>;
  /**
   * Asks intents to announce themselves to an observer. For an intent whose workflow is closed or missing it
   * returns the state in the store; an intent that the store does not have is left out. Those that take no message
   * for now are named.
   */
  observeIntents(request: ObservationRequest): Promise<Observation>;
  /** Ends open questions for the deadline of a portfolio (R26-27). */
  expireQuestions(batch: DeadlineBatch): Promise<void>;
  /** Adds an edge to the graph; refuses `intent_not_found` and `dependency_cycle`. */
  linkDependency(edge: DependencyEdge): Promise<Ruling<true>>;
  /** The stored state of tasks for their followers; a task that the store does not have is left out. */
  readTasks(taskIds: readonly string[]): Promise<readonly TaskNews[]>;
  /**
   * Signs a checkpoint over the ends of all logs, and stores it. Throws the non-retryable ApplicationFailure
   * `checkpoints_not_configured` without a key to sign with.
   */
  signCheckpoint(): Promise<Checkpoint>;
  /** Delivers every checkpoint that was not delivered yet, the oldest first. Throws where one is not taken. */
  deliverCheckpoints(): Promise<void>;
  /** Marks what ended long enough ago; nothing without the setting `retention.settled_days`. */
  markSettled(): Promise<Marked>;
  /** Removes what is marked, at most 200 rows a transaction; nothing without the setting. */
  removeMarked(): Promise<void>;
  /** Tells messages, for the better part of a minute, what has become of their questions. */
  tellOutcomes(): Promise<void>;
  /** Writes how questions have ended whose rows nobody wrote, and tells who waits for them. */
  reconcile(request: ReconcileRequest): Promise<Reconciled>;
  /** Appends an event to the log of an intent, once under its key; nothing to a closed intent. */
  noteIntent(note: IntentNote): Promise<void>;
}
