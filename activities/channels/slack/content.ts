import type { KnownBlock } from '@slack/web-api';
import type { OutgoingOutcome } from '../../../contracts/channel/follow-up.js';
import type { SlackConfig } from '../../../contracts/channel/slack-config.js';
import type { MakeButton } from '../../../contracts/channel/slack.js';
import type { DeliverOptions, OutgoingMessage } from '../channel.js';
import { briefBlocks, hasRoom, questionBlocks } from './blocks.js';
import type { MessageExtras, SlackMessage } from './blocks.js';
import { answerBlocks, shownIn } from './buttons.js';
import type { Members } from './members.js';
import { briefOutcome, outcomeBlocks } from './outcome.js';
import { proposalText } from '../proposal.js';
import { refusesBlocks } from './slack-error.js';

/** The parts of messages besides the question. */
export interface ContentSources {
  /** The address of the inbox; undefined if `public_url` is not configured. */
  readonly inbox: string | undefined;
  /** Makes the tokens of buttons; without it, messages lead to the inbox alone. */
  readonly button: MakeButton | undefined;
}

/** What a message says, and the least of it, for when Slack does not take all. */
export interface Content {
  readonly whole: SlackMessage;
  readonly brief: () => Promise<SlackMessage>;
}

/** What asks a question. A proposal that does not fit whole is left out, and with it the buttons that would decide it. */
export async function contentOf(
  channel: string,
  message: OutgoingMessage,
  options: DeliverOptions,
  config: SlackConfig,
  around: ContentSources & { readonly members: Members },
): Promise<Content> {
  const { addressed = [], signal } = options;
  const mentioned = addressed.flatMap(({ slack }) => slack ?? []);
  const mentions = await around.members.here(mentioned, signal);
  const answersTo = answering(channel, message, options, config, around);
  const extrasWith = async (proposal?: string): Promise<MessageExtras> => ({
    mentions,
    proposal,
    answers: await answersTo(proposal !== undefined),
  });
  const all = await extrasWith(proposalText(message));
  const extras = hasRoom(message, all) ? all : await extrasWith();
  return {
    whole: questionBlocks(message, extras),
    brief: async () => briefBlocks(message, await extrasWith()),
  };
}

/** Makes what a message is answered with, by whether it shows all that an approval is about. */
function answering(
  channel: string,
  message: OutgoingMessage,
  { asks, to }: DeliverOptions,
  { answers }: SlackConfig,
  { inbox, button }: ContentSources,
): (isShown: boolean) => Promise<readonly KnownBlock[]> {
  const { suspension_id, expires_at } = message;
  const shown = shownIn(message);
  const token =
    answers &&
    button &&
    asks &&
    ((choice?: number) => {
      const chosen = choice === undefined ? {} : { choice };
      return button({ ...asks, channel, suspension_id, ...shown, ...chosen }, expires_at);
    });
  const page = to?.link ?? inbox;
  return (isShown) =>
    answerBlocks(message, { token, page, decides: isShown && answers?.approvals === true });
}

/** The content that shows the end of a question. */
export function outcomeContent(outcome: OutgoingOutcome): Content {
  return {
    whole: outcomeBlocks(outcome),
    brief: () => Promise.resolve(briefOutcome(outcome)),
  };
}

/** Sends a message, and the least of it once more if Slack does not take its blocks. */
export async function sendFitting<T>(
  { whole, brief }: Content,
  send: (message: SlackMessage) => Promise<T>,
): Promise<T> {
  try {
    return await send(whole);
  } catch (error) {
    if (!refusesBlocks(error)) throw error;
  }
  return send(await brief());
}
