import type { ChatPostMessageResponse, WebClient } from '@slack/web-api';
import type { SentMessage } from '../../../contracts/channel/follow-up.js';
import type { SlackConfig } from '../../../contracts/channel/channel-config.js';
import type { Channel, DeliverOptions, HandedOver, OutgoingMessage } from '../channel.js';
import type { SlackMessage } from './blocks.js';
import { ChannelError } from '../try-outcome.js';
import { createMembers, slackCall, slackClient, slackPost } from './client.js';
import { contentOf, outcomeContent, sendFitting, type ContentSources } from './content.js';

/** Identifies the first message of a question over a channel, to one person or to all. */
export interface FirstMessage {
  readonly space: string;
  readonly suspension_id: string;
  readonly attempt: number;
  readonly channel: string;
  readonly person: string | null;
}

export interface SlackSurroundings extends ContentSources {
  /** Finds the reference of the first message, so that reminders go into its thread; undefined if it is not known. */
  readonly firstReference: (of: FirstMessage) => Promise<string | undefined>;
}

const SURROUNDINGS: SlackSurroundings = {
  inbox: undefined,
  button: undefined,
  firstReference: () => Promise.resolve(undefined),
};

/** A message in Slack: its conversation, and its time stamp, which is its id there. */
interface Place {
  readonly channel: string;
  readonly ts: string;
}

/**
 * A channel that posts to Slack with a bot: to each person, or to one conversation that mentions whoever is named.
 * Reminders go into the thread of the first message.
 *
 * @param name - the configured name
 * @param config - with the secrets themselves
 */
export function createSlackChannel(
  name: string,
  config: SlackConfig,
  surroundings: Partial<SlackSurroundings> = {},
): Channel & Required<Pick<Channel, 'check' | 'update'>> {
  const around = { ...SURROUNDINGS, ...surroundings };
  const { conversation, timeout_seconds } = config;
  const client = slackClient(config);
  const members = createMembers(config, () => client.auth.test());
  return {
    ...(conversation === undefined
      ? { reaches: { by: 'slack', otherwise: config.to } }
      : { mentions: config.to }),
    async deliver(message, options) {
      const place = conversation ?? (await placeFor(options));
      const content = await contentOf(name, message, options, config, { ...around, members });
      const thread = await threadOf(name, message, options, around);
      const sent = await slackPost(
        () =>
          sendFitting(content, (shown) =>
            post(client, thread ?? { channel: place }, shown, message),
          ),
        timeout_seconds,
        options.signal,
      );
      return handedOver(sent);
    },
    async check(signal) {
      await slackCall(() => client.auth.test(), timeout_seconds, signal);
    },
    updates: 'each',
    async update(sent, change, options) {
      const place = placeOf(sent.reference);
      if (place === undefined) return;
      const content =
        change.kind === 'settled'
          ? outcomeContent(change)
          : await contentOf(name, change.message, options, config, { ...around, members });
      await slackCall(
        () => sendFitting(content, (shown) => client.chat.update({ ...place, ...shown })),
        timeout_seconds,
        options.signal,
      );
    },
  };

  /** Ids count within a workspace: somebody else may have the same id in this one. */
  async function placeFor({ to, signal }: DeliverOptions): Promise<string> {
    if (to === undefined) throw new Error('a direct message is for a person of the directory');
    const [user] = await members.here([to.address], signal);
    if (user !== undefined) return user;
    throw new ChannelError('slack_refused', 'the member is of another workspace', { final: true });
  }
}

/** A reminder stays in its thread, but the last one shows in the conversation too. */
function post(
  client: WebClient,
  { channel, ts: thread_ts }: Pick<Place, 'channel'> & Partial<Place>,
  shown: SlackMessage,
  { attempt, max_attempts }: OutgoingMessage,
): Promise<ChatPostMessageResponse> {
  const whole = { ...shown, unfurl_links: false, unfurl_media: false };
  if (thread_ts === undefined) return client.chat.postMessage({ channel, ...whole });
  if (attempt < max_attempts) return client.chat.postMessage({ channel, thread_ts, ...whole });
  return client.chat.postMessage({ channel, thread_ts, reply_broadcast: true, ...whole });
}

function handedOver({ channel, ts }: { channel?: string; ts?: string }): HandedOver {
  const isKnown = channel !== undefined && ts !== undefined;
  return { ...(isKnown && { reference: `${channel}:${ts}` }), status_code: 200 };
}

function placeOf(reference: SentMessage['reference'] | undefined): Place | undefined {
  const [channel = '', ts = ''] = reference?.split(':') ?? [];
  return channel === '' || ts === '' ? undefined : { channel, ts };
}

/** The thread of a reminder: that of the first message, if that is known. */
async function threadOf(
  channel: string,
  { suspension_id, attempt }: OutgoingMessage,
  { asks, to }: DeliverOptions,
  { firstReference }: SlackSurroundings,
): Promise<Place | undefined> {
  if (attempt === 1 || asks === undefined) return undefined;
  const person = to?.principal ?? null;
  const { space } = asks;
  return placeOf(await firstReference({ space, suspension_id, attempt, channel, person }));
}
