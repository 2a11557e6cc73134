import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { DeliveryTry, TryFailure } from '../../contracts/channel/notification.js';
import type { HandedOver } from './channel.js';
import { defined } from '../../contracts/constants/defined.js';

export interface ChannelErrorDetails {
  /** HTTP status of the reply. */
  readonly statusCode?: number;
  /** The wait before the next try, in milliseconds; the usual backoff if absent. */
  readonly retryAfterMs?: number | undefined;
  /** No further try can succeed until somebody changes something. */
  readonly final?: boolean;
}

/**
 * Why a channel could not hand a message over. The text is recorded in Temporal's history and in the
 * timeline, so it contains no secret, no address and nothing that the receiver replied.
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

type TryResult = Pick<DeliveryTry, 'outcome' | 'status_code'>;

/** Why a try failed; `calledOff` if the delivery was cancelled or its worker is shutting down. */
export function failedTry(error: unknown, calledOff: boolean): TryResult {
  if (calledOff) return { outcome: 'called_off', status_code: null };
  if (!(error instanceof ChannelError)) return { outcome: 'channel_failed', status_code: null };
  return { outcome: error.kind, status_code: error.details.statusCode ?? null };
}

/** The record of a try that was delivered. */
export function madeTry({ status_code }: HandedOver): TryResult {
  return { outcome: 'delivered', status_code: status_code ?? null };
}

/**
 * An error of a channel in Temporal's form: a ChannelError becomes an ApplicationFailure whose type is its
 * kind and whose message contains the number of the try. Other errors stay as they are.
 */
export function asFailure(error: unknown, tryNumber: number): unknown {
  if (!(error instanceof ChannelError)) return error;
  const { final = false, retryAfterMs } = error.details;
  return ApplicationFailure.create({
    type: error.kind,
    message: `${error.message} (try ${tryNumber})`,
    nonRetryable: final,
    category: ApplicationFailureCategory.BENIGN,
    ...defined({ nextRetryDelay: retryAfterMs }),
  });
}
