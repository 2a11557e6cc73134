import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { DeliveryTry } from '../contracts/notification.js';
import { ChannelError } from './channel-error.js';
import type { HandedOver } from './ports.js';

type TryResult = Pick<DeliveryTry, 'outcome' | 'status_code'>;

/** Why a try failed; `calledOff` where nobody wants it any more, or its worker shuts down. */
export function failedTry(error: unknown, calledOff: boolean): TryResult {
  if (calledOff) return { outcome: 'called_off', status_code: null };
  if (!(error instanceof ChannelError)) return { outcome: 'channel_failed', status_code: null };
  return { outcome: error.kind, status_code: error.details.statusCode ?? null };
}

/** What a try that went out is recorded as. */
export function madeTry({ status_code }: HandedOver): TryResult {
  return { outcome: 'delivered', status_code: status_code ?? null };
}

/**
 * An error of a channel as Temporal takes it: a ChannelError becomes an ApplicationFailure whose type
 * is its kind and whose message names the try; any other error stays what it is.
 */
export function asFailure(error: unknown, tryNumber: number): unknown {
  if (!(error instanceof ChannelError)) return error;
  const { final = false, retryAfterMs } = error.details;
  return ApplicationFailure.create({
    type: error.kind,
    message: `${error.message} (try ${tryNumber})`,
    nonRetryable: final,
    category: ApplicationFailureCategory.BENIGN,
    ...(retryAfterMs !== undefined && { nextRetryDelay: retryAfterMs }),
  });
}
