import type { ReactNode } from 'react';
import type { Vote } from '../../../contracts/decision.js';
import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { valueText } from '../state/facts.js';
import { Notice, Section } from './ui.js';
import css from './AnswerPanel.module.css';

/**
 * What somebody has answered, while the question waits for others. It stands where they would answer.
 *
 * @param children - what can still be done
 */
export function Voted({
  question,
  vote,
  children,
}: {
  readonly question: Question;
  readonly vote: Vote;
  readonly children: ReactNode;
}) {
  const { votes, required } = question;
  // Where several have to agree, an answer is one of the choices.
  const agreed = votes.filter(({ value }) => value === vote.value).length;
  const left = required - agreed;
  return (
    <Section title="Your answer">
      <div className={css.panel}>
        <Notice tone="good" title={`You answered: ${valueText(vote.value, question)}`}>
          <p>
            Your answer counts since {atTime(vote.counted_at)}.{' '}
            {left === 1 ? 'One more has to agree.' : `${left} more have to agree.`}
          </p>
        </Notice>
        {children}
      </div>
    </Section>
  );
}
