import type { KnownBlock } from '@slack/web-api';
import { visible, visibleLine } from '../../../contracts/constants/visible-text.js';
import type { OutgoingMessage } from '../channel.js';
import { entriesIn, entryText, keptBack } from '../entries.js';
import { instantForAll, isPlain, plainLine, plainParts, shownLength, summaryLine } from './text.js';

/** A Slack message: its blocks, and a text for notifications and screen readers. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** What a message has besides its content: who is mentioned, and how to answer. */
export interface MessageExtras {
  readonly mentions: readonly string[];
  /** The buttons and the full text of cut labels; without buttons, a block that says where to answer. */
  readonly answers: readonly KnownBlock[];
  readonly proposal: string | undefined;
}

/** Slack refuses blocks with more than about 12,000 characters in total; how it counts them is not documented. */
const MOST_CHARACTERS = 10_000;
/** The most characters of the question, for when Slack refuses even `MOST_CHARACTERS`. */
export const BRIEF_CHARACTERS = 3_000;
export const SUMMARY_CHARACTERS = 300;
const FACT_CHARACTERS = 300;
const OF_PROPOSAL: readonly string[] = ['tool_call', 'visible_context'];

/**
 * Makes the blocks of a question: what is asked, until when, and how to answer. Texts of agents are plain text, and
 * are cut where a message has no room for all; the question last. Pure.
 */
export function questionBlocks(message: OutgoingMessage, extras: MessageExtras): SlackMessage {
  const { called, proposal, facts, answers } = neededOf(message, extras);
  const room = roomBeside([...called, ...proposal, facts, ...answers]);
  const question = sections(message.text, room);
  const left = room - charactersIn(question);
  const [entries, descriptions] = [entriesOf(message), descriptionsOf(message)];
  const context = sections(entries, Math.max(left / 2, left - shownLength(descriptions)));
  const described = sections(descriptions, left - charactersIn(context));
  const all = [message.text, entries, descriptions].map(shownLength);
  const isCut = all.reduce((sum, length) => sum + length, 0) > room;
  return {
    text: summaryOf(message, extras),
    blocks: [
      ...called,
      ...question,
      ...context,
      ...proposal,
      facts,
      ...described,
      ...(isCut ? [CUT] : []),
      ...answers,
    ],
  };
}

/** Makes blocks with only the question and how to answer, for when Slack refuses the full message. Pure. */
export function briefBlocks(message: OutgoingMessage, extras: MessageExtras): SlackMessage {
  const { called, proposal, answers } = neededOf(message, extras);
  return {
    text: summaryOf(message, extras),
    blocks: [...called, ...sections(message.text, BRIEF_CHARACTERS), CUT, ...proposal, ...answers],
  };
}

/** Whether a message has room for its whole question beside the proposal. */
export function hasRoom(message: OutgoingMessage, extras: MessageExtras): boolean {
  const { called, proposal, facts, answers } = neededOf(message, extras);
  const room = roomBeside([...called, ...proposal, facts, ...answers]);
  return shownLength(message.text) <= room;
}

/** The blocks that are never cut. */
function neededOf(message: OutgoingMessage, extras: MessageExtras) {
  const called = calledIn(extras);
  return {
    called: called === '' ? [] : [markup(called)],
    proposal: proposalBlocks(message, extras),
    facts: factsOf(message),
    answers: extras.answers,
  };
}

function calledIn({ mentions }: MessageExtras): string {
  return mentions.map((id) => `<@${id}>`).join(' ');
}

function summaryOf({ text }: OutgoingMessage, extras: MessageExtras): string {
  return [calledIn(extras), summaryLine(text, SUMMARY_CHARACTERS)].filter(Boolean).join(' ');
}

/** How many characters remain for texts that may be cut, and for the words that say so. */
export function roomBeside(blocks: readonly KnownBlock[]): number {
  return MOST_CHARACTERS - charactersIn([...blocks, CUT]);
}

export function charactersIn(blocks: readonly KnownBlock[]): number {
  let count = 0;
  JSON.stringify(blocks, (key, value: unknown) => {
    if (key === 'text' && typeof value === 'string') count += value.length;
    return value;
  });
  return count;
}

/** A text of an agent as it is, cut to at most `most` characters. */
export function sections(text: string, most: number): KnownBlock[] {
  return plainParts(text, Math.floor(most)).map((part) => ({ type: 'section', text: { ...part } }));
}

/** Only for our own texts. Slack makes links and mentions only where we mark them. */
export function markup(text: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

/** Our own markup in small print, followed by texts of others. */
export function small(text: string, others: readonly string[] = []): KnownBlock {
  const plain = others.map((one) => plainLine(one, FACT_CHARACTERS));
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }, ...plain] };
}

const CUT = small('Not all of it fits into this message: the rest is in the inbox.');

function proposalBlocks(
  { approval, alert }: OutgoingMessage,
  { proposal }: MessageExtras,
): KnownBlock[] {
  if (approval === undefined || alert) return [];
  if (proposal === undefined)
    return [small('The whole proposal is in the inbox: decide it there.')];
  return [markup('*To be approved, in full:*'), ...sections(proposal, Infinity)];
}

/** The context entries that may leave the service; a proposal shows its own. */
function entriesOf({ context, approval }: OutgoingMessage): string {
  return entriesIn(context)
    .filter(({ name }) => approval?.whole === undefined || !OF_PROPOSAL.includes(name))
    .map(entryText)
    .join('\n');
}

function descriptionsOf({ choices = [] }: OutgoingMessage): string {
  return choices
    .flatMap(({ label, description }) =>
      description === undefined
        ? []
        : [entryText({ name: visibleLine(label), text: visible(description) })],
    )
    .join('\n');
}

/** Deadline, attempt, risk, who has claimed the question, and how much of the context is not shown. */
function factsOf(message: OutgoingMessage): KnownBlock {
  const { alert, expires_at, attempt, max_attempts, next_attempt_at, withheld, held_by } = message;
  const kept = keptBack(withheld);
  // In an ordinary question an agent may write any value.
  const risk = message.approval && message.context['risk_class'];
  const deadline =
    expires_at === undefined ? 'does not expire' : `answer by ${instantForAll(expires_at)}`;
  const others = [
    ...(typeof risk === 'string' ? [[risk, `risk: *${risk}*`, `risk: ${risk}`] as const] : []),
    ...(held_by === undefined
      ? []
      : [[held_by, `claimed by ${held_by}`, `claimed by ${held_by}`] as const]),
  ];
  const own = [
    ...(alert ? [] : [deadline, `attempt ${attempt} of ${max_attempts}`]),
    ...others.flatMap(([text, marked]) => (isPlain(text) ? [marked] : [])),
    ...(alert || next_attempt_at === null
      ? []
      : [`next reminder ${instantForAll(next_attempt_at)}`]),
    ...(kept === undefined ? [] : [kept]),
    ...(alert ? ['nothing to answer here'] : []),
  ];
  // Texts that Slack would read as markup follow as plain text.
  return small(
    own.join(' · '),
    others.flatMap(([text, , plain]) => (isPlain(text) ? [] : [plain])),
  );
}
