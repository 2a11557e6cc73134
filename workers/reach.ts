import { createChannels } from '../activities/channels/routing.js';
import type { SlackSurroundings } from '../activities/channels/slack/channel.js';
import type { ActivityDependencies } from '../activities/dependencies.js';
import { tolerate } from '../activities/tolerate.js';
import type { ServerConfig } from '../contracts/config.js';
import { recipientsNamed } from '../domain/directory/directory.js';
import { buttonKeys, buttonMaker, linkMaker } from '../runtime/link-tokens.js';
import type { LinkKeys } from '../runtime/link-tokens.js';
import { firstReferenceOf } from '../store/queries/deliveries.js';
import type { Store } from '../store/schema.js';

/** How long a delivery waits to learn where the first message is; milliseconds. */
const LOOK_MS = 2_000;

/**
 * The channels of the configuration, and what makes the links in their messages if there is all that it takes.
 *
 * @throws StartupError if a channel takes answers in Slack and there are no keys for its buttons
 */
export function reachOf(
  config: Pick<ServerConfig, 'notifications' | 'public_url' | 'directory'>,
  linkKeys: LinkKeys | undefined,
  { db, traceparent }: { readonly db: Store; readonly traceparent: () => string | undefined },
): Pick<ActivityDependencies, 'channels' | 'links'> {
  const { notifications, public_url } = config;
  const inbox = public_url === undefined ? undefined : `${public_url}/inbox`;
  const channels = createChannels(notifications, undefined, {
    webhook: { traceparent },
    email: { inbox },
    slack: { inbox, ...slackOf(config, db, linkKeys) },
  });
  if (linkKeys === undefined || public_url === undefined) return { channels };
  return { channels, links: linkMaker(public_url, linkKeys) };
}

/** What channels to Slack use of the installation. Throws as `reachOf` does. */
export function slackOf(
  { directory, notifications }: Pick<ServerConfig, 'directory' | 'notifications'>,
  db: Store,
  linkKeys: LinkKeys | undefined,
): Omit<SlackSurroundings, 'inbox'> {
  const keys = buttonKeys(notifications, linkKeys);
  return {
    button: keys && buttonMaker(keys),
    membersNamed: (name, space) =>
      recipientsNamed(directory, name, space).flatMap(({ slack }) => slack ?? []),
    firstReference: (first) =>
      tolerate('first_message_unread', first, LOOK_MS, () => firstReferenceOf(db, first)),
  };
}
