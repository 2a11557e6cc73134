import type { ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import type { Question } from '../api/types.js';
import { atTime } from '../state/clock.js';
import { silenceText } from '../state/facts.js';
import { visible } from '../state/visible.js';
import { Ago, TimeLeft } from './TimeLeft.js';
import { Section, cx } from './ui.js';
import css from './Timeline.module.css';

/** The attempts of a question: their plan, their results, and when the next one is due. */
export function Timeline({ question }: { readonly question: Question }) {
  const { schedule, record, attempt, max_attempts } = question;
  const isOpen = question.state === 'pending';
  return (
    <Section title="Reminders" aside={`attempt ${attempt} of ${max_attempts}`} folds>
      <ol className={css.steps}>
        {schedule.attempts.map((planned) => (
          <Attempt key={planned.attempt} planned={planned} question={question} />
        ))}
        {schedule.expires_at !== undefined && (isOpen || record.resolution === 'expired') && (
          <li className={cx(css.step, !isOpen && css.done)}>
            <span className={css.what}>{isOpen ? 'Expires' : 'Expired'}</span>
            <span className={css.when}>
              {isOpen ? <TimeLeft expiresAt={schedule.expires_at} /> : atTime(schedule.expires_at)}
            </span>
            <span className={css.fate}>then {silenceText(question)}</span>
          </li>
        )}
      </ol>
    </Section>
  );
}

interface AttemptProps {
  readonly planned: ScheduledAttempt;
  readonly question: Question;
}

function Attempt({ planned, question }: AttemptProps) {
  const { attempt, at } = planned;
  const isOpen = question.state === 'pending';
  const isDone = attempt <= question.attempt;
  const isNext = isOpen && attempt === question.attempt + 1;
  const fates = fatesOf(question, attempt);
  return (
    <li className={cx(css.step, isDone && css.done, isNext && css.next)}>
      <span className={css.what}>{targetOf(planned)}</span>
      <span className={css.when}>
        {isOpen || isDone ? <Ago at={at} /> : <span className={css.never}>not needed</span>}
      </span>
      {fates.length > 0 && <span className={css.fate}>{fates.join(', ')}</span>}
    </li>
  );
}

/** Says whom an attempt asks, and how. */
function targetOf({ attempt, channel_hint, notify_to }: ScheduledAttempt): string {
  const what = attempt === 1 ? 'Asked' : `Reminder ${attempt - 1}`;
  const via = channel_hint === null || channel_hint === '' ? '' : ` by ${channel_hint}`;
  return visible(`${what}${via}${notify_to === null ? '' : ` to ${notify_to}`}`);
}

const FATES: Readonly<Record<string, string>> = {
  delivered: 'delivered',
  delivery_failed: 'not delivered',
  delivery_superseded: 'not delivered in time',
  attempt_skipped: 'skipped',
};

/** Says what happened to the messages of an attempt, by the timeline. */
function fatesOf({ timeline }: Question, attempt: number): readonly string[] {
  return timeline.flatMap(({ kind, detail, at }) => {
    const fate = detail.attempt === attempt ? FATES[kind] : undefined;
    if (fate === undefined) return [];
    const why = typeof detail.error === 'string' ? `: ${visible(detail.error)}` : '';
    return [`${fate} ${atTime(at)}${why}`];
  });
}
