import { LogLevel, WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../../contracts/slack-config.js';
import { ChannelError } from '../try-outcome.js';
import { slackError } from './slack-error.js';

/** A client of Slack that tries once: what fails is tried again by who knows whether it is still wanted. */
export function slackClient({
  bot_token,
  api_url,
  timeout_seconds,
}: Pick<SlackConfig, 'bot_token' | 'api_url' | 'timeout_seconds'>): WebClient {
  return new WebClient(bot_token, {
    slackApiUrl: api_url,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: timeout_seconds * 1_000,
    logLevel: LogLevel.ERROR,
  });
}

/**
 * A call of Slack that leaves something there. Once it has gone out its reply is awaited, wanted or not: without the reply
 * nobody could change or take back what stands there. Throws as `slackCall` does.
 */
export async function slackPost<T>(
  post: () => Promise<T>,
  seconds: number,
  wanted: AbortSignal,
): Promise<T> {
  wanted.throwIfAborted();
  return slackCall(post, seconds, new AbortController().signal);
}

/** One call of Slack, given up when it is no longer wanted. Throws a ChannelError, or the reason of the signal. */
export async function slackCall<T>(
  call: () => Promise<T>,
  seconds: number,
  wanted: AbortSignal,
): Promise<T> {
  wanted.throwIfAborted();
  const within = AbortSignal.any([wanted, AbortSignal.timeout(seconds * 1_000)]);
  const over = new Promise<never>((_resolve, reject) => {
    within.addEventListener('abort', () => reject(within.reason as Error), { once: true });
  });
  try {
    return await Promise.race([call(), over]);
  } catch (error) {
    wanted.throwIfAborted();
    if (within.aborted) {
      throw new ChannelError('no_reply_in_time', `Slack did not answer within ${seconds} s`);
    }
    throw slackError(error);
  }
}
