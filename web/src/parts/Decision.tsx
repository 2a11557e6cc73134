import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { eligibleText, valueText } from '../state/facts.js';
import { Notes } from './Notes.js';
import { Fact, Section } from './ui.js';
import { Written } from './Written.js';
import css from './Facts.module.css';

/** Says who may answer, who has answered, and who else was asked. */
export function Decision({ question }: { readonly question: Question }) {
  const { rule, approvals, required, schedule, delegations } = question;
  const asked = new Set(schedule.attempts.flatMap(({ notify_to }) => notify_to ?? []));
  const aside = required > 1 ? `${approvals} of ${required} agree` : undefined;
  return (
    <Section title="Who decides" folds aside={aside}>
      <dl className={css.facts}>
        <Fact name="May answer">
          <Written text={eligibleText(rule.eligible)} />
        </Fact>
        {rule.excluded.length > 0 && (
          <Fact name="May not">
            <Written text={rule.excluded.join(', ')} />
          </Fact>
        )}
        {required > 1 && (
          <Fact name="Needed">
            {required} who agree{rule.veto && rule.denials.length > 0 && ', or one who denies'}
          </Fact>
        )}
        {asked.size > 0 && (
          <Fact name="Also asked">
            <Written text={[...asked].join(', ')} />
          </Fact>
        )}
        <Votes question={question} />
        {delegations.map(({ by, to = '', to_group, reason, at }) => (
          <Fact key={at} name="Delegated">
            <Written
              text={`by ${by} to ${to_group === undefined ? to : `group ${to_group}`}: ${reason}`}
            />
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

/** The answer of each person, with its note. */
function Votes({ question }: { readonly question: Question }) {
  return question.votes.map((vote) => (
    <Fact key={`${vote.principal}${vote.counted_at}`} name={<Written text={vote.actor} />}>
      {typeof vote.value === 'object' ? (
        'filled in'
      ) : (
        <Written text={valueText(vote.value, question)} />
      )}
      , {atTime(vote.counted_at)}
      <Notes comment={vote.comment} />
    </Fact>
  ));
}
