import type { Vote } from '../../../contracts/decision.js';
import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { valueText } from '../state/facts.js';
import { Notice, Section } from './ui.js';

/** What somebody has answered, while the question waits for others. It stands where they would answer. */
export function Voted({ question, vote }: { readonly question: Question; readonly vote: Vote }) {
  const { votes, required } = question;
  // Where several have to agree, an answer is one of the choices.
  const agreed = votes.filter(({ value }) => value === vote.value).length;
  const left = required - agreed;
  return (
    <Section title="Your answer">
      <Notice tone="good" title={`You answered: ${valueText(vote.value, question)}`}>
        <p>
          Your answer counts since {atTime(vote.counted_at)}.{' '}
          {left === 1 ? 'One more has to agree.' : `${left} more have to agree.`}
        </p>
      </Notice>
    </Section>
  );
}
