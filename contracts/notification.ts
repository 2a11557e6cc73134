import type { JsonObject } from './primitives.js';
import type { ResponseType, SuspensionChoice } from './suspension.js';

/** One delivery of one attempt, as the suspension hands it to the notify activity. */
export interface NotificationRequest {
  /** `<suspension_id>:<attempt>`, with `:<n>` from the second ladder entry of an attempt on. */
  readonly delivery_id: string;
  readonly suspension_id: string;
  readonly intent_id: string | null;
  readonly attempt: number;
  readonly max_attempts: number;
  /** When the attempt was due (ISO-8601). */
  readonly due_at: string;
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
  /** Which try went out, where it was not the first. */
  readonly tries?: number;
}

/** Why a try did not go out. */
export type TryFailure =
  | 'address_refused'
  | 'called_off'
  | 'channel_failed'
  | 'connection_failed'
  | 'endpoint_gone'
  | 'no_reply_in_time'
  | 'redirect_not_followed'
  | 'response_not_2xx';

/** One try of a delivery, as it is recorded; neither what was sent nor what came back. */
export interface DeliveryTry {
  readonly delivery_id: string;
  /** Counted from 1; a number that is missing is a try whose worker died or could not record it. */
  readonly try_number: number;
  /** When it began (ISO-8601). */
  readonly at: string;
  readonly channel: string;
  readonly outcome: 'delivered' | TryFailure;
  /** HTTP status of the reply, where there was one. */
  readonly status_code: number | null;
  readonly duration_ms: number;
}
