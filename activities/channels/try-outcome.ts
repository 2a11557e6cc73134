import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { DeliveryTry, TryFailure } from '../../contracts/channel/notification.js';
import type { HandedOver } from './channel.js';
import { defined } from '../../contracts/constants/defined.js';

export interface ChannelErrorDetails {
  readonly statusCode?: number;
  /** The wait before the next try, in milliseconds; the usual backoff if absent. */
  readonly retryAfterMs?: number | undefined;
  /** No further try can succeed until somebody changes something. */
  readonly final?: boolean;
}

/**
 * Why a channel could not hand over a message. Temporal's history and the timeline record the text, so it contains no
 * secret, no address and no reply of the receiver.
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

export function madeTry({ status_code }: HandedOver): TryResult {
  return { outcome: 'delivered', status_code: status_code ?? null };
}

/**
 * Converts a ChannelError into an ApplicationFailure whose type is its kind and whose message has the number of the
 * try. Other errors stay as they are.
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

/** A service that a channel calls: its name in messages, and the translation of its errors. */
export interface Service {
  readonly name: string;
  readonly failed: (error: unknown) => ChannelError;
}

/**
 * Waits for a service until the time is over or the signal aborts. Throws the reason of the signal, or a
 * ChannelError, `no_reply_in_time` if the time is over.
 *
 * @param work - gets a signal that aborts in both cases
 */
export async function withinTime<T>(
  { name, failed }: Service,
  seconds: number,
  wanted: AbortSignal,
  work: (within: AbortSignal) => Promise<T>,
): Promise<T> {
  wanted.throwIfAborted();
  const within = AbortSignal.any([wanted, AbortSignal.timeout(seconds * 1_000)]);
  const over = new Promise<never>((_resolve, reject) => {
    within.addEventListener('abort', () => reject(within.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(within), over]);
  } catch (error) {
    if (error instanceof ChannelError) throw error;
    wanted.throwIfAborted();
    if (!within.aborted) throw failed(error);
    throw new ChannelError('no_reply_in_time', `${name} did not answer within ${seconds} s`);
  }
}
