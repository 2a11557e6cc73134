import { atTime, spanOf, useNow } from '../../state/clock.js';
import { cx } from '../ui.js';
import css from './TimeLeft.module.css';

const URGENT_MS = 15 * 60_000;
const SOON_MS = 2 * 3_600_000;
/** The page's time has whole seconds, and may be two behind: an event of just now must not appear as future. */
const BEHIND_MS = 3_000;

interface TimeLeftProps {
  readonly expiresAt: string | undefined;
  /** Whether it also says `left`, and until when. */
  readonly isLong?: boolean;
}

/** Counts down the remaining time to answer a question. */
export function TimeLeft({ expiresAt, isLong = false }: TimeLeftProps) {
  const now = useNow();
  if (expiresAt === undefined) return <span className={css.time}>No limit</span>;
  const left = Date.parse(expiresAt) - now;
  const isUrgent = left < URGENT_MS;
  const tone = isUrgent ? css.urgent : left < SOON_MS ? css.soon : undefined;
  const text = left <= 0 ? 'Expired' : spanOf(left);
  return (
    <time
      dateTime={expiresAt}
      title={`Expires ${new Date(expiresAt).toLocaleString()}`}
      className={cx(css.time, tone)}
    >
      {text}
      {isLong && left > 0 && ` left, until ${atTime(expiresAt, now)}`}
    </time>
  );
}

export function Ago({ at }: { readonly at: string }) {
  const now = useNow();
  const ms = Date.parse(at) - now;
  const text = ms > BEHIND_MS ? `in ${spanOf(ms)}` : `${spanOf(-ms)} ago`;
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className={css.ago}>
      {text}
    </time>
  );
}
