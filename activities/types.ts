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

/** Which events go where. */
export interface EventDelivery {
  readonly subscription: Subscription;
  /** Whether the receiver sees the ids of all suspensions. */
  readonly sees_all: boolean;
  /** The place in the feed after which to begin. */
  readonly after: number;
}

/** The activities that workflows call; made by factories over ports. */
export interface Activities {
  /** Writes rows to the store; a batch may come again and is then without effect. */
  writeJournal(rows: readonly JournalRow[]): Promise<void>;
  /**
   * Delivers one notification through the channel in force.
   * Throws non-retryable ApplicationFailures `channel_not_configured` and `recipient_not_allowed`.
   */
  notify(request: NotificationRequest): Promise<DeliveryReceipt>;
  /**
   * Checks and resolves what the workflow of an agent asks. Throws non-retryable ApplicationFailures
   * whose type is an error code and whose first detail the refusal.
   */
  prepareInput(request: unknown): Promise<PreparedInput>;
  /**
   * Delivers a subscription's events in their order, and waits for more, for some minutes. Throws
   * non-retryable ApplicationFailures `endpoint_gone` and `address_refused`.
   */
  deliverEvents(request: EventDelivery): Promise<{ readonly after: number }>;
  /** Reads a suspension from the store; throws `suspension_not_found`, non-retryable. */
  readInput(suspensionId: string): Promise<StoredInput>;
  /**
   * Reads which intents came into a portfolio and left it. Throws, to be tried again, while the store has not
   * come as far as is asked.
   */
  readMembers(request: MembershipRequest): Promise<MembershipPage>;
  /** Tells observers of an intent or a portfolio what it is; returns those that are closed or missing. */
  announce(batch: AnnouncementBatch): Promise<readonly string[]>;
  /**
   * Asks intents to tell an observer. Of those whose workflow is closed or missing it returns what the store
   * has, which for a closed one is its end; one that the store does not have either is left out.
   */
  observeIntents(request: ObservationRequest): Promise<readonly Announcement[]>;
  /** Ends open questions for the deadline of a portfolio (R26-27). */
  expireQuestions(batch: DeadlineBatch): Promise<void>;
  /** Adds an edge to the graph; refuses `intent_not_found` and `dependency_cycle`. */
  linkDependency(edge: DependencyEdge): Promise<Ruling<true>>;
  /** What the store has of tasks, as those that follow them are told; one that it does not have is left out. */
  readTasks(taskIds: readonly string[]): Promise<readonly TaskNews[]>;
  /** Appends an event to the log of an intent, once under its key; nothing to a closed one. */
  noteIntent(note: IntentNote): Promise<void>;
}
