import type {
  EngagementDuration,
  EngagementFigures,
} from '../../../contracts/suspension/engagement-report.js';
import { shareOf, writtenSpan } from '../state/report.js';
import css from './Report.module.css';

/** The figures of all questions together. */
export function ReportTotals({ total }: { readonly total: EngagementFigures }) {
  const { asked, answered, denied, edited, expired, open, cancelled, as_expected } = total;
  return (
    <dl className={css.totals}>
      <Total name="Asked" value={asked} note={`${open} open, ${cancelled} withdrawn`} />
      <Total name="Answered" value={answered} note={`${shareOf(answered, asked)} of those asked`} />
      <Total name="Denied" value={denied} note={`${shareOf(denied, answered)} of the answers`} />
      <Total name="Edited" value={edited} note="Arguments changed by a person" />
      <Total name="Expired" value={expired} note={`${shareOf(expired, asked)} of those asked`} />
      <Total
        name="As expected"
        value={shareOf(as_expected, answered)}
        note={`${as_expected} answers changed nothing: these need not have been asked`}
      />
      <Time name="Until viewed" time={total.until_viewed} />
      <Time name="Until claimed" time={total.until_claimed} />
      <Time name="Until answered" time={total.until_answered} />
    </dl>
  );
}

interface TotalProps {
  readonly name: string;
  readonly value: string | number;
  readonly note: string;
}

function Total({ name, value, note }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span>{note}</span>
      </dd>
    </div>
  );
}

function Time({ name, time }: { readonly name: string; readonly time: EngagementDuration }) {
  const { p50_seconds, p90_seconds, count } = time;
  const note = count === 0 ? 'Not once' : `Nine of ten within ${writtenSpan(p90_seconds)}`;
  return <Total name={name} value={writtenSpan(p50_seconds)} note={note} />;
}
