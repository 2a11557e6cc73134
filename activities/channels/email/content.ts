import type { Addressee, OutgoingMessage } from '../channel.js';
import {
  beforeIn,
  decidersIn,
  editIn,
  entriesIn,
  keptBack,
  notesIn,
  type Entry,
} from '../entries.js';
import { visible, visibleLine } from '../../../contracts/constants/visible-text.js';
import { instantInWords, neutralised, oneLine, timeUntil } from './words.js';
import type { OutgoingOutcome } from '../../../contracts/channel/follow-up.js';
import { proposalText } from '../proposal.js';

/** A part of a mail. The plain form and the HTML form are made of the same parts. */
export type Part =
  | { readonly kind: 'text' | 'small'; readonly text: string }
  /** A text of an agent, shown with every character. */
  | { readonly kind: 'quote'; readonly text: string }
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | {
      readonly kind: 'link';
      readonly label: string;
      readonly url: string;
      readonly about?: string;
    };

export interface MailContent {
  readonly subject: string;
  readonly parts: readonly Part[];
}

export interface MailContext {
  readonly now: Date;
  /** The address of the inbox; undefined if `public_url` is not configured. */
  readonly inbox: string | undefined;
}

const SUBJECT_CHARACTERS = 120;

/** Puts a message into words for one person: what is asked, until when, and how to answer. Pure. */
export function contentOf(
  message: OutgoingMessage,
  to: Addressee,
  context: MailContext,
): MailContent {
  const { text, alert, informs } = message;
  return {
    subject: subjectOf(text),
    parts: [
      { kind: 'text', text: `${oneLine(to.name)},` },
      { kind: 'text', text: introductionOf(message) },
      { kind: 'quote', text: visible(text) },
      ...entriesOf(message),
      ...withheldOf(message),
      ...heldBy(message),
      ...(alert ? [] : deadlineOf(message, context.now)),
      ...(informs ? decidersOf(message) : []),
      ...(informs ? pageOf(context) : alert ? inboxOf(context) : answersOf(message, to, context)),
    ],
  };
}

function introductionOf({ alert, informs }: OutgoingMessage): string {
  if (alert) return 'a stage of an approval takes too long:';
  return informs ? 'an agent asks others:' : 'an agent asks you:';
}

function decidersOf(message: OutgoingMessage): readonly Part[] {
  return [
    { kind: 'text', text: 'You cannot answer it. Who can:' },
    { kind: 'quote', text: decidersIn(message) },
  ];
}

/**
 * Makes a subject from a text of somebody else: the beginning of it in one line, without addresses, because a subject
 * has no markup.
 */
function subjectOf(text: string): string {
  return oneLine(neutralised(text), SUBJECT_CHARACTERS);
}

function heldBy({ held_by }: OutgoingMessage): readonly Part[] {
  if (held_by === undefined) return [];
  return [{ kind: 'text', text: `${oneLine(held_by)} has claimed it.` }];
}

function small(text: string): Part {
  return { kind: 'small', text };
}

function entriesOf({ context }: OutgoingMessage): readonly Part[] {
  const entries = entriesIn(context);
  return entries.length === 0 ? [] : [{ kind: 'entries', entries }];
}

/** Says how many context entries are shown only in the inbox. */
function withheldOf({ withheld }: OutgoingMessage): readonly Part[] {
  const kept = keptBack(withheld);
  return kept === undefined ? [] : [small(`${kept}.`)];
}

function deadlineOf(
  { expires_at, next_attempt_at, informs }: OutgoingMessage,
  now: Date,
): readonly Part[] {
  const wanted = informs ? 'It waits until' : 'Please answer by';
  const by =
    expires_at === undefined
      ? 'The question does not expire.'
      : `${wanted} ${instantInWords(expires_at)} (${timeUntil(expires_at, now)}).`;
  const next =
    next_attempt_at === null ? '' : ` The next reminder: ${instantInWords(next_attempt_at)}.`;
  return [{ kind: 'text', text: `${by}${next}` }];
}

const ALONE =
  'The link is for you alone. Opening it decides nothing; the page asks for your answer.';
const SIGN_IN = 'To decide, you also sign in there.';

function answersOf(
  message: OutgoingMessage,
  { link }: Addressee,
  context: MailContext,
): readonly Part[] {
  if (link === undefined) return inboxOf(context);
  const { choices = [] } = message;
  const needsSignIn = message.approval !== undefined;
  const links: readonly Part[] =
    choices.length === 0
      ? [{ kind: 'link', label: 'Answer', url: link }]
      : choices.map(({ value, label, description }) => ({
          kind: 'link',
          label: visibleLine(label),
          url: `${link}&choice=${encodeURIComponent(value)}`,
          ...(description !== undefined && { about: visible(description) }),
        }));
  return [...links, small(needsSignIn ? `${ALONE} ${SIGN_IN}` : ALONE)];
}

function inboxOf(context: MailContext): readonly Part[] {
  const page = pageOf(context);
  return page.length > 0 ? page : [small('Answer it in the inbox of Holdpoint.')];
}

function pageOf({ inbox }: MailContext): readonly Part[] {
  return inbox === undefined ? [] : [{ kind: 'link', label: 'Open the inbox', url: inbox }];
}

const HOW: Readonly<Record<OutgoingOutcome['outcome'], string>> = {
  answered: 'Answered',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
};

/** Describes how a question ended, for somebody who was asked it. Pure. */
export function outcomeMail(outcome: OutgoingOutcome, to: Addressee): MailContent {
  return {
    subject: subjectOf(`${HOW[outcome.outcome]}: ${outcome.question}`),
    parts: [
      { kind: 'text', text: `${oneLine(to.name)},` },
      { kind: 'text', text: `${said(outcome)} There is nothing left to do.` },
      { kind: 'quote', text: visible(outcome.question) },
      ...decidedOn(outcome),
      ...notesOf(outcome),
    ],
  };
}

/**
 * The decided proposal, which may be another version than the one asked about, and the version asked about, if it is
 * known.
 */
function decidedOn(outcome: OutgoingOutcome): readonly Part[] {
  const { approval, question } = outcome;
  if (approval === undefined) return [];
  const decided = proposalText({ text: question, approval });
  if (decided === undefined) {
    return [...editOf(outcome), { kind: 'small', text: 'What was decided on is in the inbox.' }];
  }
  return [
    ...editOf(outcome),
    ...titled('Decided on, in full:', decided),
    ...beforeIn(outcome).flatMap(({ title, text }) => titled(title, text)),
  ];
}

function editOf(outcome: OutgoingOutcome): readonly Part[] {
  const edit = editIn(outcome);
  if (edit === undefined) return [];
  const { text, calls } = edit;
  return [
    { kind: 'text', text },
    ...(calls.length === 0
      ? []
      : [{ kind: 'small' as const, text: `Edited: ${calls.join(', ')}` }]),
  ];
}

function titled(title: string, text: string): readonly Part[] {
  return [
    { kind: 'text', text: title },
    { kind: 'quote', text },
  ];
}

function notesOf(outcome: OutgoingOutcome): readonly Part[] {
  const entries = notesIn(outcome);
  return entries.length === 0 ? [] : [{ kind: 'entries', entries }];
}

function said({ outcome, at, by, choice_label }: OutgoingOutcome): string {
  const when = instantInWords(at);
  if (outcome === 'expired') return `nobody answered this question in time; it expired on ${when}.`;
  if (outcome === 'withdrawn') return `this question was withdrawn on ${when}.`;
  const who = by === undefined ? 'somebody' : oneLine(by);
  const what = choice_label === undefined ? '' : `: ${oneLine(choice_label)}`;
  return `${who} answered this question on ${when}${what}.`;
}
