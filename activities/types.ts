import type {
  Announcement,
  AnnouncementBatch,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
  ObservationRequest,
} from '../contracts/announcement.js';
import type { DeadlineBatch } from '../contracts/portfolio.js';
import type { IntentNote } from '../contracts/intent.js';
import type { JournalRow } from '../contracts/journal.js';
import type { PreparedInput, StoredInput } from '../contracts/suspension-requests.js';
import type { Ruling } from '../contracts/problem.js';
import type { TaskNews } from '../contracts/task.js';
import type { Subscription } from '../contracts/subscription.js';
import type { DeliveryReceipt, NotificationRequest } from '../contracts/notification.js';

/** Which events are delivered, to whom. */
export interface EventDelivery {
  readonly subscription: Subscription;
  /** Whether the receiver sees the ids of all suspensions. */
  readonly sees_all: boolean;
  /** The position in the feed after which to begin. */
  readonly after: number;
}

/** The activities that workflows call. */
export interface Activities {
  /** Writes rows to the store; a repeated batch has no effect. */
  writeJournal(rows: readonly JournalRow[]): Promise<void>;
  /**
   * Delivers one notification through the channel in force.
   * Throws non-retryable ApplicationFailures `channel_not_configured` and `recipient_not_allowed`.
   */
  notify(request: NotificationRequest): Promise<DeliveryReceipt>;
  /**
   * Checks and completes the question of an agent's workflow. Throws non-retryable ApplicationFailures
   * whose type is an error code and whose first detail the refusal.
   */
  prepareInput(request: unknown): Promise<PreparedInput>;
  /**
   * Delivers a subscription's events in order, and waits some minutes for more. Throws
   * non-retryable ApplicationFailures `endpoint_gone` and `address_refused`.
   */
  deliverEvents(request: EventDelivery): Promise<{ readonly after: number }>;
  /** Reads a suspension from the store; throws `suspension_not_found`, non-retryable. */
  readInput(suspensionId: string): Promise<StoredInput>;
  /**
   * Reads which intents joined and left a portfolio. Throws, to be retried, while the store has not reached
   * `last_sequence`.
   */
  readMembers(request: MembershipRequest): Promise<MembershipPage>;
  /** Announces the state of an intent or portfolio to its observers; returns those that are closed or missing. */
  announce(batch: AnnouncementBatch): Promise<readonly string[]>;
  /**
   * Asks intents to announce themselves to an observer. For an intent whose workflow is closed or missing it
   * returns the state in the store; an intent that the store does not have is left out.
   */
  observeIntents(request: ObservationRequest): Promise<readonly Announcement[]>;
  /** Ends open questions for the deadline of a portfolio (R26-27). */
  expireQuestions(batch: DeadlineBatch): Promise<void>;
  /** Adds an edge to the graph; refuses `intent_not_found` and `dependency_cycle`. */
  linkDependency(edge: DependencyEdge): Promise<Ruling<true>>;
  /** The stored state of tasks for their followers; a task that the store does not have is left out. */
  readTasks(taskIds: readonly string[]): Promise<readonly TaskNews[]>;
  /** Appends an event to the log of an intent, once under its key; nothing to a closed intent. */
  noteIntent(note: IntentNote): Promise<void>;
}
