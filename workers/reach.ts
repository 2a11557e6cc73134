import { createChannels } from '../activities/channels/routing.js';
import type { ActivityDependencies } from '../activities/dependencies.js';
import type { ServerConfig } from '../contracts/config.js';
import { linkMaker } from '../runtime/link-tokens.js';
import type { LinkKeys } from '../runtime/link-tokens.js';

/** The channels of the configuration, and what makes the links in their messages if there is all that it takes. */
export function reachOf(
  { notifications, public_url }: Pick<ServerConfig, 'notifications' | 'public_url'>,
  linkKeys: LinkKeys | undefined,
  traceparent: () => string | undefined,
): Pick<ActivityDependencies, 'channels' | 'links'> {
  const inbox = public_url === undefined ? undefined : `${public_url}/inbox`;
  const channels = createChannels(notifications, undefined, {
    webhook: { traceparent },
    email: { inbox },
  });
  if (linkKeys === undefined || public_url === undefined) return { channels };
  return { channels, links: linkMaker(public_url, linkKeys) };
}
