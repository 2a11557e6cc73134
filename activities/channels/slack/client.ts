import { LogLevel, WebClient } from '@slack/web-api';
import type { SlackConfig } from '../../../contracts/channel/slack-config.js';
import { withinTime } from '../within-time.js';
import { slackError } from './slack-error.js';

/** Creates a client of Slack that tries once: only the caller knows whether another try is still wanted. */
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

/** Makes a call that leaves something in Slack, and awaits its reply, wanted or not: changing a message takes the reply. */
export async function slackPost<T>(
  post: () => Promise<T>,
  seconds: number,
  wanted: AbortSignal,
): Promise<T> {
  wanted.throwIfAborted();
  return slackCall(post, seconds, new AbortController().signal);
}

/** Makes a call to Slack, until it is no longer wanted. Throws a ChannelError, or the reason of the signal. */
export function slackCall<T>(
  call: () => Promise<T>,
  seconds: number,
  wanted: AbortSignal,
): Promise<T> {
  return withinTime({ name: 'Slack', failed: slackError }, seconds, wanted, call);
}
