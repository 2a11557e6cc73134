import type { SentMessage } from '../../contracts/channel/follow-up.js';
import type { DeliveryReceipt, DeliveryTry } from '../../contracts/channel/notification.js';
import type { FeedEntry, FeedRange, FeedScope } from '../../contracts/subscription/feed.js';
import type { FollowedQuestion } from '../../domain/suspension/telling/follow-up.js';
import type { Checkpoint, CheckpointLeaf } from '../../contracts/log/checkpoint.js';
import type { WebhookSender } from '../channels/webhook/sender.js';
import type { Marked } from '../types.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { PushTarget, QuietHours } from '../../contracts/people/noticing.js';
import type { NoticedQuestion } from '../../domain/suspension/telling/notice.js';

/** Records deliveries and their tries. `deliveredAt` is an ISO-8601 instant in UTC. */
export interface DeliveryLog {
  find(deliveryId: string): Promise<DeliveryReceipt | undefined>;
  /** A `followed` message is updated when its question ends. */
  record(
    deliveryId: string,
    receipt: DeliveryReceipt,
    followed?: Pick<SentMessage, 'person' | 'shows'>,
  ): Promise<void>;
  recordTry(tried: DeliveryTry): Promise<void>;
}

/** The event feed, as deliveries read it. */
export interface EventFeed {
  /** The position up to which events can be read. */
  readonly position: number;
  /** The position of the newest event now. */
  end(): Promise<number>;
  join(): Promise<void>;
  leave(): void;
  /** Whether an event may have had this position; the feed has never reached a higher one. */
  mayHave(position: number): Promise<boolean>;
  /**
   * Calls back when new events of the scope can be read; with a position if the store lost the events after it and
   * reissues their numbers. Returns a function that stops.
   */
  watch(scope: FeedScope, onNew: (backTo?: number) => void): () => void;
  read(
    scope: FeedScope,
    range: FeedRange,
  ): Promise<{ readonly rows: readonly FeedEntry[]; readonly more: boolean }>;
}

export interface DueFollowUp extends SentMessage, FollowedQuestion {
  readonly space: string;
  readonly tries: number;
  /** A count of the changes; noting an older count leaves the message due. */
  readonly news: number;
  /** Whether the person has no newer message of this question over this channel. */
  readonly latest: boolean;
}

export interface FollowUpLog {
  /** Finds changes that were missed while two transactions crossed. */
  readonly sweep: () => Promise<void>;
  readonly due: (range: {
    readonly at: string;
    readonly limit: number;
    readonly except: readonly string[];
  }) => Promise<readonly DueFollowUp[]>;
  /** Notes the version that a message shows now; null if it needs no further update. */
  readonly told: (sent: DueFollowUp, shows: number | null) => Promise<void>;
  readonly putOff: (sent: DueFollowUp, until: string) => Promise<void>;
}

/** Checkpoints, bound to the store and to the signing key. */
export interface CheckpointWork {
  /** Signs the next checkpoint; undefined without a key. Calls `goOn` from time to time, which throws to end the work. */
  readonly sign: (goOn: () => void) => Promise<TakenCheckpoint | undefined>;
  /** Undefined if all were delivered there. */
  readonly firstUndelivered: (place: CheckpointPlace) => Promise<Checkpoint | undefined>;
  readonly noteDelivered: (number: number, place: CheckpointPlace, at: string) => Promise<void>;
  /** Appends a line to the configured file, and waits until it is on disk. */
  readonly append: (file: string, line: string) => Promise<void>;
  readonly post: WebhookSender;
}

/** A place to which checkpoints are delivered: the configured file, or the webhook. */
export type CheckpointPlace = 'file' | 'webhook';

/** A signed checkpoint, and the logs that are no continuation of an earlier one. */
export interface TakenCheckpoint {
  readonly checkpoint: Checkpoint;
  /** At most the first hundred. */
  readonly broken: readonly Pick<CheckpointLeaf, 'kind' | 'id'>[];
}

/**
 * Retention, bound to the store and the configuration. `goOn` is called from time to time, and throws to end the
 * work.
 */
export interface RetentionWork {
  readonly mark: (goOn: () => void) => Promise<Marked>;
  /** Returns how many things were removed. */
  readonly remove: (goOn: () => void) => Promise<number>;
}

/** A browser for which push messages are due. */
export interface DuePush extends PushTarget {
  readonly session_id: string;
  /** The person of its session. */
  readonly caller: Caller;
  readonly channel: string;
  readonly tries: number;
  readonly quiet_hours: QuietHours | null;
  /** Whether its session is unused for so long that it can show no page any more. */
  readonly is_idle: boolean;
}

/** A question that a browser is to be notified of. */
export interface PushedQuestion extends NoticedQuestion {
  readonly expires_at: string | null;
  /** The attempt that the browser is notified of. */
  readonly mark: number;
}

/** The pending push messages of all spaces, in the store. */
export interface PushWork {
  /** Deletes browsers whose sessions are over, and marks questions whose snooze has ended as due. */
  readonly sweep: () => Promise<void>;
  /** Determines the browsers for new questions; returns whether there may be more. */
  readonly fanOut: () => Promise<boolean>;
  readonly due: (range: {
    readonly limit: number;
    readonly except: readonly string[];
  }) => Promise<readonly DuePush[]>;
  readonly questions: (due: DuePush) => Promise<readonly PushedQuestion[]>;
  /** Notes the questions that a browser was notified of, and when the rest may follow. */
  readonly told: (due: DuePush, told: readonly PushedQuestion[], next: string) => Promise<void>;
  readonly putOff: (due: DuePush, until: string, hasFailed: boolean) => Promise<void>;
  /** Deletes a browser that its push service no longer knows. */
  readonly end: (due: DuePush) => Promise<void>;
}
