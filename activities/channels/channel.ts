import type { JsonObject } from '../../contracts/primitives.js';
import type { NotificationRequest } from '../../contracts/notification.js';
import type { SuspensionChoice } from '../../contracts/suspension.js';

/** A choice as an operator needs it to answer; its `metadata` stays inside. */
export type OutgoingChoice = Omit<SuspensionChoice, 'metadata'>;

/** What a channel may see of a notification: the request after redaction. */
export interface OutgoingMessage extends Omit<
  NotificationRequest,
  'delivery_id' | 'question' | 'choices' | 'context'
> {
  /** The question in the wording of its attempt (R26-63). */
  readonly text: string;
  readonly choices?: readonly OutgoingChoice[];
  /** The entries that may leave, with `_attempt` and `_max_attempts`. */
  readonly context: JsonObject;
  /** How many entries of the context were left out. */
  readonly withheld: number;
}

export interface DeliverOptions {
  /** The same for every try of one delivery; for channels that can refuse a repeat. */
  readonly idempotencyKey: string;
  /** Aborts when the delivery is no longer wanted or the worker shuts down. */
  readonly signal: AbortSignal;
}

/** What a channel knows of a message that it handed over. */
export interface HandedOver {
  /** The channel's own id of the message. */
  readonly reference?: string;
  /** HTTP status of the reply. */
  readonly status_code?: number;
}

/**
 * A way to reach people. `deliver` resolves once the message is handed over. Every error counts as temporary,
 * and the delivery is tried again, unless it is a `ChannelError` that is final.
 *
 * Who knows the message's `suspension_id` can answer the question. A channel that leaves the service must not
 * show it in full (R25-100), except to the configured receiver, which needs it to answer.
 */
export interface Channel {
  deliver(message: OutgoingMessage, options: DeliverOptions): Promise<HandedOver>;
}
