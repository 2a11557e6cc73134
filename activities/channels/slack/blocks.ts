import type { KnownBlock } from '@slack/web-api';
import type { OutgoingOutcome } from '../../../contracts/follow-up.js';
import type { JsonValue } from '../../../contracts/primitives.js';
import type { OutgoingMessage } from '../channel.js';
import { proposalText } from './proposal.js';
import { escapedLine, instantForAll, plainParts } from './text.js';

/** A message as Slack takes it: its blocks, and a text for notifications and readers of the screen. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** What a message has besides what it says: who is mentioned, and how to answer. */
export interface MessageExtras {
  /** Ids of members in Slack, from the directory. */
  readonly mentions: readonly string[];
  /** The buttons; where there are none, a block that says where to answer. */
  readonly answers: readonly KnownBlock[];
}

const SUMMARY_CHARACTERS = 300;
const NAME_CHARACTERS = 200;
const OF_PROPOSAL: readonly string[] = ['tool_call', 'visible_context'];

/** Puts a message into blocks: what is asked, until when, and how to answer. Texts of agents are plain texts. Pure. */
export function questionBlocks(
  message: OutgoingMessage,
  { mentions, answers }: MessageExtras,
): SlackMessage {
  const called = mentions.map((id) => `<@${id}>`).join(' ');
  return {
    text: [called, escapedLine(message.text, SUMMARY_CHARACTERS)].filter(Boolean).join(' '),
    blocks: [
      ...(called === '' ? [] : [markup(called)]),
      ...sections(message.text),
      ...sections(entriesOf(message)),
      ...proposalBlocks(message),
      small(factsOf(message)),
      ...sections(descriptionsOf(message)),
      ...answers,
    ],
  };
}

/** The same message once its question is over: nothing is left to press. Pure. */
export function outcomeBlocks(outcome: OutgoingOutcome): SlackMessage {
  const said = saidOf(outcome);
  return {
    text: `${said} ${escapedLine(outcome.question, SUMMARY_CHARACTERS)}`,
    blocks: [...sections(outcome.question), ...decidedBlocks(outcome), markup(said)],
  };
}

function saidOf({ outcome, at, by, choice_label }: OutgoingOutcome): string {
  const when = instantForAll(at);
  if (outcome === 'expired') return `*Expired* ${when}: nobody answered in time.`;
  if (outcome === 'withdrawn') return `*Withdrawn* ${when}.`;
  const who = by === undefined ? '' : ` by ${escapedLine(by, NAME_CHARACTERS)}`;
  const what =
    choice_label === undefined ? '' : `: *${escapedLine(choice_label, NAME_CHARACTERS)}*`;
  return `*Answered*${who} ${when}${what}`;
}

function sections(text: string): KnownBlock[] {
  return plainParts(text).map((part) => ({ type: 'section', text: { ...part } }));
}

/** Only for texts of our own, or escaped ones. */
function markup(text: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

/** The same in small print. */
export function small(text: string): KnownBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] };
}

/** What is to be approved, under a heading that no text of an agent looks like. */
function proposalBlocks(message: OutgoingMessage): KnownBlock[] {
  const text = proposalText(message);
  if (message.approval === undefined || message.alert) return [];
  if (text === undefined) return [small('The whole proposal is in the inbox: decide it there.')];
  return [markup('*To be approved, in full:*'), ...sections(text)];
}

/** What was decided on, which may be another version than the message showed before. */
function decidedBlocks({ question, approval }: OutgoingOutcome): KnownBlock[] {
  if (approval === undefined) return [];
  const text = proposalText({ text: question, approval });
  if (text === undefined) return [small('What was decided on is in the inbox.')];
  return [markup('*Decided on, in full:*'), ...sections(text)];
}

/** The entries of the context that may leave; those of a proposal stand under it. */
function entriesOf({ context, approval }: OutgoingMessage): string {
  const { _attempt, _max_attempts, ...own } = context;
  return Object.entries(own)
    .filter(([key]) => approval?.whole === undefined || !OF_PROPOSAL.includes(key))
    .map(([key, value]) => `${key}: ${shown(value)}`)
    .join('\n');
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function descriptionsOf({ choices = [] }: OutgoingMessage): string {
  return choices
    .flatMap(({ label, description }) =>
      description === undefined ? [] : [`${label}: ${description}`],
    )
    .join('\n');
}

/** Deadline, attempt, risk, and how much of the context is not shown. */
function factsOf(message: OutgoingMessage): string {
  const { alert, expires_at, attempt, max_attempts, next_attempt_at, withheld } = message;
  // Of an ordinary question, an agent may write any.
  const risk = message.approval && message.context['risk_class'];
  const deadline =
    expires_at === undefined ? 'does not expire' : `answer by ${instantForAll(expires_at)}`;
  return [
    ...(alert ? [] : [deadline, `attempt ${attempt} of ${max_attempts}`]),
    ...(typeof risk === 'string' ? [`risk: *${escapedLine(risk, NAME_CHARACTERS)}*`] : []),
    ...(alert || next_attempt_at === null
      ? []
      : [`next reminder ${instantForAll(next_attempt_at)}`]),
    ...(withheld > 0 ? [`${withheld} more of its context are in the inbox alone`] : []),
    ...(alert ? ['nothing to answer here'] : []),
  ].join(' · ');
}
