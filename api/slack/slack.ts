import {
  LogLevel,
  WebAPIPlatformError,
  WebAPIRequestError,
  WebClient,
  type View,
} from '@slack/web-api';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { SlackConfig } from '../../contracts/channel/channel-config.js';

/** A modal has to be opened within three seconds of the press. */
const CALL_MS = 2_500;

/** The calls of the API to Slack. Each rejects if Slack refuses it. */
export interface SlackPort {
  /** Returns the id of the workspace of the bot. Slack is asked once, and again only after a failure. */
  team(): Promise<string | undefined>;
  openView(trigger_id: string, view: JsonObject): Promise<void>;
  updateView(view_id: string, view: JsonObject): Promise<void>;
  /** Replies at the address that Slack gave. */
  reply(url: string | undefined, message: JsonObject): Promise<void>;
}

/** Whether a modal failed only because it took too long, so that another press helps. */
export function isTooLate(error: unknown): boolean {
  if (error instanceof WebAPIPlatformError) return error.data.error === 'expired_trigger_id';
  return error instanceof WebAPIRequestError && error.original.name === 'TimeoutError';
}

/** Whether an address belongs to this Slack, as `hooks.slack.com` belongs to `https://slack.com/api/`. */
function isOf(apiUrl: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const [api, other] = [new URL(apiUrl), new URL(address)];
  const isBelow = other.hostname.endsWith(`.${api.hostname}`) && other.port === api.port;
  return other.protocol === api.protocol && (other.host === api.host || isBelow);
}

/**
 * Returns the connection of a channel to Slack, with the bot of its app. It retries nothing: a person can press
 * again.
 */
export function slackPort({
  bot_token,
  api_url,
  team,
}: Pick<SlackConfig, 'bot_token' | 'api_url' | 'team'>): SlackPort {
  const client = new WebClient(bot_token, {
    slackApiUrl: api_url,
    allowAbsoluteUrls: false,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: CALL_MS,
    logLevel: LogLevel.ERROR,
  });
  const viewOf = (view: JsonObject): View => view as unknown as View;
  let asked: Promise<string | undefined> | undefined;
  return {
    team() {
      if (team !== undefined) return Promise.resolve(team);
      asked ??= client.auth.test().then(({ team_id }) => team_id);
      asked.catch(() => (asked = undefined));
      return asked;
    },
    async openView(trigger_id, view) {
      await client.views.open({ trigger_id, view: viewOf(view) });
    },
    async updateView(view_id, view) {
      await client.views.update({ view_id, view: viewOf(view) });
    },
    async reply(url, message) {
      if (url === undefined) return;
      if (!isOf(api_url, url)) throw new Error('a private reply would go to another host');
      const { status, ok } = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
        redirect: 'error',
        signal: AbortSignal.timeout(CALL_MS),
      });
      if (!ok) throw new Error(`Slack answered ${status} to a private reply`);
    },
  };
}
