import type { OutgoingChange, SentMessage } from '../../contracts/channel/follow-up.js';
import type { OutgoingMessage } from '../../contracts/channel/notification.js';
import type { Recipient } from '../../domain/directory/directory.js';

export type { OutgoingChoice, OutgoingMessage } from '../../contracts/channel/notification.js';

export interface Addressee {
  readonly principal: string;
  /** The name by which messages address the person. */
  readonly name: string;
  readonly address: string;
  /** The link for an answer: a page of the inbox and its token; absent if links cannot be made. */
  readonly link?: string;
}

export interface DeliverOptions {
  /** The same for every try of one delivery; for channels that can refuse a repeat. */
  readonly idempotencyKey: string;
  /** Aborts when the delivery is no longer wanted or the worker shuts down. */
  readonly signal: AbortSignal;
  /** The recipient of the message, if the channel reaches people by their addresses. */
  readonly to?: Addressee;
  /** The members of the directory whom the message is for, if the channel has one place for all messages. */
  readonly addressed?: readonly Recipient[];
  /** The question of the message, from which its buttons are made; absent if it asks nothing. */
  readonly asks?: Asked;
}

export interface Asked {
  readonly space: string;
  readonly question_version: number;
}

export interface HandedOver {
  readonly reference?: string;
  readonly status_code?: number;
}

export type AddressKind = 'email' | 'slack';

/**
 * A way to reach people. `deliver` resolves once the message is handed over. The delivery is retried after every error,
 * unless it is a `ChannelError` that is final. A channel that leaves the service must not show `suspension_id` in full
 * (R25-100), except to the configured receiver, which needs it to answer.
 */
export interface Channel {
  /** Absent if it has one place for all messages. Otherwise each person gets a message, or those of `otherwise` if nobody is named. */
  readonly reaches?: { readonly by: AddressKind; readonly otherwise?: string | undefined };
  /** `deliver` does nothing, so no try is recorded. */
  readonly tellsNobody?: true;
  /** The person or group that a message in a shared place is for if it names nobody. */
  readonly mentions?: string | undefined;
  deliver(message: OutgoingMessage, options: DeliverOptions): Promise<HandedOver>;
  /**
   * Updates a message after its question changed, or resolves without an update. Its errors are those of `deliver`.
   * Absent if the channel cannot.
   */
  update?(sent: SentMessage, change: OutgoingChange, options: DeliverOptions): Promise<void>;
  /**
   * Asks the service whether it accepts the credentials, within the time of a try. Its errors are those of `deliver`.
   * Absent if there is no such service.
   */
  check?(signal: AbortSignal): Promise<void>;
  /**
   * Whether every message is updated (`each`, as where messages can be edited), or only the newest that each person
   * has of a question.
   */
  readonly updates?: 'each' | 'latest';
}
