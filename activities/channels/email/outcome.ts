import type { OutgoingOutcome } from '../../../contracts/follow-up.js';
import type { Addressee } from '../channel.js';
import type { MailContent } from './content.js';
import { instantInWords, oneLine, unlinked, unlinkedLine } from './words.js';

const SUBJECT_CHARACTERS = 120;
const NAME_CHARACTERS = 200;

const HOW: Readonly<Record<OutgoingOutcome['outcome'], string>> = {
  answered: 'Answered',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
};

/** Puts into words how a question ended, for somebody who was asked it. Pure. */
export function outcomeMail(outcome: OutgoingOutcome, to: Addressee): MailContent {
  return {
    subject: oneLine(`${HOW[outcome.outcome]}: ${outcome.question}`, SUBJECT_CHARACTERS),
    parts: [
      { kind: 'text', text: `${unlinkedLine(to.name, NAME_CHARACTERS)},` },
      { kind: 'text', text: `${said(outcome)} There is nothing left to do.` },
      { kind: 'quote', text: unlinked(outcome.question) },
    ],
  };
}

function said({ outcome, at, by, choice_label }: OutgoingOutcome): string {
  const when = instantInWords(at);
  if (outcome === 'expired') return `nobody answered this question in time; it expired on ${when}.`;
  if (outcome === 'withdrawn') return `this question was withdrawn on ${when}.`;
  const who = by === undefined ? 'somebody' : unlinkedLine(by, NAME_CHARACTERS);
  const what = choice_label === undefined ? '' : `: ${unlinkedLine(choice_label, NAME_CHARACTERS)}`;
  return `${who} answered this question on ${when}${what}.`;
}
