import type {
  LadderEntry,
  Schedule,
  ScheduledAttempt,
} from '../../../contracts/suspension/retry-policy.js';
import type {
  SuspensionDraft,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import { plusSeconds, toMillis } from '../../kernel/time.js';

type Scheduled = Pick<
  SuspensionRecord,
  'suspended_at' | 'timeout_seconds' | 'retry_policy' | 'channel_hint'
>;

/** The position in a schedule. `attempt` is the latest due one, 0 before the first. */
interface Position {
  readonly attempt: number;
  readonly next_attempt_at: string | null;
  readonly expired: boolean;
}

function lastNamed(values: readonly (string | null | undefined)[]): string | null {
  return values.findLast((value) => value !== '' && value !== null && value !== undefined) ?? null;
}

function attemptOf(
  attempt: number,
  at: string,
  next: string | null,
  ladder: readonly LadderEntry[],
  ownChannel: string | undefined,
): ScheduledAttempt {
  return {
    attempt,
    at,
    next_attempt_at: next,
    channel_hint: lastNamed([ownChannel, ...ladder.map((entry) => entry.channel_hint)]),
    notify_to: lastNamed(ladder.map((entry) => entry.notify_to)),
    ladder,
  };
}

/**
 * Computes all instants of a question (R26-49). Attempt n is due at `suspended_at + (n - 1) × window`, and the expiry
 * one window after the last. The window is `interval_seconds`, or else `timeout_seconds`; without both there is one
 * attempt and no expiry (R25-43). Throws a RangeError if `suspended_at` is no instant.
 */
export function scheduleOf(record: Scheduled): Schedule {
  const policy = record.retry_policy;
  const window = policy?.interval_seconds ?? record.timeout_seconds;
  const count = window === undefined ? 1 : (policy?.max_attempts ?? 1);
  const instants = Array.from({ length: count }, (_, index) =>
    plusSeconds(record.suspended_at, index * (window ?? 0)),
  );
  const attempts = instants.map((at, index) =>
    attemptOf(
      index + 1,
      at,
      instants[index + 1] ?? null,
      policy?.escalation_ladder.filter((entry) => entry.attempt === index + 1) ?? [],
      record.channel_hint,
    ),
  );
  if (window === undefined) return { attempts };
  return { attempts, expires_at: plusSeconds(record.suspended_at, count * window) };
}

/** Returns the position at `nowMs`: an attempt begins at its instant, and the question expires at `expires_at`. */
export function positionAt(schedule: Schedule, nowMs: number): Position {
  const attempt = schedule.attempts.filter(({ at }) => toMillis(at) <= nowMs).length;
  return {
    attempt,
    next_attempt_at: schedule.attempts[attempt]?.at ?? null,
    expired: schedule.expires_at !== undefined && toMillis(schedule.expires_at) <= nowMs,
  };
}

/** Returns the next attempt or the expiry after `nowMs`; undefined if there is none. */
export function nextInstant(schedule: Schedule, nowMs: number): string | undefined {
  const instants = schedule.attempts.map(({ at }) => at);
  if (schedule.expires_at !== undefined) instants.push(schedule.expires_at);
  return instants.find((instant) => toMillis(instant) > nowMs);
}

/** Opens a question: returns its record with the total deadline (R25-44), and its schedule. */
export function openRecord(
  draft: SuspensionDraft,
  id: string,
  suspendedAt: string,
): { record: SuspensionRecord; schedule: Schedule } {
  const opened = { id, ...draft, suspended_at: suspendedAt };
  const schedule = scheduleOf(opened);
  const deadline = schedule.expires_at;
  return {
    record: deadline === undefined ? opened : { ...opened, expires_at: deadline },
    schedule,
  };
}
