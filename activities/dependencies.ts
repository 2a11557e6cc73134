import type {
  Announced,
  Announcement,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
  Unreached,
} from '../contracts/announcement.js';
import type { ApprovalNote, StoredProposal } from '../contracts/approval-log.js';
import type { Checkpoint, CheckpointLeaf } from '../contracts/checkpoint.js';
import type { ServerConfig } from '../contracts/config.js';
import type { FeedEntry, FeedRange, FeedScope } from '../contracts/feed.js';
import type { SentMessage } from '../contracts/follow-up.js';
import type { IntentNote } from '../contracts/intent.js';
import type { JournalRow, RefusedRow } from '../contracts/journal.js';
import type { LinkContent } from '../contracts/links.js';
import type { DeliveryReceipt, DeliveryTry } from '../contracts/notification.js';
import type { DueDeadline } from '../contracts/portfolio.js';
import type { Ruling } from '../contracts/problem.js';
import type { StoredSnapshot } from '../contracts/snapshot.js';
import type { Sight } from '../contracts/subscription.js';
import type { LiveView } from '../contracts/suspension-view.js';
import type { Settlement } from '../contracts/suspension.js';
import type { TaskNews } from '../contracts/task.js';
import type { Answering } from '../domain/directory/known-people.js';
import type { Channels } from './channels/routing.js';
import type { WebhookSender } from './channels/webhook/sender.js';
import type { FollowUpLog, FollowUpTiming } from './follow-ups.js';
import type { ApprovalReconciliation } from './reconcile-approvals.js';
import type { Finding, Marked } from './types.js';

/** What activities read from the store and write to it: the store's queries, bound to a connection. */
export interface ActivityStore {
  /** Returns the rows that the store refused for good and set aside. */
  readonly writeRows: (rows: readonly JournalRow[]) => Promise<readonly RefusedRow[]>;
  /** Adds an edge to the graph in one transaction, or refuses it. */
  readonly linkDependency: (edge: DependencyEdge) => Promise<Ruling<true>>;
  /** Undefined as long as the store has not reached `last_sequence`. */
  readonly membershipChanges: (request: MembershipRequest) => Promise<MembershipPage | undefined>;
  /** Tasks that the store does not have are left out. */
  readonly taskNews: (taskIds: readonly string[]) => Promise<readonly TaskNews[]>;
  /** The ids of the workflows of all subscriptions that have not ended, of every space. */
  readonly activeSubscriptions: () => Promise<readonly string[]>;
  /** The ids of those that an event after a position, up to another, may be for. */
  readonly subscriptionsToWake: (
    range: Pick<FeedRange, 'after' | 'upTo'>,
  ) => Promise<readonly string[]>;
  /**
   * What a principal sees of events now, by each of its keys and tokens: nothing if it had a key and can no longer sign in.
   * Undefined if nobody knows.
   */
  readonly presentSights: (principal: string) => Promise<readonly Sight[] | undefined>;
  /** Who has a key that lets it answer something, as an API noted last; undefined if none has noted anything. */
  readonly answeringByKey: () => Promise<readonly Answering[] | undefined>;
  /** Notes that a subscription was not given an event, at an instant (ISO-8601). */
  readonly noteWithheld: (subscriptionId: string, at: string) => Promise<void>;
  /** Once; returns when that was first done (ISO-8601). */
  readonly saveSnapshot: (snapshot: StoredSnapshot, at: string, space: string) => Promise<string>;
  /** With its copies in questions. Undefined if the store does not have the approval. */
  readonly storedProposal: (
    approvalId: string,
    questions: readonly string[],
  ) => Promise<StoredProposal | undefined>;
  /** Appends an event to the log of a run, once under its key. */
  /** In the space of the workflow that runs the activity, unless another is named. */
  readonly appendToRun: (note: ApprovalNote, salt: string, space?: string) => Promise<void>;
  readonly storedAnnouncement: (intentId: string) => Promise<Announcement | undefined>;
  readonly findSuspension: (suspensionId: string, space: string) => Promise<LiveView | undefined>;
  /** Settles a suspension that nobody has settled before; another stays as it is. */
  readonly settleSuspension: (
    suspensionId: string,
    settlement: Settlement,
    space: string,
  ) => Promise<void>;
}

/** Remembers deliveries and their tries. `deliveredAt` is an ISO-8601 instant in UTC. */
export interface DeliveryLog {
  find(deliveryId: string): Promise<DeliveryReceipt | undefined>;
  /** What is `followed` is told how its question ends. */
  record(
    deliveryId: string,
    receipt: DeliveryReceipt,
    followed?: Pick<SentMessage, 'person' | 'shows'>,
  ): Promise<void>;
  recordTry(tried: DeliveryTry): Promise<void>;
}

/** Whether a workflow took a Signal: if not, it is closed or missing, or takes no more for now. */
export type Taken = 'taken' | keyof Unreached;

/** Messages to other workflows. The signals of a deadline throw where the workflow takes no more for now. */
export interface WorkflowMessages {
  readonly announce: (observer: string, announcement: Announced) => Promise<Taken>;
  readonly observe: (intentId: string, observer: string) => Promise<Taken>;
  readonly wake: (workflowId: string, upTo: number) => Promise<Taken>;
  /** True where the question takes it or is over, false where it is not there. */
  readonly expireQuestion: (suspensionId: string, deadline: DueDeadline) => Promise<boolean>;
  /** False where the intent is closed or missing. */
  readonly expireIntent: (intentId: string, deadline: DueDeadline) => Promise<boolean>;
  /** Appends an event to the log of an intent, once under its key; false for an intent that takes none, such as a closed one. */
  readonly appendEvent: (note: IntentNote) => Promise<boolean>;
}

/** Checkpoints, bound to the store and to the key that signs. */
export interface CheckpointWork {
  /**
   * Signs the next one; undefined without a key.
   *
   * @param goOn - called from time to time; throws if the work is to end
   */
  readonly sign: (goOn: () => void) => Promise<TakenCheckpoint | undefined>;
  /** Undefined if every one was delivered there. */
  readonly firstUndelivered: (place: CheckpointPlace) => Promise<Checkpoint | undefined>;
  readonly noteDelivered: (number: number, place: CheckpointPlace, at: string) => Promise<void>;
  /** Adds a line to the end of the configured file, and waits until the disk has it. */
  readonly append: (file: string, line: string) => Promise<void>;
  /** Posts to the configured webhook. */
  readonly post: WebhookSender;
}

/** Retention, bound to the store and to what is configured. `goOn` is called from time to time, and throws to end it. */
export interface RetentionWork {
  readonly mark: (goOn: () => void) => Promise<Marked>;
  /** How many things were removed. */
  readonly remove: (goOn: () => void) => Promise<number>;
}

/** A question in its space; ids are unique within one. */
export interface PlacedQuestion {
  readonly id: string;
  readonly space: string;
}

/** Instants (ISO-8601); both ends belong to it. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/**
 * How the workflow of a question has ended: with its result; `gone` without one, for somebody terminated it; or Temporal
 * knows no such workflow, which may be another Temporal than that of the store.
 */
export type QuestionEnd =
  | {
      readonly kind: 'settled';
      readonly settlement: Settlement;
      /** What the workflow had not written. */
      readonly rows: readonly JournalRow[];
    }
  | { readonly kind: 'gone' | 'missing' };

/** What leaves rows to others to write, or may have lost them. */
export type AskedToWrite = 'suspension' | 'intent' | 'approval';

/** Questions of all spaces as Temporal and the store have them. */
export interface Reconciliation {
  readonly approvals: ApprovalReconciliation;
  /** Questions whose workflows ended in this time, in pages of at most 200. */
  readonly endedIn: (range: TimeRange) => AsyncIterable<readonly PlacedQuestion[]>;
  /** Questions that were asked until an instant (ISO-8601) and are open in the store, in pages of at most 200. */
  readonly openIn: (until: string) => AsyncIterable<readonly PlacedQuestion[]>;
  /** Questions, intents or approvals that were started in this time, or until an instant (ISO-8601), and whose workflows run. */
  readonly runningSince: (
    type: AskedToWrite,
    range: TimeRange | string,
  ) => AsyncIterable<readonly PlacedQuestion[]>;
  /** Those of at most 200 questions that the store does not show as settled. */
  readonly notSettled: (page: readonly PlacedQuestion[]) => Promise<readonly PlacedQuestion[]>;
  /** Those of at most 200 questions of which the store has no opening. */
  readonly notOpened: (page: readonly PlacedQuestion[]) => Promise<readonly PlacedQuestion[]>;
  /** A question as its workflow has it, closed or not; undefined where nobody can ask it. */
  readonly lookUp: (question: PlacedQuestion) => Promise<LiveView | undefined>;
  /** What an open question has come to, if the store shows less: a claim, comments, votes, an attempt. `no_worker` if none answers in time. */
  readonly progressOf: (question: PlacedQuestion) => Promise<JournalRow | 'no_worker' | undefined>;
  /** Those of at most 200 intents that the store does not have. */
  readonly notCreated: (page: readonly PlacedQuestion[]) => Promise<readonly PlacedQuestion[]>;
  /** The intents of at most 200 questions that the store has as they were before their question was asked, or ended. */
  readonly intentsBehind: (page: readonly PlacedQuestion[]) => Promise<readonly PlacedQuestion[]>;
  /** Has an open question, an intent or an approval write what waits. */
  readonly askToWrite: (type: AskedToWrite, placed: PlacedQuestion) => Promise<void>;
  /** Undefined while the workflow of a question runs. */
  readonly endOf: (question: PlacedQuestion) => Promise<QuestionEnd | undefined>;
  readonly writeRows: (rows: readonly JournalRow[], space: string) => Promise<void>;
  /** Counts again what waits for questions, where who moved the graph could not; calls `goOn` between two transactions. */
  readonly recountBlocks: (goOn: () => void) => Promise<void>;
  /** Reports the end of a question to the workflow that waits for it, if one does; what it knows changes nothing. */
  readonly tell: (outcome: LiveView, space: string) => Promise<void>;
  /** Whether an error says that Temporal or the store is away, and so nothing of the one question it came with. */
  readonly isAway: (error: unknown) => boolean;
}

/** Makes the link by which one person answers one question, until the question expires (ISO-8601). */
export type LinkMaker = (content: LinkContent, expiresAt: string | undefined) => Promise<string>;

/** A place that checkpoints are delivered to: the configured file, or the webhook. */
export type CheckpointPlace = 'file' | 'webhook';

/** A signed checkpoint, and the logs that do not continue what an earlier one says of them. */
export interface TakenCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The first hundred. */
  readonly broken: readonly Pick<CheckpointLeaf, 'kind' | 'id'>[];
}

/** The feed as deliveries read it. */
export interface EventFeed {
  /** Up to which position events can be read. */
  readonly position: number;
  /** The position of the newest event of this moment. */
  end(): Promise<number>;
  join(): Promise<void>;
  leave(): void;
  /** Calls back when new events of the scope can be read. Returns how to stop. */
  watch(scope: FeedScope, onNew: () => void): () => void;
  /** The first entries of a range, and whether it has more. */
  read(
    scope: FeedScope,
    range: FeedRange,
  ): Promise<{ readonly rows: readonly FeedEntry[]; readonly more: boolean }>;
}

/** How long the store may take beside a delivery, and how often a delivery sends a heartbeat; milliseconds. */
export interface NotifyTiming {
  readonly logWaitMs: number;
  readonly heartbeatMs: number;
}

/** Everything that the activities of a worker use. */
export interface ActivityDependencies {
  readonly store: ActivityStore;
  readonly deliveries: DeliveryLog;
  /** Messages that are told how their questions end. */
  readonly followUps: FollowUpLog;
  /** Only tests replace it. */
  readonly timing?: NotifyTiming | undefined;
  /** Only tests replace it. */
  readonly followUpTiming?: FollowUpTiming | undefined;
  readonly workflows: WorkflowMessages;
  readonly channels: Channels;
  /** Without it, messages have no links. */
  readonly links?: LinkMaker | undefined;
  readonly feed: EventFeed;
  /** Posts events to subscribers; it reaches no private network. */
  readonly sendWebhook: WebhookSender;
  /** What signs and delivers checkpoints. */
  readonly checkpoints: CheckpointWork;
  /** What removes what is over for long enough. */
  readonly retention: RetentionWork;
  /** What finds questions whose end nobody wrote. */
  readonly reconciliation: Reconciliation;
  /** Takes note of what the reconciler finds. */
  readonly found?: (finding: Finding) => void;
  readonly config: ServerConfig;
  readonly now: () => Date;
}
