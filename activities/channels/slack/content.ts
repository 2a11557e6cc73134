import type { Button, KnownBlock } from '@slack/web-api';
import type { ButtonContent, MakeButton } from '../../../contracts/channel/slack.js';
import { cutLabels, numberedIfCut } from '../../../domain/kernel/shown-text.js';
import { isDangerous } from '../../../domain/suspension/form/once-more.js';
import { validChoices } from '../../../domain/suspension/answering/response.js';
import type { DeliverOptions, OutgoingChoice, OutgoingMessage } from '../channel.js';
import { visibleLine } from '../../../contracts/constants/visible-text.js';
import { beforeIn, decidersIn, editIn, entryText, notesIn } from '../entries.js';
import {
  BRIEF_CHARACTERS,
  SUMMARY_CHARACTERS,
  briefBlocks,
  charactersIn,
  hasRoom,
  markup,
  questionBlocks,
  roomBeside,
  sections,
  small,
  type MessageExtras,
  type SlackMessage,
} from './blocks.js';
import { instantForAll, isPlain, plainLine, shownLength, summaryLine } from './text.js';
import type { OutgoingOutcome } from '../../../contracts/channel/follow-up.js';
import { proposalText } from '../proposal.js';
import type { SlackConfig } from '../../../contracts/channel/channel-config.js';
import { refusesBlocks, type Members } from './client.js';

/** The prefix of button ids; the rest distinguishes them within a message. */
export const ACTION = 'holdpoint';
/** With more choices than this, people choose in a form. */
const MOST_BUTTONS = 10;
const LABEL_CHARACTERS = 75;
/** The most characters for the list of cut labels; if it is longer, people answer in a form or the inbox. */
const LIST_CHARACTERS = 3_000;
const CONFIRM_CHARACTERS = 300;
const TITLE_CHARACTERS = 100;

export interface ButtonMaking {
  /**
   * Makes the token of a button that answers with the choice at this position, or, without a position, asks for the
   * answer.
   */
  readonly token: ((choice?: number) => Promise<string>) | undefined;
  /** The page of the person's own link, or of the inbox; undefined where `public_url` is not configured. */
  readonly page: string | undefined;
  /** Whether a button suffices to decide an approval: the message shows it in full, and the settings allow that. */
  readonly decides: boolean;
}

/** The part of a button's token that identifies the question. */
function shownIn({ approval }: OutgoingMessage): Pick<ButtonContent, 'proposal_hash'> {
  return approval === undefined ? {} : { proposal_hash: approval.proposal_hash };
}

/** How a message is answered: buttons for what can be chosen, one for a form, and a way into the inbox. */
export async function answerBlocks(
  message: OutgoingMessage,
  { token, page, decides }: ButtonMaking,
): Promise<readonly KnownBlock[]> {
  const isApproval = message.approval !== undefined;
  const open = page === undefined ? [] : [pageButton(page)];
  if (message.alert) return actions(open);
  if (message.informs) return [small('You cannot answer it. Who can:', [decidersIn(message)])];
  if (token === undefined) return open.length > 0 ? actions(open) : [small(IN_INBOX)];
  // A press replies privately with the page to sign in on.
  if (isApproval && !decides) {
    return actions([await formButton(token, 'Decide')]);
  }
  const { response_type, choices: listed } = message;
  const choices = validChoices({ response_type, ...(listed && { choices: [...listed] }) });
  if (choices.length === 0) return actions([await formButton(token, 'Answer'), ...open]);
  const labels = choices.map(({ label }) => visibleLine(label));
  const list = cutLabels(labels, LABEL_CHARACTERS);
  if (choices.length > MOST_BUTTONS || shownLength(list) > LIST_CHARACTERS) {
    return actions([await formButton(token, 'Choose'), ...open]);
  }
  const buttons = await Promise.all(
    choices.map(async (choice, index) =>
      choiceButton(choice, index, await token(index), isApproval),
    ),
  );
  return [...sections(list, LIST_CHARACTERS), ...actions([...buttons, ...open])];
}

const IN_INBOX = 'Answer it in the inbox of Holdpoint.';

function actions(elements: readonly Button[]): readonly KnownBlock[] {
  return elements.length === 0 ? [] : [{ type: 'actions', elements: [...elements] }];
}

function pageButton(url: string): Button {
  return { type: 'button', action_id: `${ACTION}:page`, text: plainLine('Open', 10), url };
}

async function formButton(
  token: NonNullable<ButtonMaking['token']>,
  label: string,
): Promise<Button> {
  const text = plainLine(label, LABEL_CHARACTERS);
  return { type: 'button', action_id: `${ACTION}:form`, text, value: await token() };
}

/**
 * Dangerous choices and decisions about approvals ask for confirmation. A cut label has the number of its line in the
 * list above.
 */
function choiceButton(
  choice: OutgoingChoice,
  index: number,
  value: string,
  isApproval: boolean,
): Button {
  const { description, style } = choice;
  const label = numberedIfCut(visibleLine(choice.label), index, LABEL_CHARACTERS);
  const hasDanger = isDangerous(choice);
  return {
    type: 'button',
    action_id: `${ACTION}:${index}`,
    text: plainLine(label, LABEL_CHARACTERS),
    value,
    ...((style === 'danger' || style === 'primary') && { style }),
    ...((hasDanger || isApproval) && {
      confirm: {
        title: plainLine(label, TITLE_CHARACTERS),
        text: plainLine(description ?? 'Are you sure?', CONFIRM_CHARACTERS),
        confirm: plainLine('Yes', 30),
        deny: plainLine('No', 30),
        ...(hasDanger && { style: 'danger' as const }),
      },
    }),
  };
}

const NAME_CHARACTERS = 1_000;
const NOTES_CHARACTERS = 3_000;

/** The same message after its question ended, without buttons. Pure. */
export function outcomeBlocks(outcome: OutgoingOutcome): SlackMessage {
  const { question } = outcome;
  const said = [...editBlocks(outcome), ...saidOf(outcome), ...noteBlocks(outcome)];
  const decided = decidedBlocks(outcome, roomBeside(said) - shownLength(question));
  const asked = sections(question, roomBeside([...said, ...decided]));
  return { text: endOf(outcome), blocks: [...asked, ...decided, ...said] };
}

/** Only the question and its outcome, for when Slack refuses the full message. Pure. */
export function briefOutcome(outcome: OutgoingOutcome): SlackMessage {
  const asked = sections(outcome.question, BRIEF_CHARACTERS);
  const decided = decidedBlocks(outcome, 0);
  const note = outcome.notes === undefined ? [] : [small('The note with it is in the inbox.')];
  const said = [...decided, ...editBlocks(outcome), ...saidOf(outcome), ...note];
  return { text: endOf(outcome), blocks: [...asked, ...said] };
}

function endOf(outcome: OutgoingOutcome): string {
  const { by = '', choice_label = '', question } = outcome;
  const texts = [by, choice_label, question].map((text) => summaryLine(text, SUMMARY_CHARACTERS));
  return [whatHappened(outcome), ...texts].filter(Boolean).join(' · ');
}

/**
 * Our sentence names who answered what, unless Slack would read a name or label as markup: then they follow in plain
 * text.
 */
function saidOf(outcome: OutgoingOutcome): KnownBlock[] {
  const { by, choice_label } = outcome;
  if ([by, choice_label].every((text) => text === undefined || isPlain(text))) {
    return [markup(whatHappened(outcome, by, choice_label))];
  }
  const who = by === undefined ? [] : [`by ${by}`];
  const what = choice_label === undefined ? [] : [choice_label];
  return [
    markup(whatHappened(outcome)),
    ...sections([...who, ...what].join(': '), NAME_CHARACTERS),
  ];
}

/** @param by,label - only texts without markup */
function whatHappened({ outcome, at }: OutgoingOutcome, by?: string, label?: string): string {
  const when = instantForAll(at);
  if (outcome === 'expired') return `*Expired* ${when}: nobody answered in time.`;
  if (outcome === 'withdrawn') return `*Withdrawn* ${when}.`;
  const who = by === undefined ? '' : ` by ${by}`;
  return `*Answered*${who} ${when}${label === undefined ? '' : `: *${label}*`}`;
}

/** The decided proposal, which may be another version than the message showed before. */
function decidedBlocks(outcome: OutgoingOutcome, room: number): KnownBlock[] {
  const { question, approval } = outcome;
  if (approval === undefined) return [];
  const text = proposalText({ text: question, approval });
  const blocks =
    text === undefined ? [] : [markup('*Decided on, in full:*'), ...sections(text, Infinity)];
  if (text === undefined || charactersIn(blocks) > room) {
    return [small('What was decided on is in the inbox.')];
  }
  for (const { title, text: before } of beforeIn(outcome)) {
    const asked = [markup(`*${title}*`), ...sections(before, Infinity)];
    if (charactersIn([...blocks, ...asked]) <= room) blocks.push(...asked);
  }
  return blocks;
}

function editBlocks(outcome: OutgoingOutcome): KnownBlock[] {
  const edit = editIn(outcome);
  return edit === undefined ? [] : [small(edit.text, edit.calls)];
}

function noteBlocks(outcome: OutgoingOutcome): KnownBlock[] {
  return sections(notesIn(outcome).map(entryText).join('\n'), NOTES_CHARACTERS);
}

export interface ContentSources {
  /** The address of the inbox; undefined if `public_url` is not configured. */
  readonly inbox: string | undefined;
  /** Makes the tokens of buttons; without it, messages only link to the inbox. */
  readonly button: MakeButton | undefined;
}

/** The content of a message, and a brief version for when Slack refuses it. */
export interface Content {
  readonly whole: SlackMessage;
  readonly brief: () => Promise<SlackMessage>;
}

/**
 * Makes the message that asks a question. A proposal that does not fit is omitted, and with it the buttons that would
 * decide it.
 */
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

/** Makes the buttons or links for an answer, depending on whether the message shows the whole proposal. */
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

export function outcomeContent(outcome: OutgoingOutcome): Content {
  return {
    whole: outcomeBlocks(outcome),
    brief: () => Promise.resolve(briefOutcome(outcome)),
  };
}

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
