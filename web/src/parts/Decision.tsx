import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { eligibleText, valueText } from '../state/facts.js';
import { Notes } from './Notes.js';
import { Section } from './ui.js';
import { Written } from './Written.js';
import css from './Facts.module.css';

/** Who may answer, who has, and who else was asked. */
export function Decision({ question }: { readonly question: Question }) {
  const { rule, approvals, required, schedule } = question;
  const asked = new Set(schedule.attempts.flatMap(({ notify_to }) => notify_to ?? []));
  return (
    <Section
      title="Who decides"
      folds
      {...(required > 1 && { aside: `${approvals} of ${required} agree` })}
    >
      <dl className={css.facts}>
        <div>
          <dt>May answer</dt>
          <dd>
            <Written text={eligibleText(rule.eligible)} />
          </dd>
        </div>
        {rule.excluded.length > 0 && (
          <div>
            <dt>May not</dt>
            <dd>
              <Written text={rule.excluded.join(', ')} />
            </dd>
          </div>
        )}
        {required > 1 && (
          <div>
            <dt>Needed</dt>
            <dd>
              {required} who agree{rule.veto && rule.denials.length > 0 && ', or one who denies'}
            </dd>
          </div>
        )}
        {asked.size > 0 && (
          <div>
            <dt>Also asked</dt>
            <dd>
              <Written text={[...asked].join(', ')} />
            </dd>
          </div>
        )}
        <Votes question={question} />
        <Delegations question={question} />
      </dl>
    </Section>
  );
}

/** What each has answered, with the note that came with it. */
function Votes({ question }: { readonly question: Question }) {
  return question.votes.map((vote) => (
    <div key={`${vote.principal}${vote.counted_at}`}>
      <dt>
        <Written text={vote.actor} />
      </dt>
      <dd>
        {typeof vote.value === 'object' ? (
          'filled in'
        ) : (
          <Written text={valueText(vote.value, question)} />
        )}
        , {atTime(vote.counted_at)}
        <Notes comment={vote.comment} />
      </dd>
    </div>
  ));
}

/** Who has passed it on, and why. */
function Delegations({ question: { delegations } }: { readonly question: Question }) {
  return delegations.map(({ by, to, reason, at }) => (
    <div key={at}>
      <dt>Delegated</dt>
      <dd>
        <Written text={`by ${by} to ${to}: ${reason}`} />
      </dd>
    </div>
  ));
}
