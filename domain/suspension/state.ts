import { PORTFOLIO_DEADLINE } from '../../contracts/constants/statuses.js';
import type { AnswerKey } from '../../contracts/journal.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { Schedule, ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { RespondResult } from '../../contracts/suspension-view.js';
import type {
  SettledBy,
  SettledRecord,
  Settlement,
  SuspensionRecord,
} from '../../contracts/suspension.js';
import { isInstant, isObject } from '../kernel/message-form.js';
import { ok, refuse } from '../kernel/ruling.js';
import { toInstant } from '../kernel/time.js';
import { checkValue, respondResult } from './response.js';
import { positionAt } from './schedule.js';

/** The accepted answer, and the key that recognises it when it is sent again. */
interface AcceptedAnswer {
  readonly answer: AnswerKey;
  readonly result: RespondResult;
}

/** The state of a suspension between two messages. */
export interface SuspensionState {
  readonly intent_id: string | null;
  readonly record: SuspensionRecord | SettledRecord;
  /** The latest attempt that was due; 0 before the first. */
  readonly attempt: number;
  readonly accepted?: AcceptedAnswer;
}

/** An answer to judge. `intent_id` is set if it came through an intent. */
export interface Answer {
  readonly intent_id?: string | null;
  readonly value: JsonValue;
  readonly responded_by: string;
  readonly submitted_by: string;
  readonly metadata?: JsonObject;
  readonly answer: AnswerKey;
}

/** What time has made due: attempts in order, or the expiry. Only the latest attempt is delivered. */
interface Due {
  readonly state: SuspensionState;
  readonly attempts: readonly { readonly attempt: ScheduledAttempt; readonly skipped: boolean }[];
  readonly expired: boolean;
}

/** Whether a record belongs to a settled question. */
export function isSettled(record: SuspensionRecord | SettledRecord): record is SettledRecord {
  return record.resolution !== undefined;
}

/**
 * Settles what is due at `now`. This happens before anything that has just arrived is judged. Attempts follow
 * from instants and are never counted up. If several are due after an outage, only the latest is delivered.
 * None is delivered if the question has expired.
 *
 * @param answering - whether an answer ends the question in the same step, so that no attempt is delivered
 */
export function settleDue(
  state: SuspensionState,
  schedule: Schedule,
  now: number,
  answering = false,
): Due {
  if (isSettled(state.record)) return { state, attempts: [], expired: false };
  const position = positionAt(schedule, now);
  const passed = schedule.attempts.filter(
    ({ attempt }) => attempt > state.attempt && attempt <= position.attempt,
  );
  const attempts = passed.map((attempt) => ({
    attempt,
    skipped: answering || position.expired || attempt.attempt !== position.attempt,
  }));
  const moved = { ...state, attempt: Math.max(state.attempt, position.attempt) };
  if (!position.expired) return { state: moved, attempts, expired: false };
  const record: SettledRecord = {
    ...state.record,
    resolution: 'expired',
    settled_by: 'clock',
    settled_at: toInstant(now),
  };
  return { state: { ...moved, record }, attempts, expired: true };
}

/**
 * Judges an answer after everything due was settled. Answers by Update and by Signal both come here. An
 * answer with the same key gets the stored result again, because the first reply may have been lost; with
 * another key it is refused (R26-90). Refuses `suspension_mismatch`, `suspension_settled` or `invalid_value`,
 * in this order.
 */
export function judgeAnswer(
  state: SuspensionState,
  answer: Answer,
  now: number,
): Ruling<{ state: SuspensionState; accepted: AcceptedAnswer; repeated: boolean }> {
  const { record, accepted } = state;
  if (accepted && accepted.answer.key === answer.answer.key) {
    return ok({ state, accepted, repeated: true });
  }
  const open = checkOpen(state, answer.intent_id);
  if (!open.ok) return open;
  const checked = checkValue(record, answer.value);
  if (!checked.ok) return checked;
  const instant = toInstant(now);
  const settled: SettledRecord = {
    ...record,
    resolution: 'responded',
    settled_by: 'operator',
    settled_at: instant,
    response: answer.value,
    responded_at: instant,
    responded_by: answer.responded_by,
    submitted_by: answer.submitted_by,
    ...(answer.metadata && { metadata: answer.metadata }),
  };
  const acceptedAnswer: AcceptedAnswer = {
    answer: answer.answer,
    result: respondResult(state.intent_id, settled, checked.value.choice),
  };
  return ok({
    state: { ...state, record: settled, accepted: acceptedAnswer },
    accepted: acceptedAnswer,
    repeated: false,
  });
}

/**
 * Judges a withdrawal. A settled question stays as it is. Refuses `suspension_mismatch` and
 * `suspension_settled`.
 */
export function judgeCancel(
  state: SuspensionState,
  cancel: {
    readonly intent_id?: string | null;
    readonly cancelled_by: string;
    readonly settled_by: Extract<SettledBy, 'agent' | 'admin' | 'intent'>;
    readonly reason?: string;
  },
  now: number,
): Ruling<{ state: SuspensionState; record: SettledRecord }> {
  const open = checkOpen(state, cancel.intent_id);
  if (!open.ok) return open;
  const record: SettledRecord = {
    ...state.record,
    resolution: 'cancelled',
    settled_by: cancel.settled_by,
    settled_at: toInstant(now),
    submitted_by: cancel.cancelled_by,
    ...(cancel.reason !== undefined && { reason: cancel.reason }),
  };
  return ok({ state: { ...state, record }, record });
}

function checkOpen({ intent_id, record }: SuspensionState, through?: string | null): Ruling<true> {
  if ((through ?? intent_id) !== intent_id) {
    return refuse('suspension_mismatch', 'The suspension belongs to another intent.');
  }
  if (!isSettled(record)) return ok(true);
  return refuse('suspension_settled', `The question is already ${record.resolution}.`, {
    state: {
      resolution: record.resolution,
      settled_at: record.settled_at,
      ...(record.responded_by !== undefined && { responded_by: record.responded_by }),
      ...(record.responded_at !== undefined && { responded_at: record.responded_at }),
      ...(record.response !== undefined && { value: record.response }),
    },
  });
}

/** Returns the fields that settling added to a record. */
export function settlementOf(record: SettledRecord): Settlement {
  const { resolution, settled_by, settled_at, response, responded_at } = record;
  const { responded_by, submitted_by, metadata, reason } = record;
  return {
    resolution,
    settled_by,
    settled_at,
    ...(response !== undefined && { response }),
    ...(responded_at !== undefined && { responded_at }),
    ...(responded_by !== undefined && { responded_by }),
    ...(submitted_by !== undefined && { submitted_by }),
    ...(metadata !== undefined && { metadata }),
    ...(reason !== undefined && { reason }),
  };
}

/**
 * Expires a question at the deadline of a portfolio, as of `at` (ms), passing over its fallback and its own
 * `expires_at` (R26-27 to R26-30). Returns undefined if the question is settled: what comes first counts.
 */
export function expireForDeadline(state: SuspensionState, at: number): SuspensionState | undefined {
  if (isSettled(state.record)) return undefined;
  const record: SettledRecord = {
    ...state.record,
    resolution: 'expired',
    settled_by: 'clock',
    settled_at: toInstant(at),
    reason: PORTFOLIO_DEADLINE,
  };
  return { ...state, record };
}

/** Whether the deadline of a portfolio ended the question, so that its fallback does not apply (R26-28). */
export function endedByDeadline({
  resolution,
  reason,
}: Pick<SuspensionRecord, 'resolution' | 'reason'>): boolean {
  return resolution === 'expired' && reason === PORTFOLIO_DEADLINE;
}

/** Whether a message has the form of a portfolio's deadline. */
export function isDeadline(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { portfolio_id, deadline } = message;
  return typeof portfolio_id === 'string' && isInstant(deadline);
}
