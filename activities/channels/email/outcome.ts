import type { OutgoingOutcome } from '../../../contracts/follow-up.js';
import type { Addressee } from '../channel.js';
import { editIn, notesIn } from '../entries.js';
import { proposalText } from '../proposal.js';
import type { MailContent, Part } from './content.js';
import { visible, visibleJson } from '../../../contracts/constants/visible-text.js';
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

/** What was decided on, which may be another version than was asked about; and what was asked about, if it is known. */
function decidedOn(outcome: OutgoingOutcome): readonly Part[] {
  const { approval, edited, question } = outcome;
  if (approval === undefined) return [];
  const edit = editIn(outcome);
  const decided = proposalText({ text: question, approval });
  const before = edited?.before && visibleJson(JSON.stringify(edited.before, null, 1));
  return [
    ...(edit === undefined ? [] : [{ kind: 'text' as const, text: edit }]),
    ...(decided === undefined
      ? [{ kind: 'small' as const, text: 'What was decided on is in the inbox.' }]
      : titled('Decided on, in full:', decided)),
    ...(decided === undefined || before === undefined ? [] : titled('Before the edit:', before)),
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
