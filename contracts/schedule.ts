import type { LadderEntry } from './retry-policy.js';

/** One notification attempt with the ladder entries in force (R26-45, AM-27). */
export interface ScheduledAttempt {
  readonly attempt: number;
  /** ISO-8601 instant at which the attempt is due (R26-49). */
  readonly at: string;
  /** The attempt after this one, null on the last (AM-29). */
  readonly next_attempt_at: string | null;
  /** Channel and recipient in force: the last entry that names one wins, else the record's own. */
  readonly channel_hint: string | null;
  readonly notify_to: string | null;
  readonly ladder: readonly LadderEntry[];
}

/** Every instant of a suspension, computed once when it opens. */
export interface Schedule {
  readonly attempts: readonly ScheduledAttempt[];
  /** Total deadline; absent where the question never expires (R25-43). */
  readonly expires_at?: string;
}
