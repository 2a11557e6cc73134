import { LIMITS } from '../../contracts/constants/limits.js';
import type { ApprovalPart, EditedCall } from '../../contracts/approval.js';
import type { Caller } from '../../contracts/caller.js';
import type { DecisionRule, Vote } from '../../contracts/decision.js';
import type { AnswerKey } from '../../contracts/journal.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import type { RespondResult } from '../../contracts/suspension-view.js';
import type { SettledRecord, SuspensionRecord } from '../../contracts/suspension.js';
import { editedPart } from '../approval/edits.js';
import type { EditsAllowed } from '../approval/edits.js';
import { checkHash } from '../approval/proposal.js';
import { jsonBytes, jsonEqual } from '../kernel/json.js';
import { ok, refuse } from '../kernel/ruling.js';
import { toInstant } from '../kernel/time.js';
import { authorize } from '../policy/authorize.js';
import { checkClaim, unclaimed } from './claim.js';
import { notesIn } from './notes.js';
import { approvalsIn, checkVoter, isDecided, ruleOf, versionOf } from './decision.js';
import { currentRule } from './delegates.js';
import { checkIsQuestion } from './pause.js';
import { checkData, checkValue, matchedChoice, respondResult } from './response.js';
import { checkOpen, countedIn } from './state.js';
import type { AcceptedAnswer, KeyedVote, SuspensionState } from './state.js';

/** An answer to judge. `intent_id` is set if it came through an intent, and not if it addressed the suspension itself. */
export interface Answer {
  readonly intent_id?: string | null;
  readonly value: JsonValue;
  /** What resumes a pause, whose data the value then is; an answer to a question has none. */
  readonly resume_signal?: string;
  /** Who answers; differs from the principal that brings the answer only for admins. */
  readonly responded_by: string;
  readonly by: Caller;
  /** The version of the question that it is for; it may be absent while the question is as it was asked. */
  readonly question_version?: number;
  /** The hash of what it decides on, for an approval. */
  readonly proposal_hash?: string;
  /** What is approved in place of what was proposed. */
  readonly edits?: readonly EditedCall[];
  /** By the rules, as whoever brings the answer has judged the edits. */
  readonly edits_allowed?: EditsAllowed;
  /** Whether who asked, or is asked for, may not answer; the configuration says so. */
  readonly separation_of_duties?: boolean;
  /** Whether it is meant although somebody else has claimed the question. */
  readonly despite_claim?: boolean;
  /** Why it was given, for whoever reads it. */
  readonly comment?: string;
  /** What else the question wants; judged by its schema. */
  readonly data?: JsonObject;
  readonly metadata?: JsonObject;
  readonly answer: AnswerKey;
}

/** What an answer that is not refused leads to. */
export interface Judgement {
  readonly state: SuspensionState;
  /** Its key and its reply, which are also those of its repetitions. */
  readonly accepted: AcceptedAnswer;
  /** Whether it settles the question, or counts until enough others agree. */
  readonly verdict: 'counted' | 'settled';
  /** Whether it counts already, so that nothing changes. */
  readonly repeated: boolean;
}

/**
 * Judges an answer by the decision rule, after everything due was settled. Answers by Update and by Signal both come
 * here. An answer with the same key gets the stored result again, because the first reply may have been lost; so
 * does the same value of the same principal under another key while others still have to answer (AM-58). Afterwards
 * it is refused (R26-90). Refuses, in this order: `forbidden`, `responded_by_mismatch`, `suspension_mismatch`,
 * `suspension_settled`, `reason_mismatch`, `question_version_mismatch`, `not_eligible`, `invalid_value`, `already_voted`,
 * `claimed_by_other` and `answer_too_large`.
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
  const rule = currentRule(state);
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

/** The state in which an answer counts: with its edits, or as it was. */
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

/** The votes were for the version before. */
function onNewVersion(state: SuspensionState, approval: ApprovalPart): SuspensionState {
  const record = { ...state.record, approval };
  return { ...state, record, ...(state.votes && { votes: [] }) };
}

/** Refuses who may not answer at all, or not in the name of another. */
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
): Ruling<unknown> {
  const open = checkOpen(state, answer.intent_id);
  if (!open.ok) return open;
  const question = checkIsQuestion(state.record);
  if (!question.ok) return question;
  const version = checkVersion(answer, state.record);
  if (!version.ok) return version;
  const hash = checkHash(state.record.approval, answer.proposal_hash);
  if (!hash.ok) return hash;
  const voter = checkVoter(rule, answer, answer.separation_of_duties === true ? askers : []);
  if (!voter.ok) return voter;
  const value = checkValue(state.record, answer.value);
  return value.ok ? checkData(state.record, answer.data) : value;
}

/** An answer that names no version is for the question as it was asked: once that was amended, it has to name one. */
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

/** The subject, the report and every later run carry the answer. */
function checkSize(answer: Answer, { quorum }: DecisionRule): Ruling<true> {
  const most = quorum > 1 ? LIMITS.voteBytes : LIMITS.answerBytes;
  const notes = { ...answer.metadata, ...notesIn(answer) };
  if (jsonBytes([answer.value, notes]) <= most) return ok(true);
  return refuse('answer_too_large', 'The answer is too large.', {
    field: 'value',
    accepted: `at most ${most} bytes of JSON, comment, data and metadata included`,
  });
}

/** A vote that counts does not change: others may have seen it. The same value is the same vote. */
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

/** Whether the reply to an answer says that it settled the question. */
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
    // Who has voted has nothing left to do.
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
    ...(metadata && { metadata }),
    question_version,
    counted_at,
  };
}

/** The record that a vote settles: its value is the answer. */
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
    ...(vote.metadata && { metadata: vote.metadata }),
    ...countedIn(state),
  };
}

function resultOf({ intent_id, record, votes = [] }: SuspensionState, keyed: KeyedVote) {
  const before = votes.slice(0, votes.indexOf(keyed)).map(asVote);
  return voteResult(intent_id, record, before, keyed.vote);
}

/**
 * Returns the reply to one of several votes, as it was when the vote came: how many agree so far, and `resolution`
 * if it settled the question (AM-58).
 *
 * @param before - the votes that came earlier
 */
export function voteResult(
  intentId: string | null,
  record: SuspensionRecord,
  before: readonly Vote[],
  vote: Vote,
): RespondResult {
  const { value, actor, counted_at, metadata } = vote;
  const votes = [...before, vote];
  const choice = matchedChoice(record, value);
  const rule = ruleOf(record);
  return {
    intent_id: intentId,
    suspension_id: record.id,
    ...(isDecided(rule, votes) && { resolution: 'responded' }),
    value,
    ...(choice && { choice_label: choice.label }),
    ...(choice?.description !== undefined && { choice_description: choice.description }),
    responded_by: actor,
    responded_at: counted_at,
    ...notesIn(vote),
    ...(metadata && { metadata }),
    approvals: approvalsIn(rule, votes),
    required: rule.quorum,
  };
}
