import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { ChannelError } from '../try-outcome.js';

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

/** Slack's errors about blocks, and not about the destination or the token. */
const BLOCKS: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
]);

/** Whether Slack takes no message with these blocks, but perhaps one with fewer. */
export function refusesBlocks(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && BLOCKS.has(error.data.error);
}

/** Translates a failure of Slack. A refused message or place is final; a refused login or rate is not. The texts have no secret. */
export function slackError(error: unknown): ChannelError {
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
