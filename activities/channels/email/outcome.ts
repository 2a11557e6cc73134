import type { OutgoingOutcome } from '../../../contracts/channel/follow-up.js';
import type { Addressee } from '../channel.js';
import { beforeIn, editIn, notesIn } from '../entries.js';
import { proposalText } from '../proposal.js';
import type { MailContent, Part } from './content.js';
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
      ...decidedOn(outcome),
      ...notesOf(outcome),
    ],
  };
}

/** The decided proposal, which may be another version than the one that was asked about, and that one, if it is known. */
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
