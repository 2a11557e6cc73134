import {
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from '@slack/web-api';
import { ChannelError, withinTime } from '../try-outcome.js';
import type { SlackConfig } from '../../../contracts/channel/channel-config.js';
import { slackMember } from '../../../contracts/constants/slack-member.js';

/** Errors that somebody must correct in Slack or in the settings; the next try may succeed. */
const LOGIN: ReadonlySet<string> = new Set([
  'account_inactive',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_authed',
  'not_in_channel',
  'org_login_required',
  'token_expired',
  'token_revoked',
]);

/** Errors that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'rate_limited',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

/** Slack's errors about blocks, not about the destination or the token. */
const BLOCKS: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
]);

export function refusesBlocks(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && BLOCKS.has(error.data.error);
}

/**
 * Translates a failure of Slack. A refused message or place is final; a refused login or rate is not. The messages
 * contain no secret.
 */
function slackError(error: unknown): ChannelError {
  if (error instanceof WebAPIRateLimitedError) {
    const retryAfterMs = Math.min(Math.max(error.retryAfter, 1), 3_600) * 1_000;
    const details = { statusCode: 429, retryAfterMs };
    return new ChannelError('slack_limited', 'Slack takes no more messages for now', details);
  }
  if (error instanceof WebAPIPlatformError) return platformError(error.data.error);
  if (error instanceof WebAPIHTTPError) {
    const details = { statusCode: error.statusCode };
    return new ChannelError('response_not_2xx', `Slack answered ${error.statusCode}`, details);
  }
  if (error instanceof WebAPIRequestError && error.original.name === 'TimeoutError') {
    return new ChannelError('no_reply_in_time', 'Slack did not answer in time');
  }
  return new ChannelError('connection_failed', 'Slack was not reached');
}

function platformError(said: string): ChannelError {
  const code = /^[a-z_]{1,60}$/.test(said) ? said : 'an unknown error';
  const text = `Slack answered ${code}`;
  if (PASSING.has(said)) return new ChannelError('slack_limited', text, { statusCode: 200 });
  if (LOGIN.has(said)) return new ChannelError('slack_login_refused', text, { statusCode: 200 });
  return new ChannelError('slack_refused', text, { statusCode: 200, final: true });
}

/** Creates a Slack client that tries once: only the caller knows whether another try is still wanted. */
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
 * Makes a call that changes something in Slack, and awaits its reply even if no longer wanted, because later updates
 * of the message need it.
 */
export async function slackPost<T>(
  post: () => Promise<T>,
  seconds: number,
  wanted: AbortSignal,
): Promise<T> {
  wanted.throwIfAborted();
  return slackCall(post, seconds, new AbortController().signal);
}

/** Calls Slack until the signal aborts. Throws a ChannelError, or the reason of the signal. */
export function slackCall<T>(
  call: () => Promise<T>,
  seconds: number,
  wanted: AbortSignal,
): Promise<T> {
  return withinTime({ name: 'Slack', failed: slackError }, seconds, wanted, call);
}

export interface Members {
  /**
   * Returns the ids of those directory members who are in this workspace; an id without a team always is. Throws as
   * `slackCall` does where Slack has to be asked which workspace this is.
   */
  here(members: readonly string[], wanted: AbortSignal): Promise<readonly string[]>;
}

/** @param ask - asks Slack for the workspace of the bot; at most once, but again after a failure */
export function createMembers(
  { team: configured, timeout_seconds }: Pick<SlackConfig, 'team' | 'timeout_seconds'>,
  ask: () => Promise<{ readonly team_id?: string | undefined }>,
): Members {
  let own = configured;
  return {
    async here(members, wanted) {
      const known = members.map(slackMember);
      if (own === undefined && known.some(({ team }) => team !== undefined)) {
        own = (await slackCall(ask, timeout_seconds, wanted)).team_id;
      }
      return known.flatMap(({ user, team }) => (team === undefined || team === own ? [user] : []));
    },
  };
}
