import type { KnownBlock } from '@slack/web-api';
import { visible, visibleLine } from '../../../contracts/constants/visible-text.js';
import type { OutgoingMessage } from '../channel.js';
import { entriesIn, entryText, keptBack } from '../entries.js';
import { instantForAll, isPlain, plainLine, plainParts, shownLength, summaryLine } from './text.js';

/** A message as Slack takes it: its blocks, and a text for notifications and readers of the screen. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** What a message has besides what it says: who is mentioned, and how to answer. */
export interface MessageExtras {
  /** Ids of members in Slack, from the directory. */
  readonly mentions: readonly string[];
  /** The buttons and what they do not say in full; where there are none, a block that says where to answer. */
  readonly answers: readonly KnownBlock[];
  /** The proposal, if the message shows all of it. */
  readonly proposal: string | undefined;
}

/** Slack refuses blocks that have more than about 12,000 characters together; how it counts them it does not say. */
const MOST_CHARACTERS = 10_000;
/** So many of the question are left where Slack refuses even that. */
export const BRIEF_CHARACTERS = 3_000;
export const SUMMARY_CHARACTERS = 300;
const FACT_CHARACTERS = 300;
const OF_PROPOSAL: readonly string[] = ['tool_call', 'visible_context'];

/**
 * Puts a message into blocks: what is asked, until when, and how to answer. Texts of agents are plain texts, and cut where all
 * would be too much for one message: the question last. Pure.
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

/** The same with no more than the question and how to answer, for when Slack does not take all. Pure. */
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

/** What is never cut. */
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

/** How many characters are left for texts that may be cut, and for the words that say so. */
export function roomBeside(blocks: readonly KnownBlock[]): number {
  return MOST_CHARACTERS - charactersIn([...blocks, CUT]);
}

/** The characters of all texts in blocks. */
export function charactersIn(blocks: readonly KnownBlock[]): number {
  let count = 0;
  JSON.stringify(blocks, (key, value: unknown) => {
    if (key === 'text' && typeof value === 'string') count += value.length;
    return value;
  });
  return count;
}

/** A text of an agent as it is, at most so many characters of it. */
export function sections(text: string, most: number): KnownBlock[] {
  return plainParts(text, Math.floor(most)).map((part) => ({ type: 'section', text: { ...part } }));
}

/** Only for texts of our own. Slack makes links and mentions of nothing but what we mark. */
export function markup(text: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

/** The same in small print, and beside it what others wrote. */
export function small(text: string, others: readonly string[] = []): KnownBlock {
  const plain = others.map((one) => plainLine(one, FACT_CHARACTERS));
  return { type: 'context', elements: [{ type: 'mrkdwn', text, verbatim: true }, ...plain] };
}

const CUT = small('Not all of it fits into this message: the rest is in the inbox.');

/** The proposal, under a heading that no text of an agent can imitate. */
function proposalBlocks(
  { approval, alert }: OutgoingMessage,
  { proposal }: MessageExtras,
): KnownBlock[] {
  if (approval === undefined || alert) return [];
  if (proposal === undefined)
    return [small('The whole proposal is in the inbox: decide it there.')];
  return [markup('*To be approved, in full:*'), ...sections(proposal, Infinity)];
}

/** The entries of the context that may leave; those of a proposal stand under it. */
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

/** Deadline, attempt, risk, who has claimed it, and how much of the context is not shown. */
function factsOf(message: OutgoingMessage): KnownBlock {
  const { alert, expires_at, attempt, max_attempts, next_attempt_at, withheld, held_by } = message;
  const kept = keptBack(withheld);
  // Of an ordinary question, an agent may write any.
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
  // What Slack would read as markup stands beside, in plain text.
  return small(
    own.join(' · '),
    others.flatMap(([text, , plain]) => (isPlain(text) ? [] : [plain])),
  );
}
