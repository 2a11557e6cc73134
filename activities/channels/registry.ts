import type { ChannelConfig, ServerConfig } from '../../contracts/config.js';
import type { Channel } from '../ports.js';
import { createConsoleChannel } from './console.js';
import type { ConsoleWriter } from './console.js';
import { createWebhookChannel } from './webhook.js';
import { undeliverable } from '../undeliverable.js';

type NotificationConfig = ServerConfig['notifications'];

/** Channels by the name that `channel_hint` uses for them. */
export type Channels = ReadonlyMap<string, Channel>;

export interface SelectedChannel {
  readonly name: string;
  readonly channel: Channel;
  readonly e2e_encrypted: boolean;
}

/** Makes every configured channel; console channels write to `writer`. */
export function createChannels(config: NotificationConfig, writer?: ConsoleWriter): Channels {
  const named = Object.entries(config.channels);
  return new Map(named.map(([name, channel]) => [name, createChannel(name, channel, writer)]));
}

function createChannel(name: string, config: ChannelConfig, writer?: ConsoleWriter): Channel {
  switch (config.type) {
    case 'console':
      return createConsoleChannel(name, writer);
    case 'webhook':
      return createWebhookChannel(config);
  }
}

/**
 * The channel that a hint names, or the default one where there is no hint.
 *
 * @throws ApplicationFailure `channel_not_configured`, non-retryable, whose details are the channel
 * asked for and the names that are configured.
 */
export function selectChannel(
  hint: string | null,
  config: NotificationConfig,
  channels: Channels,
): SelectedChannel {
  const name = hint ?? config.default_channel;
  const channel = channels.get(name);
  if (channel === undefined) {
    const configured = [...channels.keys()];
    throw undeliverable(
      'channel_not_configured',
      `no channel "${name}" is configured; there is ${configured.join(', ') || 'none'}`,
      { channel: name, configured },
    );
  }
  const e2e_encrypted = config.channels[name]?.e2e_encrypted ?? false;
  return { name, channel, e2e_encrypted };
}
