import type { Logger } from 'pino';
import type { ServerConfig } from '../../contracts/config.js';
import { buttonKeys, buttonTokens, linkMaker } from '../../runtime/link-tokens.js';
import type { LinkKeys } from '../../runtime/link-tokens.js';
import { createSlackInteractions } from './interactions.js';
import type { SlackInteractions } from './interactions.js';
import type { SlackDeps } from './question.js';
import { openSlackSockets } from './socket.js';

/** What answers in Slack are taken with. */
export type SlackSettings = Pick<SlackDeps, 'makeLink' | 'tokens'>;

/**
 * What answers in Slack are taken with; undefined where no channel has any.
 *
 * @throws StartupError if there are no keys for the tokens of buttons
 */
export function slackSettings(
  { notifications, public_url }: Pick<ServerConfig, 'notifications' | 'public_url'>,
  linkKeys: LinkKeys | undefined,
): SlackSettings | undefined {
  const keys = buttonKeys(notifications, linkKeys);
  if (keys === undefined) return undefined;
  const makeLink = public_url === undefined ? undefined : linkMaker(public_url, keys);
  return { tokens: buttonTokens(keys), makeLink };
}

/** What takes answers in Slack, and fetches those that Slack does not post. */
export interface RunningSlack extends SlackInteractions {
  /** Takes nothing more, and resolves once nothing is under way. */
  close(): Promise<void>;
}

/** Takes answers in Slack; undefined where no channel has any. */
export function startSlack(
  settings: SlackSettings | undefined,
  deps: Pick<SlackDeps, 'config' | 'gateways'> & { readonly log: Logger },
): RunningSlack | undefined {
  if (settings === undefined) return undefined;
  const interactions = createSlackInteractions({ ...deps, ...settings });
  const sockets = openSlackSockets({ ...deps, interactions });
  return {
    ...interactions,
    async close() {
      await sockets.close();
      await interactions.idle();
    },
  };
}
