import {
  ENDINGS,
  PORTFOLIO_DEADLINE,
  SUSPENSION_LOST,
} from '../../contracts/constants/statuses.js';
import type { Caller } from '../../contracts/caller.js';
import type { Vote } from '../../contracts/decision.js';
import type { AnswerKey, EligibilityChange } from '../../contracts/journal.js';
import type { Ruling } from '../../contracts/problem.js';
import type { QuestionFindings } from '../../contracts/question-findings.js';
import type { Schedule, ScheduledAttempt } from '../../contracts/retry-policy.js';
import type { Claim } from '../../contracts/suspension-verbs.js';
import type { RespondResult } from '../../contracts/suspension-view.js';
import type {
  SettledBy,
  SettledRecord,
  Settlement,
  SuspensionRecord,
} from '../../contracts/suspension.js';
import { isInstant, isObject } from '../kernel/message-form.js';
import { authorize } from '../policy/authorize.js';
import { ok, refuse } from '../kernel/ruling.js';
import { toInstant } from '../kernel/time.js';
import { notesIn } from './notes.js';
import { positionAt } from './schedule.js';

/** The accepted answer, and the key that recognises it when it is sent again. */
export interface AcceptedAnswer {
  readonly answer: AnswerKey;
  readonly result: RespondResult;
}

/** A vote, and the key of the answer that gave it. */
export interface KeyedVote {
  readonly vote: Vote;
  readonly answer: AnswerKey;
}

/** The state of a suspension between two messages. */
export interface SuspensionState {
  readonly intent_id: string | null;
  readonly record: SuspensionRecord | SettledRecord;
  /** The latest attempt that was due; 0 before the first. */
  readonly attempt: number;
  readonly accepted?: AcceptedAnswer;
  /** What counts so far, oldest first, if several people decide. */
  readonly votes?: readonly KeyedVote[];
  /** Who is eligible since somebody changed it. */
  readonly eligibility?: EligibilityChange;
  /** The latest claim, which may have expired. */
  readonly claim?: Claim;
  /** To whom it was delegated: they may answer too. */
  readonly delegates?: readonly string[];
  /** What was found about the question as it was amended, in place of what was found when it was asked. */
  readonly findings?: QuestionFindings;
}

/** The votes as the record shows them; absent if one answer is enough. */
export function countedIn({ votes }: SuspensionState): { readonly votes?: Vote[] } {
  return votes === undefined ? {} : { votes: votes.map(({ vote }) => vote) };
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
 * None is delivered if the question has expired, and a pause has none.
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
  // A pause notifies nobody.
  const due = state.record.pause === undefined ? schedule.attempts : [];
  const passed = due.filter(
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
    ...countedIn(state),
  };
  return { state: { ...moved, record }, attempts, expired: true };
}

/** A withdrawal: who, and in which capacity. */
interface Withdrawal {
  readonly intent_id?: string | null;
  readonly cancelled_by: string;
  readonly settled_by: Extract<SettledBy, 'agent' | 'admin' | 'intent' | 'system'>;
  readonly reason?: string;
}

/** The withdrawal that a caller wants; the record tells whether who asked or an admin did it. Refuses `forbidden`. */
export function withdrawalBy(
  { by, ...cancel }: Pick<Withdrawal, 'intent_id' | 'reason'> & { readonly by: Caller },
  asker: string,
): Ruling<Withdrawal> {
  const allowed = authorize(by, 'cancelSuspension', { asker });
  if (!allowed.ok) return allowed;
  const settled_by = by.principal === asker ? 'agent' : 'admin';
  return ok({ ...cancel, cancelled_by: by.principal, settled_by });
}

/**
 * Judges a withdrawal. A settled question stays as it is. Refuses `suspension_mismatch` and
 * `suspension_settled`.
 */
export function judgeCancel(
  state: SuspensionState,
  cancel: Withdrawal,
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
    ...countedIn(state),
  };
  return ok({ state: { ...state, record }, record });
}

/**
 * Returns the end of a question whose workflow is gone: somebody terminated it, or it failed.
 *
 * @param at - ISO-8601
 */
export function lostRecord(record: SuspensionRecord, at: string): SettledRecord {
  const settlement = { resolution: 'cancelled', settled_by: 'system' } as const;
  return { ...record, ...settlement, settled_at: at, reason: SUSPENSION_LOST };
}

/** Refuses `suspension_mismatch` and `suspension_settled`. */
export function checkOpen(
  { intent_id, record }: SuspensionState,
  through?: string | null,
): Ruling<true> {
  if ((through ?? intent_id) !== intent_id) {
    return refuse('suspension_mismatch', 'The suspension belongs to another intent.');
  }
  if (!isSettled(record)) return ok(true);
  return refuse('suspension_settled', `The question ${ENDINGS[record.resolution]}.`, {
    state: {
      resolution: record.resolution,
      settled_at: record.settled_at,
      ...(record.responded_by !== undefined && { responded_by: record.responded_by }),
      ...(record.responded_at !== undefined && { responded_at: record.responded_at }),
      ...(record.response !== undefined && { value: record.response }),
    },
  });
}

/** All of an amended question that may differ from what was asked. */
export interface AmendedPart {
  readonly question: string;
  readonly text_format?: SuspensionRecord['text_format'];
  readonly choices?: SuspensionRecord['choices'] | undefined;
  readonly context?: SuspensionRecord['context'] | undefined;
  readonly response_schema?: SuspensionRecord['response_schema'] | undefined;
  readonly question_version: number;
  readonly amended_at: string;
}

type MaybeAmended = { readonly [K in keyof AmendedPart]?: AmendedPart[K] | undefined };

/** What an amended question has in place of what it was asked with; undefined for one that was never amended. */
export function amendedPart(record: MaybeAmended): AmendedPart | undefined {
  const { question, text_format, choices, context, response_schema } = record;
  const { question_version, amended_at } = record;
  if (question === undefined || question_version === undefined || amended_at === undefined) {
    return undefined;
  }
  return {
    question,
    ...(text_format && { text_format }),
    ...(choices && { choices }),
    ...(context && { context }),
    ...(response_schema && { response_schema }),
    question_version,
    amended_at,
  };
}

/** Returns the fields that settling added to a record, and what amendments have replaced in it. */
export function settlementOf(record: Settlement): Settlement {
  const { resolution, settled_by, settled_at, response, responded_at } = record;
  const { responded_by, submitted_by, metadata, reason, votes, approval } = record;
  const amended = amendedPart(record);
  return {
    resolution,
    settled_by,
    settled_at,
    ...(response !== undefined && { response }),
    ...(responded_at !== undefined && { responded_at }),
    ...(responded_by !== undefined && { responded_by }),
    ...(submitted_by !== undefined && { submitted_by }),
    ...notesIn(record),
    ...(metadata !== undefined && { metadata }),
    ...(reason !== undefined && { reason }),
    ...(votes !== undefined && { votes }),
    ...(approval !== undefined && { approval }),
    ...amended,
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
    ...countedIn(state),
  };
  return { ...state, record };
}

/** Whether a message has the form of a portfolio's deadline. */
export function isDeadline(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { portfolio_id, deadline } = message;
  return typeof portfolio_id === 'string' && isInstant(deadline);
}
