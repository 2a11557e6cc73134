import type { Logger } from 'pino';
import type { ServerConfig } from '../../contracts/server/config.js';
import { buttonKeys, buttonTokens, linkMaker } from '../../runtime/link-tokens.js';
import type { LinkKeys } from '../../runtime/link-tokens.js';
import { createSlackInteractions } from './interactions.js';
import type { SlackInteractions } from './interactions.js';
import type { SlackDeps } from './question.js';
import { openSlackSockets } from './socket.js';

/** The settings of answers in Slack. */
type SlackSettings = Pick<SlackDeps, 'makeLink' | 'tokens'>;

/**
 * Returns the settings of answers in Slack; undefined if no channel takes any.
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

/** Takes answers that Slack posts, and those of its sockets. */
interface RunningSlack extends SlackInteractions {
  /** Takes nothing more, and resolves once nothing is under way. */
  close(): Promise<void>;
}

/** Starts to take answers in Slack; undefined if no channel takes any. */
export function startSlack(
  settings: SlackSettings | undefined,
  deps: Pick<SlackDeps, 'config' | 'partsOf'> & { readonly log: Logger },
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
