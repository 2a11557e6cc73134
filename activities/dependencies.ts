import type {
  Announced,
  Announcement,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
} from '../contracts/announcement.js';
import type { ServerConfig } from '../contracts/config.js';
import type { FeedEntry, FeedRange, FeedScope } from '../contracts/feed.js';
import type { IntentNote } from '../contracts/intent.js';
import type { JournalRow } from '../contracts/journal.js';
import type { DeliveryReceipt, DeliveryTry } from '../contracts/notification.js';
import type { DueDeadline } from '../contracts/portfolio.js';
import type { Ruling } from '../contracts/problem.js';
import type { SuspensionView } from '../contracts/suspension-view.js';
import type { TaskNews } from '../contracts/task.js';
import type { Channels } from './channels/routing.js';
import type { WebhookSender } from './channels/webhook/sender.js';

/** What activities read from the store and write to it: the store's queries, bound to a connection. */
export interface ActivityStore {
  readonly writeRows: (rows: readonly JournalRow[]) => Promise<void>;
  /** Adds an edge to the graph in one transaction, or refuses it. */
  readonly linkDependency: (edge: DependencyEdge) => Promise<Ruling<true>>;
  /** Undefined as long as the store has not reached `last_sequence`. */
  readonly membershipChanges: (request: MembershipRequest) => Promise<MembershipPage | undefined>;
  /** Tasks that the store does not have are left out. */
  readonly taskNews: (taskIds: readonly string[]) => Promise<readonly TaskNews[]>;
  readonly storedAnnouncement: (intentId: string) => Promise<Announcement | undefined>;
  readonly findSuspension: (suspensionId: string) => Promise<SuspensionView | undefined>;
}

/** Remembers deliveries and their tries. `deliveredAt` is an ISO-8601 instant in UTC. */
export interface DeliveryLog {
  find(deliveryId: string): Promise<DeliveryReceipt | undefined>;
  record(deliveryId: string, receipt: DeliveryReceipt, deliveredAt: string): Promise<void>;
  recordTry(tried: DeliveryTry): Promise<void>;
}

/** Messages to other workflows. The signals return false where the workflow is closed or missing. */
export interface WorkflowMessages {
  readonly announce: (observer: string, announcement: Announced) => Promise<boolean>;
  readonly observe: (intentId: string, observer: string) => Promise<boolean>;
  readonly expireQuestion: (suspensionId: string, deadline: DueDeadline) => Promise<boolean>;
  readonly expireIntent: (intentId: string, deadline: DueDeadline) => Promise<boolean>;
  /** Appends an event to the log of an intent, once under its key; nothing to a closed intent. */
  readonly appendEvent: (note: IntentNote) => Promise<void>;
}

/** The feed as deliveries read it. */
export interface EventFeed {
  /** Up to which position events can be read. */
  readonly position: number;
  join(): Promise<void>;
  leave(): void;
  /** Calls back when new events of the scope can be read. Returns how to stop. */
  watch(scope: FeedScope, onNew: () => void): () => void;
  read(scope: FeedScope, range: FeedRange): Promise<readonly FeedEntry[]>;
}

/** Everything that the activities of a worker use. */
export interface ActivityDependencies {
  readonly store: ActivityStore;
  readonly deliveries: DeliveryLog;
  readonly workflows: WorkflowMessages;
  readonly channels: Channels;
  readonly feed: EventFeed;
  /** Undefined where the configuration has no secrets to sign the events of subscriptions with. */
  readonly sendWebhook: WebhookSender | undefined;
  readonly config: ServerConfig;
  readonly now: () => Date;
}
