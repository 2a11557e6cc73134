import type { Question } from '../api/types.js';
import { wordsOf } from '../state/facts.js';
import { visible } from '../state/visible.js';
import { Ago } from './TimeLeft.js';
import { Notice } from './ui.js';

/** The fields that can be changed, in words. */
const WORDS: Readonly<Record<string, string>> = { question: 'wording', response_schema: 'form' };

/** Says that a question is not as it was asked: who changed it, when, what of it, and why. */
export function Amended({ question }: { readonly question: Question }) {
  const last = question.timeline.findLast(({ kind }) => kind === 'amended');
  if (!last || question.state === 'settled') return null;
  const { amended_by: by, changed, reason } = last.detail;
  const fields = Array.isArray(changed) ? changed.map(String) : [];
  const what = fields.map((field) => WORDS[field] ?? wordsOf(field)).join(' and ');
  const verb = fields.length > 1 || fields[0] === 'choices' ? 'were' : 'was';
  return (
    <Notice tone="info" title={`Version ${question.question_version} of this question`}>
      <p>
        {what === '' ? 'It was' : `Its ${what} ${verb}`} changed
        {typeof by === 'string' && ` by ${visible(by)}`} <Ago at={last.at} />
        {typeof reason === 'string' && `: ${visible(reason)}`}
      </p>
      {question.votes.length === 0 && (
        <p>What was answered to the version before does not count.</p>
      )}
    </Notice>
  );
}
