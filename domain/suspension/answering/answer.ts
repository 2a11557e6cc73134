import { LIMITS } from '../../../contracts/constants/limits.js';
import type { ApprovalPart, EditedCall } from '../../../contracts/approval/approval.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { DecisionRule, Vote } from '../../../contracts/suspension/decision.js';
import type { AnswerKey } from '../../../contracts/log/journal.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { RespondResult } from '../../../contracts/suspension/view.js';
import type { SettledRecord, SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { explained } from '../../approval/asking/initiator.js';
import { editedPart, type EditsAllowed } from '../../approval/proposal/edits.js';
import { checkHash } from '../../approval/proposal/proposal.js';
import { jsonBytes, jsonEqual } from '../../kernel/json.js';
import { checkInOrder, ok, refuse } from '../../kernel/ruling.js';
import { toInstant } from '../../kernel/time.js';
import { authorize } from '../../policy/authorize.js';
import { checkClaim, unclaimed } from '../people/claim.js';
import { checkData, checkValue, choiceIn, notesIn, respondResult } from './response.js';
import { approvalsIn, checkVoter, isDecided, ruleOf, versionOf } from './decision.js';
import { currentRule } from '../people/delegates.js';
import { checkIsQuestion } from '../asking/pause.js';
import {
  checkOpen,
  countedIn,
  type AcceptedAnswer,
  type KeyedVote,
  type SuspensionState,
} from '../record/state.js';
import { defined } from '../../../contracts/constants/defined.js';

/** An answer to judge. `intent_id` is set only if it was sent through an intent, and not to the suspension itself. */
export interface Answer {
  readonly intent_id?: string | null;
  readonly value: JsonValue;
  /** The signal for a pause, whose data is then the value; absent in an answer to a question. */
  readonly resume_signal?: string;
  /** The person who answers; it differs from the sending principal only for admins. */
  readonly responded_by: string;
  readonly by: Caller;
  /** The version of the question; required once the question was amended. */
  readonly question_version?: number;
  readonly proposal_hash?: string;
  readonly edits?: readonly EditedCall[];
  /** The verdict of the rules on the edits, found by the sender. */
  readonly edits_allowed?: EditsAllowed;
  readonly separation_of_duties?: boolean;
  /** Whether it is valid although somebody else has claimed the question. */
  readonly despite_claim?: boolean;
  readonly comment?: string;
  /** More data that the question requires, judged by its schema. */
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
  readonly answer: AnswerKey;
}

export interface Judgement {
  readonly state: SuspensionState;
  /** Its key and reply, also for a repeated answer. */
  readonly accepted: AcceptedAnswer;
  /** Whether it settles the question, or is counted until enough others agree. */
  readonly verdict: 'counted' | 'settled';
  /** Whether it was counted before, so that nothing changes. */
  readonly repeated: boolean;
}

/**
 * Judges an answer, by Update or Signal, by the decision rule, after everything due was settled. The same key gets
 * the stored result again, because the first reply may be lost; so does the same value of the same principal while
 * others still have to answer, but not afterwards (R26-90). Refuses, in this order: `forbidden`,
 * `responded_by_mismatch`, `suspension_mismatch`, `suspension_settled`, `reason_mismatch`,
 * `question_version_mismatch`, `not_eligible`, `invalid_value`, `already_voted`, `claimed_by_other` and
 * `answer_too_large`.
 *
 * @param askers - who asked, and for whom
 */
export function judgeAnswer(
  state: SuspensionState,
  answer: Answer,
  now: number,
  askers: readonly string[] = [],
): Ruling<Judgement> {
  const allowed = checkRight(answer, state.record);
  if (!allowed.ok) return allowed;
  const known = knownAnswer(state, answer.answer);
  if (known) return ok(repetition(state, known));
  const rule = currentRule(state, answer, askers);
  const counts = checkAnswer(state, rule, answer, askers);
  if (!counts.ok) return counts;
  const edited = editedState(state, answer);
  if (!edited.ok) return edited;
  const own = edited.value.votes?.find(({ vote }) => vote.principal === answer.by.principal);
  if (own) return sameVote(state, own, answer);
  const claim = checkClaim(state, answer, now);
  if (!claim.ok) return claim;
  const size = checkSize(answer, rule);
  if (!size.ok) return size;
  return ok(counted(edited.value, rule, answer, now));
}

function editedState(state: SuspensionState, answer: Answer): Ruling<SuspensionState> {
  const { approval } = state.record;
  if (approval === undefined) {
    if (!answer.edits?.length) return ok(state);
    const extra = { field: 'edits', accepted: 'no edits' };
    return refuse('invalid_edit', 'The question has no calls to edit.', extra);
  }
  const edited = editedPart(approval, answer);
  if (!edited.ok) return edited;
  return ok(edited.value === approval ? state : onNewVersion(state, edited.value));
}

/** Earlier votes were for the version before. */
function onNewVersion(state: SuspensionState, approval: ApprovalPart): SuspensionState {
  const record = { ...state.record, approval };
  return { ...state, record, ...(state.votes && { votes: [] }) };
}

/** Refuses callers who may not answer, or not on another's behalf. */
function checkRight({ by, responded_by }: Answer, { approval }: SuspensionRecord): Ruling<true> {
  const initiator = approval?.proposal.on_behalf_of;
  const allowed = authorize(by, 'respond', { initiator });
  if (!allowed.ok || responded_by === by.principal) return allowed;
  return authorize(by, 'respond', { when: 'inAnothersName' });
}

function checkAnswer(
  state: SuspensionState,
  rule: DecisionRule,
  answer: Answer,
  askers: readonly string[],
): Ruling<true> {
  const { record } = state;
  const separate = answer.separation_of_duties === true ? askers : [];
  return checkInOrder(
    () => checkOpen(state, answer.intent_id),
    () => checkIsQuestion(record),
    () => checkVersion(answer, record),
    () => checkHash(record.approval, answer.proposal_hash),
    () => explained(checkVoter(rule, answer, separate), answer, record.approval?.proposal),
    () => checkValue(record, answer.value),
    () => checkData(record, answer.data),
  );
}

/** An answer without a version is for the question as first asked; after an amendment it needs one. */
function checkVersion({ question_version }: Answer, record: SuspensionRecord): Ruling<true> {
  const current = versionOf(record);
  const isNamed = question_version !== undefined;
  const isRight = isNamed ? question_version === current : record.amended_at === undefined;
  if (isRight) return ok(true);
  const detail = isNamed
    ? `The answer is for version ${question_version} of the question; the current one is ${current}.`
    : `The question was amended, and the answer does not say that it is for version ${current}, the current one.`;
  return refuse('question_version_mismatch', detail, {
    field: 'question_version',
    accepted: String(current),
    state: { question_version: current },
  });
}

/** The record, the report and every later run contain the answer. */
function checkSize(answer: Answer, { quorum }: DecisionRule): Ruling<true> {
  const most = quorum > 1 ? LIMITS.voteBytes : LIMITS.answerBytes;
  const notes = { ...answer.metadata, ...notesIn(answer) };
  if (jsonBytes([answer.value, notes]) <= most) return ok(true);
  return refuse('answer_too_large', 'The answer is too large.', {
    field: 'value',
    accepted: `at most ${most} bytes of JSON, comment, data and metadata included`,
  });
}

/** A counted vote cannot change, because others may have seen it. The same value is the same vote. */
function sameVote(state: SuspensionState, before: KeyedVote, answer: Answer): Ruling<Judgement> {
  const { value, counted_at } = before.vote;
  if (jsonEqual(value, answer.value)) {
    return ok(repetition(state, { answer: answer.answer, result: resultOf(state, before) }));
  }
  return refuse('already_voted', 'This principal has given another answer.', {
    field: 'value',
    accepted: 'the answer that counts',
    state: { value, counted_at },
  });
}

function knownAnswer(state: SuspensionState, { key }: AnswerKey): AcceptedAnswer | undefined {
  const vote = state.votes?.find(({ answer }) => answer.key === key);
  if (vote) return { answer: vote.answer, result: resultOf(state, vote) };
  return state.accepted?.answer.key === key ? state.accepted : undefined;
}

function repetition(state: SuspensionState, accepted: AcceptedAnswer): Judgement {
  return { state, accepted, verdict: verdictOf(accepted.result), repeated: true };
}

export function verdictOf({ resolution }: RespondResult): Judgement['verdict'] {
  return resolution === undefined ? 'counted' : 'settled';
}

function counted(
  before: SuspensionState,
  rule: DecisionRule,
  answer: Answer,
  now: number,
): Judgement {
  const version = versionOf(before.record);
  const keyed = { vote: voteOf(answer, version, toInstant(now)), answer: answer.answer };
  const votes = [...(before.votes ?? []), keyed];
  const open = rule.quorum > 1 ? { ...before, votes } : before;
  const isOver = isDecided(rule, votes.map(asVote));
  if (!isOver) {
    const accepted = { answer: answer.answer, result: resultOf(open, keyed) };
    // A person who has voted needs no claim any more.
    const rest = unclaimed(open, answer.by.principal);
    return { state: rest, accepted, verdict: 'counted', repeated: false };
  }
  const record = settledBy(open, keyed.vote);
  const settled = { ...open, record };
  const { intent_id } = open;
  const isCounted = rule.quorum > 1 || record.approval !== undefined;
  const result = isCounted ? resultOf(settled, keyed) : respondResult(intent_id, record);
  const accepted = { answer: answer.answer, result };
  return { state: { ...settled, accepted }, accepted, verdict: 'settled', repeated: false };
}

function asVote({ vote }: KeyedVote): Vote {
  return vote;
}

function voteOf(answer: Answer, question_version: number, counted_at: string): Vote {
  const { by, responded_by, value, metadata } = answer;
  return {
    principal: by.principal,
    actor: responded_by,
    value,
    ...notesIn(answer),
    ...defined({ metadata }),
    question_version,
    counted_at,
  };
}

/** The record after the deciding vote: its value is the answer. */
function settledBy(state: SuspensionState, vote: Vote): SettledRecord {
  return {
    ...state.record,
    resolution: 'responded',
    settled_by: 'operator',
    settled_at: vote.counted_at,
    response: vote.value,
    responded_at: vote.counted_at,
    responded_by: vote.actor,
    submitted_by: vote.principal,
    ...notesIn(vote),
    ...defined({ metadata: vote.metadata }),
    ...countedIn(state),
  };
}

function resultOf({ intent_id, record, votes = [] }: SuspensionState, keyed: KeyedVote) {
  const before = votes.slice(0, votes.indexOf(keyed)).map(asVote);
  return voteResult(intent_id, record, before, keyed.vote);
}

/**
 * Returns the reply to one of several votes as of that vote: how many agree so far, and `resolution` if it settled
 * the question. `before` are the earlier votes.
 */
export function voteResult(
  intentId: string | null,
  record: SuspensionRecord,
  before: readonly Vote[],
  vote: Vote,
): RespondResult {
  const { value, actor, counted_at, metadata } = vote;
  const votes = [...before, vote];
  const rule = ruleOf(record);
  return {
    intent_id: intentId,
    suspension_id: record.id,
    ...(isDecided(rule, votes) && { resolution: 'responded' }),
    value,
    ...choiceIn(record, value),
    responded_by: actor,
    responded_at: counted_at,
    ...notesIn(vote),
    ...defined({ metadata }),
    approvals: approvalsIn(rule, votes),
    required: rule.quorum,
  };
}
