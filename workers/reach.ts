import { createChannels } from '../activities/channels/routing.js';
import type { SlackSurroundings } from '../activities/channels/slack/channel.js';
import type { ActivityDependencies } from '../activities/dependencies.js';
import { tolerate } from '../activities/tolerate.js';
import { commandName } from '../contracts/constants/command-name.js';
import type { ServerConfig } from '../contracts/server/config.js';
import type { Environment } from '../runtime/program.js';
import { buttonKeys, buttonMaker, linkMaker } from '../runtime/link-tokens.js';
import type { LinkKeys } from '../runtime/link-tokens.js';
import { firstReferenceOf } from '../store/queries/deliveries.js';
import type { Store } from '../store/schema.js';

/** How long a delivery waits to learn where the first message is; milliseconds. */
const LOOK_MS = 2_000;

/**
 * Creates the channels of the configuration, and the maker of links in their messages if keys and `public_url` are there.
 *
 * @throws StartupError if a channel takes answers in Slack and there are no keys for its buttons
 */
export function reachOf(
  config: Pick<ServerConfig, 'notifications' | 'public_url' | 'directory'>,
  linkKeys: LinkKeys | undefined,
  {
    db,
    traceparent,
    env = {},
  }: {
    readonly db: Store;
    readonly traceparent: () => string | undefined;
    /** What says how people run the command line. */
    readonly env?: Environment;
  },
): Pick<ActivityDependencies, 'channels' | 'links'> {
  const { notifications, public_url } = config;
  const inbox = public_url === undefined ? undefined : `${public_url}/inbox`;
  const channels = createChannels(notifications, undefined, {
    console: {
      inbox,
      command: env['HOLDPOINT_COMMAND'] || commandName(import.meta.url, env),
    },
    webhook: { traceparent },
    email: { inbox },
    slack: { inbox, ...slackOf(config, db, linkKeys) },
  });
  if (linkKeys === undefined || public_url === undefined) return { channels };
  return { channels, links: linkMaker(public_url, linkKeys) };
}

/** What channels to Slack use of the installation. Throws as `reachOf` does. */
export function slackOf(
  { notifications }: Pick<ServerConfig, 'notifications'>,
  db: Store,
  linkKeys: LinkKeys | undefined,
): Omit<SlackSurroundings, 'inbox'> {
  const keys = buttonKeys(notifications, linkKeys);
  return {
    button: keys && buttonMaker(keys),
    firstReference: (first) =>
      tolerate('first_message_unread', first, LOOK_MS, () => firstReferenceOf(db, first)),
  };
}
