import { LIMITS } from '../../../contracts/constants/limits.js';
import { NEXT_REMINDER } from '../../../contracts/constants/duration.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { Snooze, SnoozeRequest } from '../../../contracts/suspension/personal.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { plusSeconds, toInstant, toMillis } from '../../kernel/time.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { checkIsOpenQuestion } from './verb.js';

/** The parts of a question by which a snooze is judged. */
type Snoozed = Pick<
  SuspensionView,
  'id' | 'intent_id' | 'record' | 'attempt' | 'next_attempt_at' | 'question_version'
>;

/** A snooze, and the state of the question at that time: when that changes, the question is shown again. */
export interface JudgedSnooze extends Snooze {
  /** The attempt that it ends with; null if reminders do not end it. */
  readonly attempt: number | null;
  readonly question_version: number;
}

/**
 * Judges whether a person may snooze a question until then. Refuses `suspension_settled`, `reason_mismatch`,
 * `no_reminder_left`, and `snooze_not_possible` for an instant that has passed, is too far away, or is after the
 * question's expiry.
 *
 * @param now - ms
 */
export function judgeSnooze(
  question: Snoozed,
  { until }: SnoozeRequest,
  now: number,
): Ruling<JudgedSnooze> {
  const { id, intent_id, record, attempt, next_attempt_at, question_version } = question;
  const open = checkIsOpenQuestion({ intent_id, record });
  if (!open.ok) return open;
  const isReminder = until === NEXT_REMINDER;
  const end = isReminder ? next_attempt_at : until;
  if (end === null) {
    return refuse('no_reminder_left', 'The question reminds no more.', {
      field: 'until',
      accepted: 'an instant before the question expires',
    });
  }
  const last = lastOf(record.expires_at, now);
  if (toMillis(end) <= now || toMillis(end) >= toMillis(last)) {
    return refuse('snooze_not_possible', whyNot(end, record.expires_at, now), {
      field: 'until',
      accepted: `an instant after ${toInstant(now)} and before ${last}`,
    });
  }
  return ok({
    suspension_id: id,
    until: end,
    until_reminder: isReminder,
    snoozed_at: toInstant(now),
    attempt: isReminder ? attempt : null,
    question_version,
  });
}

/** The instant before which a snooze must end: the expiry of the question, or the limit. */
function lastOf(expires_at: string | undefined, now: number): string {
  const most = plusSeconds(toInstant(now), LIMITS.snoozeSeconds);
  return expires_at !== undefined && toMillis(expires_at) < toMillis(most) ? expires_at : most;
}

function whyNot(end: string, expires_at: string | undefined, now: number): string {
  if (toMillis(end) <= now) return `${end} has passed.`;
  if (expires_at === undefined || toMillis(end) < toMillis(expires_at)) {
    return `${end} is too far away.`;
  }
  return `The question expires at ${expires_at}, and would be hidden until then.`;
}
