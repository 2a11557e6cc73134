import type { OutgoingOutcome } from '../../../contracts/follow-up.js';
import type { Addressee } from '../channel.js';
import type { MailContent } from './content.js';
import { visible } from '../../../contracts/constants/visible-text.js';
import { subjectOf } from './content.js';
import { instantInWords, oneLine } from './words.js';

const HOW: Readonly<Record<OutgoingOutcome['outcome'], string>> = {
  answered: 'Answered',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
};

/** Puts into words how a question ended, for somebody who was asked it. Pure. */
export function outcomeMail(outcome: OutgoingOutcome, to: Addressee): MailContent {
  return {
    subject: subjectOf(`${HOW[outcome.outcome]}: ${outcome.question}`),
    parts: [
      { kind: 'text', text: `${oneLine(to.name)},` },
      { kind: 'text', text: `${said(outcome)} There is nothing left to do.` },
      { kind: 'quote', text: visible(outcome.question) },
    ],
  };
}

function said({ outcome, at, by, choice_label }: OutgoingOutcome): string {
  const when = instantInWords(at);
  if (outcome === 'expired') return `nobody answered this question in time; it expired on ${when}.`;
  if (outcome === 'withdrawn') return `this question was withdrawn on ${when}.`;
  const who = by === undefined ? 'somebody' : oneLine(by);
  const what = choice_label === undefined ? '' : `: ${oneLine(choice_label)}`;
  return `${who} answered this question on ${when}${what}.`;
}
