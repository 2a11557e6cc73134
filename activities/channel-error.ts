import type { TryFailure } from '../contracts/notification.js';

export interface ChannelErrorDetails {
  /** HTTP status of the reply. */
  readonly statusCode?: number;
  /** How long to wait with the next try, in milliseconds; by the usual backoff where absent. */
  readonly retryAfterMs?: number | undefined;
  /** No further try can succeed before somebody changes something. */
  readonly final?: boolean;
}

/**
 * Why a channel could not hand a message over. The message is recorded in Temporal's history and in
 * the timeline: it holds no secret, no address and nothing of what the other side replied.
 */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly kind: TryFailure;
  readonly details: ChannelErrorDetails;

  constructor(kind: TryFailure, message: string, details: ChannelErrorDetails = {}) {
    super(message);
    this.kind = kind;
    this.details = details;
  }
}
