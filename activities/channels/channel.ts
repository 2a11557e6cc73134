import type { JsonObject } from '../../contracts/primitives.js';
import type {
  DeliveryReceipt,
  DeliveryTry,
  NotificationRequest,
} from '../../contracts/notification.js';
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
  /** The entries that may leave, with `_attempt` and `_max_attempts` (AM-30). */
  readonly context: JsonObject;
  /** How many entries of the context may not leave. */
  readonly withheld: number;
}

export interface DeliverOptions {
  /** The same for every try of one delivery; for channels that can refuse a repeat. */
  readonly idempotencyKey: string;
  /** Aborts when the delivery is no longer wanted or the worker shuts down. */
  readonly signal: AbortSignal;
}

/** What a channel knows of a message that it has handed over. */
export interface HandedOver {
  /** The channel's own id of the message. */
  readonly reference?: string;
  /** HTTP status of the reply. */
  readonly status_code?: number;
}

/**
 * A way to reach people. Resolves once the message is handed over; any error but a `ChannelError`
 * that says otherwise is taken as temporary and the delivery is tried again.
 *
 * The message's `suspension_id` is a capability: a channel that leaves the service must not show it
 * in full (R25-100), except to a receiver that needs it to answer and is known to be the one that is
 * configured.
 */
export interface Channel {
  deliver(message: OutgoingMessage, options: DeliverOptions): Promise<HandedOver>;
}

/** Remembers deliveries and their tries. `deliveredAt` is an ISO-8601 instant in UTC. */
export interface DeliveryLog {
  find(deliveryId: string): Promise<DeliveryReceipt | undefined>;
  record(deliveryId: string, receipt: DeliveryReceipt, deliveredAt: string): Promise<void>;
  recordTry(tried: DeliveryTry): Promise<void>;
}
