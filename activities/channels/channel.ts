import type { OutgoingChange, SentMessage } from '../../contracts/follow-up.js';
import type { OutgoingMessage } from '../../contracts/notification.js';

export type { OutgoingChoice, OutgoingMessage } from '../../contracts/notification.js';

/** A person of the directory, as a channel to people reaches it. */
export interface Addressee {
  readonly principal: string;
  /** As messages address it. */
  readonly name: string;
  readonly address: string;
  /** Where it answers with one click: a page of the inbox and the token for it; absent where nobody can make links. */
  readonly link?: string;
}

export interface DeliverOptions {
  /** The same for every try of one delivery; for channels that can refuse a repeat. */
  readonly idempotencyKey: string;
  /** Aborts when the delivery is no longer wanted or the worker shuts down. */
  readonly signal: AbortSignal;
  /** Whom the message is for, if the channel reaches people by their addresses. */
  readonly to?: Addressee;
  /** What the message asks, for what is made to answer it; absent if it asks nothing. */
  readonly asks?: Asked;
}

/** Which version of a question a message shows, and in which space. */
export interface Asked {
  readonly space: string;
  readonly question_version: number;
}

/** What a channel knows of a message that it handed over. */
export interface HandedOver {
  /** The channel's own id of the message. */
  readonly reference?: string;
  /** Status of the reply, over HTTP or SMTP. */
  readonly status_code?: number;
}

/** By what a person of the directory is reached. */
export type AddressKind = 'email' | 'slack';

/**
 * A way to reach people. `deliver` resolves once the message is handed over. Every error counts as temporary,
 * and the delivery is tried again, unless it is a `ChannelError` that is final.
 *
 * Who knows the message's `suspension_id` can answer the question. A channel that leaves the service must not
 * show it in full (R25-100), except to the configured receiver, which needs it to answer.
 */
export interface Channel {
  /**
   * Absent if it has one place for all messages. Otherwise each person gets a message of its own: those that `notify_to`
   * names in the directory, or those of `otherwise` where it names nobody.
   */
  readonly reaches?: { readonly by: AddressKind; readonly otherwise?: string | undefined };
  deliver(message: OutgoingMessage, options: DeliverOptions): Promise<HandedOver>;
  /**
   * Tells a message that was handed over what has become of its question, or resolves if there is nothing that it tells.
   * Its errors are those of `deliver`. Absent if it cannot.
   */
  update?(sent: SentMessage, change: OutgoingChange, options: DeliverOptions): Promise<void>;
  /**
   * Asks its service whether it is there and takes the credentials, without a message to anybody, within the time of a try. Its
   * errors are those of `deliver`. Absent if there is nothing to ask.
   */
  check?(signal: AbortSignal): Promise<void>;
  /** Whether every message is told, as where messages can be edited, or the newest that each person has of a question. */
  readonly updates?: 'each' | 'latest';
}
