import type { JsonObject } from './json.js';
import type { ResponseType, SuspensionChoice } from './suspension.js';

/** One delivery of one attempt, as the suspension hands it to the notify activity. */
export interface NotificationRequest {
  /** `<suspension_id>:<attempt>`, with `:<n>` from the second ladder entry of an attempt on. */
  readonly delivery_id: string;
  readonly suspension_id: string;
  readonly intent_id: string;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly channel_hint: string | null;
  readonly notify_to: string | null;
  readonly question: string;
  readonly response_type: ResponseType;
  readonly choices?: readonly SuspensionChoice[];
  readonly context?: JsonObject;
  readonly expires_at?: string;
  readonly next_attempt_at: string | null;
}

/** What became of a delivery. */
export interface DeliveryReceipt {
  readonly channel: string;
  /** The channel's own id of the message, where it has one. */
  readonly reference?: string;
  /** The message had already gone out under this delivery id. */
  readonly duplicate?: boolean;
}
