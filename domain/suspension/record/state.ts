import {
  ENDINGS,
  PORTFOLIO_DEADLINE,
  SUSPENSION_LOST,
} from '../../../contracts/constants/statuses.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Vote } from '../../../contracts/suspension/decision.js';
import type { AnswerKey, EligibilityChange } from '../../../contracts/log/journal.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type {
  QuestionFindings,
  SettledBy,
  SettledRecord,
  Settlement,
  SuspensionRecord,
} from '../../../contracts/suspension/suspension.js';
import type { Schedule, ScheduledAttempt } from '../../../contracts/suspension/retry-policy.js';
import type { Claim, Delegates } from '../../../contracts/suspension/verbs.js';
import type { RespondResult } from '../../../contracts/suspension/view.js';
import { isInstant, isObject } from '../../kernel/message-form.js';
import { authorize } from '../../policy/authorize.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { toInstant } from '../../kernel/time.js';
import { notesIn } from '../answering/response.js';
import { positionAt } from '../asking/schedule.js';
import { defined } from '../../../contracts/constants/defined.js';

/** The accepted answer, and the key that identifies a repetition. */
export interface AcceptedAnswer {
  readonly answer: AnswerKey;
  readonly result: RespondResult;
}

export interface KeyedVote {
  readonly vote: Vote;
  readonly answer: AnswerKey;
}

export interface SuspensionState extends Delegates {
  readonly intent_id: string | null;
  readonly record: SuspensionRecord | SettledRecord;
  /** The latest due attempt; 0 before the first. */
  readonly attempt: number;
  readonly accepted?: AcceptedAnswer;
  /** The valid votes so far, oldest first, if several people decide. */
  readonly votes?: readonly KeyedVote[];
  readonly eligibility?: EligibilityChange;
  readonly claim?: Claim;
  /** The findings about the corrected question, which replace the first ones. */
  readonly findings?: QuestionFindings;
}

/** The votes in the form of the record; absent if one answer is enough. */
export function countedIn({ votes }: SuspensionState): { readonly votes?: Vote[] } {
  return votes === undefined ? {} : { votes: votes.map(({ vote }) => vote) };
}

/** A due attempt; it is skipped if a later one is due too. */
export interface DueAttempt {
  readonly attempt: ScheduledAttempt;
  readonly skipped: boolean;
}

/** What is due: attempts in order, or the expiry. Only the latest attempt is delivered. */
interface Due {
  readonly state: SuspensionState;
  readonly attempts: readonly DueAttempt[];
  readonly expired: boolean;
}

export function isSettled(record: SuspensionRecord | SettledRecord): record is SettledRecord {
  return record.resolution !== undefined;
}

/**
 * Settles what is due at `now`, before anything new is judged. After an outage only the latest attempt is delivered;
 * none after the expiry, or for a pause.
 *
 * @param answering - whether an answer ends the question in the same step
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
  return { state: { ...moved, record: expired(state, now) }, attempts, expired: true };
}

function expired(state: SuspensionState, at: number, reason?: string): SettledRecord {
  return {
    ...state.record,
    resolution: 'expired',
    settled_by: 'clock',
    settled_at: toInstant(at),
    ...defined({ reason }),
    ...countedIn(state),
  };
}

interface Withdrawal {
  readonly intent_id?: string | null;
  readonly cancelled_by: string;
  readonly settled_by: Extract<SettledBy, 'agent' | 'admin' | 'intent' | 'system'>;
  readonly reason?: string;
}

/** The withdrawal that a caller requests; the record says whether the asker or an admin made it. Refuses `forbidden`. */
export function withdrawalBy(
  { by, ...cancel }: Pick<Withdrawal, 'intent_id' | 'reason'> & { readonly by: Caller },
  asker: string,
): Ruling<Withdrawal> {
  const allowed = authorize(by, 'cancelSuspension', { asker });
  if (!allowed.ok) return allowed;
  const settled_by = by.principal === asker ? 'agent' : 'admin';
  return ok({ ...cancel, cancelled_by: by.principal, settled_by });
}

/** Judges a withdrawal of an open question. Refuses `suspension_mismatch` and `suspension_settled`. */
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
    ...defined({ reason: cancel.reason }),
    ...countedIn(state),
  };
  return ok({ state: { ...state, record }, record });
}

/** Returns the end of a question whose workflow was terminated or failed, at `at` (ISO-8601). */
export function lostRecord(record: SuspensionRecord, at: string): SettledRecord {
  const settlement = { resolution: 'cancelled', settled_by: 'system' } as const;
  return { ...record, ...settlement, settled_at: at, reason: SUSPENSION_LOST };
}

/** Refuses `suspension_mismatch` and `suspension_settled`. */
export function checkOpen(
  { intent_id, record }: Pick<SuspensionState, 'intent_id' | 'record'>,
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
      ...defined({
        responded_by: record.responded_by,
        responded_at: record.responded_at,
        value: record.response,
      }),
    },
  });
}

/** The parts of a question that an amendment may change. */
export type AmendedPart = Readonly<
  Pick<SettledRecord, 'question' | 'text_format' | 'choices' | 'context' | 'response_schema'>
> & { readonly question_version: number; readonly amended_at: string };

type MaybeAmended = { readonly [K in keyof AmendedPart]?: AmendedPart[K] | undefined };

/** The changed parts of an amended question; undefined if it was never amended. */
export function amendedPart(record: MaybeAmended): AmendedPart | undefined {
  const { question, text_format, choices, context, response_schema } = record;
  const { question_version, amended_at } = record;
  if (question === undefined || question_version === undefined || amended_at === undefined) {
    return undefined;
  }
  return {
    question,
    ...defined({ text_format, choices, context, response_schema }),
    question_version,
    amended_at,
  };
}

/** Returns the fields that settling added to a record, and the amended parts. */
export function settlementOf(record: Settlement): Settlement {
  const { resolution, settled_by, settled_at, response, responded_at } = record;
  const { responded_by, submitted_by, metadata, reason, votes, approval } = record;
  const amended = amendedPart(record);
  return {
    resolution,
    settled_by,
    settled_at,
    ...defined({ response, responded_at, responded_by, submitted_by }),
    ...notesIn(record),
    ...defined({ metadata, reason, votes, approval }),
    ...amended,
  };
}

/**
 * Expires a question at the deadline of a portfolio, as of `at` (ms), regardless of its fallback and its own
 * `expires_at` (R26-27 to R26-30). Returns undefined if the question was settled before.
 */
export function expireForDeadline(state: SuspensionState, at: number): SuspensionState | undefined {
  if (isSettled(state.record)) return undefined;
  return { ...state, record: expired(state, at, PORTFOLIO_DEADLINE) };
}

export function isDeadline(message: unknown): boolean {
  if (!isObject(message)) return false;
  const { portfolio_id, deadline } = message;
  return typeof portfolio_id === 'string' && isInstant(deadline);
}
