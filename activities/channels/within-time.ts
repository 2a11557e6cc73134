import { ChannelError } from './try-outcome.js';

/** A service that a channel calls: its name in a sentence, and what an error of its own means. */
export interface Service {
  readonly name: string;
  readonly failed: (error: unknown) => ChannelError;
}

/**
 * Waits for a service for so many seconds, and no longer than that is wanted. Throws the reason of the signal, or a ChannelError,
 * which is `no_reply_in_time` if the time is over.
 *
 * @param work - gets the signal of its end
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
