import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ChannelConfig, ServerConfig } from '../../contracts/server/config.js';
import { UNDELIVERABLE, type Undeliverable } from '../../contracts/channel/notification.js';
import type { Channel } from './channel.js';
import { createConsoleChannel, type ConsoleWriter, type Pasted } from './console/channel.js';
import { createEmailChannel, type MailSurroundings } from './email/channel.js';
import { createSlackChannel, type SlackSurroundings } from './slack/channel.js';
import { createWebhookChannel } from './webhook/channel.js';
import type { WebhookSurroundings } from './webhook/sender.js';

type NotificationConfig = ServerConfig['notifications'];

/** Channels by the name that `channel_hint` uses for them. */
export type Channels = ReadonlyMap<string, Channel>;

export interface SelectedChannel {
  readonly name: string;
  readonly channel: Channel;
  readonly e2e_encrypted: boolean;
}

export interface ChannelSurroundings {
  readonly console?: Pasted;
  readonly webhook?: Partial<WebhookSurroundings>;
  readonly email?: Partial<MailSurroundings>;
  readonly slack?: Partial<SlackSurroundings>;
}

/** The channel that sends nothing. */
const SILENT: Channel = { tellsNobody: true, deliver: async () => ({}) };

export function createChannels(
  config: NotificationConfig,
  writer?: ConsoleWriter,
  around: ChannelSurroundings = {},
): Channels {
  const configured = Object.entries(config.channels);
  return new Map(
    configured.map(([name, channel]) => [name, createChannel(name, channel, writer, around)]),
  );
}

function createChannel(
  name: string,
  config: ChannelConfig,
  writer: ConsoleWriter | undefined,
  around: ChannelSurroundings,
): Channel {
  switch (config.type) {
    case 'console':
      return createConsoleChannel(name, writer, around.console);
    case 'none':
      return SILENT;
    case 'webhook':
      return createWebhookChannel(config, around.webhook);
    case 'email':
      return createEmailChannel(config, around.email);
    case 'slack':
      return createSlackChannel(name, config, around.slack);
  }
}

/**
 * Returns the channel that a hint names, or the default one without a hint.
 *
 * @throws ApplicationFailure `channel_not_configured`, non-retryable; its details are the channel asked for and the
 * configured names.
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
  return channelNamed(name, channel, config);
}

export function channelNamed(
  name: string,
  channel: Channel,
  config: NotificationConfig,
): SelectedChannel {
  const settings = config.channels[name];
  const e2e_encrypted =
    settings !== undefined && 'e2e_encrypted' in settings && settings.e2e_encrypted;
  return { name, channel, e2e_encrypted };
}

/**
 * Checks that a recipient may be notified (R26-88). Without a configured list everyone may; null leaves the
 * recipient to the channel.
 *
 * @throws ApplicationFailure `recipient_not_allowed`, non-retryable, with the recipient as details.
 */
export function assertAllowedRecipient(
  notifyTo: string | null,
  allowed: readonly string[] | undefined,
): void {
  if (allowed === undefined || notifyTo === null || allowed.includes(notifyTo)) return;
  throw undeliverable(
    'recipient_not_allowed',
    `"${notifyTo}" is not among the recipients that may be notified`,
    { notify_to: notifyTo },
  );
}

/** The failure of a delivery that the configuration does not allow. Temporal neither retries it nor logs a stack. */
export function undeliverable(
  type: Undeliverable,
  message: string,
  details: Readonly<Record<string, unknown>>,
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    details: [details],
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
  });
}

/** Returns why the configuration does not allow a delivery; undefined for any other error. */
export function undeliverableOf(error: unknown): Undeliverable | undefined {
  if (!(error instanceof ApplicationFailure)) return undefined;
  return UNDELIVERABLE.find((type) => type === error.type);
}

/** Returns a name for spans and metrics: that of a configured channel, or `other`, because a question may name any channel. */
export function shownChannel(name: string, { channels }: NotificationConfig): string {
  return Object.hasOwn(channels, name) ? name : 'other';
}
