import type { Addressee, OutgoingMessage } from '../channel.js';
import { decidersIn, entriesIn, keptBack } from '../entries.js';
import type { Entry } from '../entries.js';
import { visible, visibleLine } from '../../../contracts/constants/visible-text.js';
import { neutralised } from './addresses.js';
import { instantInWords, oneLine, timeUntil } from './words.js';

/** A part of a mail. Both forms of the mail are made of the same parts. */
export type Part =
  | { readonly kind: 'text' | 'small'; readonly text: string }
  /** A text of an agent, with every character. */
  | { readonly kind: 'quote'; readonly text: string }
  /** The same by names. */
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | {
      readonly kind: 'link';
      readonly label: string;
      readonly url: string;
      readonly about?: string;
    };

/** A mail before it has a form. */
export interface MailContent {
  readonly subject: string;
  readonly parts: readonly Part[];
}

/** The parts of a mail besides its message. */
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

/** Whom somebody can ask who may not decide. */
function decidersOf(message: OutgoingMessage): readonly Part[] {
  return [
    { kind: 'text', text: 'You cannot answer it. Who can:' },
    { kind: 'quote', text: decidersIn(message) },
  ];
}

/** A text of somebody else as a subject: the beginning of it in one line, without an address, for a subject has no markup. */
export function subjectOf(text: string): string {
  return oneLine(neutralised(text), SUBJECT_CHARACTERS);
}

/** Somebody looks after it already. */
function heldBy({ held_by }: OutgoingMessage): readonly Part[] {
  if (held_by === undefined) return [];
  return [{ kind: 'text', text: `${oneLine(held_by)} has claimed it.` }];
}

function small(text: string): Part {
  return { kind: 'small', text };
}

/** The entries of the context that may leave. */
function entriesOf({ context }: OutgoingMessage): readonly Part[] {
  const entries = entriesIn(context);
  return entries.length === 0 ? [] : [{ kind: 'entries', entries }];
}

/** How many entries of the context are in the inbox alone. */
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

/** A link for each choice, or one for whatever there is to say. */
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
