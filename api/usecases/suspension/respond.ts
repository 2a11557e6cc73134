import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { RespondRequest } from '../../../contracts/suspension/requests.js';
import { judgeEdits, type EditsAllowed } from '../../../domain/approval/proposal/edits.js';
import { RefusalError, refusalOf } from '../../errors.js';
import type { Parts } from '../../parts/index.js';
import { idempotencyKeyReused, notFound, refused } from '../../parts/refusals.js';
import { isEntityId, workflowIdOf } from '../../../contracts/constants/names.js';
import { randomUUID } from 'node:crypto';
import type { AnswerKey } from '../../../contracts/log/journal.js';
import { hashJson, sha256Hex } from '../../../domain/kernel/hashing.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { notesIn, respondResult } from '../../../domain/suspension/answering/response.js';
import { proven } from '../../parts/caller.js';
import type { Attempt } from '../../parts/diagnosis.js';
import type { RespondResult, SuspensionView } from '../../../contracts/suspension/view.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { voteResult, type Answer } from '../../../domain/suspension/answering/answer.js';
import { votesOf } from '../../../domain/suspension/answering/decision.js';
import { isSettled } from '../../../domain/suspension/record/state.js';
import { findAnswer, findSuspension } from '../../../store/queries/suspension.js';
import { READ_MS } from '../../parts/calls/deadline.js';
import type { AskedApproval } from '../../../domain/approval/deciding/meant-question.js';
import { toInstant } from '../../../domain/kernel/time.js';
import {
  operatorResponseSignal,
  respondUpdate,
  type OperatorAnswer,
  type RespondReceipt,
} from '../../../workflows/suspension/messages.js';
import { WRITE, useCase, type Call } from '../usecase.js';
import { afterCounting, afterSettling, isHoldpoints } from './withdraw.js';

export type JudgedEdits = Ruling<EditsAllowed> | undefined;

/**
 * Judges the edits of an answer, with the proposal that it names, by the configured rules, which workflows do not
 * know. The workflow judges everything else.
 */
async function judgedEdits(
  { config, reads }: Parts,
  { suspension_id, proposal_hash, edits = [] }: RespondRequest,
): Promise<JudgedEdits> {
  if (edits.length === 0) return undefined;
  const read = await known(reads.getSuspension(suspension_id));
  if (read === undefined) return undefined;
  const { value, stale } = read;
  const { approval } = value.record;
  if (approval !== undefined && approval.proposal_hash === proposal_hash) {
    return judgeEdits(config.approvals.rules, approval.proposal, edits);
  }
  if (!stale) return undefined;
  // The workflow may know a later version, and would judge the edits as if the rules refused them.
  throw refused('workflow_unavailable', 'The proposal that the edits are for cannot be read now.');
}

/** Returns undefined for a missing question, so that the answer is refused like any other answer to it. */
async function known<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (refusalOf(error)?.code === 'suspension_not_found') return undefined;
    throw error;
  }
}

/** Returns the judgement in the form of an answer. */
function allowedBy(judged: JudgedEdits): { readonly edits_allowed?: EditsAllowed } {
  return judged?.ok ? { edits_allowed: judged.value } : {};
}

/**
 * Adds the reason to the workflow's refusal of an answer: the workflow only knows that edits are not allowed, and the
 * rules say why.
 */
function reasonedRefusal(error: unknown, judged: JudgedEdits): unknown {
  if (!judged || judged.ok || refusalOf(error)?.code !== judged.refusal.code) return error;
  return new RefusalError(judged.refusal, { cause: error });
}

/** An answer, or what resumes a pause: its signal, with the data as the value. */
export type AnswerRequest = RespondRequest & Pick<Answer, 'resume_signal'>;

/**
 * Returns the key of an answer, also the id of its Update: from principal, Idempotency-Key and suspension, or else
 * unique. `body_hash` shows another body under the same key.
 */
function answerKeyOf(
  principal: string,
  request: AnswerRequest,
  idempotencyKey: string | undefined,
): AnswerKey {
  const { resume_signal } = request;
  const { suspension_id, value, responded_by, question_version, metadata } = request;
  const { proposal_hash, edits, despite_claim } = request;
  const body_hash = hashJson({
    suspension_id,
    value,
    ...(resume_signal !== undefined && { resume_signal }),
    ...(responded_by !== undefined && { responded_by }),
    ...(question_version !== undefined && { question_version }),
    ...(proposal_hash !== undefined && { proposal_hash }),
    ...(edits !== undefined && { edits }),
    ...(despite_claim !== undefined && { despite_claim }),
    ...notesIn(request),
    ...(metadata !== undefined && { metadata }),
  });
  if (idempotencyKey === undefined) return { key: `a:${randomUUID()}`, body_hash };
  const key = sha256Hex([principal, idempotencyKey, suspension_id].join('\0'));
  return { key: `r:${key}`, body_hash };
}

function mismatch(detail: string, accepted: string): RefusalError {
  return refused('responded_by_mismatch', detail, { field: 'responded_by', accepted });
}

/**
 * Returns who answers: the principal of the key, unless an admin answers for somebody else. An agent never answers
 * for a person.
 * @throws RefusalError `responded_by_mismatch`
 */
function responderOf(
  { caller, parts: { agents } }: Call,
  { responded_by = caller.principal }: RespondRequest,
): string {
  if (responded_by === caller.principal) return responded_by;
  if (!authorize(caller, 'respond', { when: 'inAnothersName' }).ok) {
    const detail = 'responded_by is not the principal of this key; only an admin key may do that.';
    throw mismatch(detail, 'the principal of the key, or nothing');
  }
  if (!agents.has(responded_by)) return responded_by;
  const detail = 'responded_by is an agent, and agents do not answer.';
  throw mismatch(detail, 'the name of the person who answers');
}

/**
 * Returns the answer for the suspension, without its time of arrival and the judgement of its edits.
 * @throws RefusalError `responded_by_mismatch`
 */
function answerOf(
  call: Call,
  intentId: string | undefined,
  asked: AnswerRequest,
  key: string | undefined,
): Omit<OperatorAnswer, 'received_at'> {
  const { caller, parts } = call;
  const { separation_of_duties } = parts.config.suspension;
  const responded_by = responderOf(call, asked);
  const request = { ...asked, responded_by };
  const { value, question_version, proposal_hash, edits, metadata, despite_claim } = request;
  return {
    ...(intentId !== undefined && { intent_id: intentId }),
    ...(request.resume_signal !== undefined && { resume_signal: request.resume_signal }),
    value,
    responded_by,
    by: proven(caller),
    ...(question_version !== undefined && { question_version }),
    ...(proposal_hash !== undefined && { proposal_hash }),
    ...(edits && { edits }),
    ...(separation_of_duties && { separation_of_duties }),
    ...(despite_claim !== undefined && { despite_claim }),
    ...notesIn(request),
    ...(metadata && { metadata }),
    sender_writes: true,
    answer: answerKeyOf(caller.principal, request, key),
  };
}

/** Temporal returns the first result for any body under one update id; another body is an error. */
function demandSameBody(answer: OperatorAnswer, acceptedHash: string): void {
  if (answer.answer.body_hash === acceptedHash) return;
  throw idempotencyKeyReused();
}

/** Returns the attempt that an answer makes, for its diagnosis. */
function attemptOf({ by, resume_signal }: Pick<OperatorAnswer, 'by' | 'resume_signal'>): Attempt {
  return { by, action: resume_signal === undefined ? 'respond' : 'resumeSuspension' };
}

/** Reads a suspension from the store; its last rows, written by its intent or by whoever settled it, may come late. */
async function storedView(parts: Parts, suspensionId: string): Promise<SuspensionView | undefined> {
  const { fromStore, settlements, questionRows, intentRows } = parts;
  const view = await fromStore(findSuspension, suspensionId);
  if (view?.state !== 'pending') return view;
  if (view.intent_id === null) await questionRows.writeLast(suspensionId, { ms: READ_MS });
  else await intentRows.collect(view.intent_id);
  settlements.touch(suspensionId, 'settled');
  await settlements.catchUp();
  return fromStore(findSuspension, suspensionId);
}

/**
 * Returns the stored result, if the closed suspension accepted this answer: same Idempotency-Key, same body. Throws
 * the diagnosis otherwise, or `idempotency_key_reused`, or `store_unavailable` while the store is behind.
 */
async function storedResult(
  parts: Parts,
  suspensionId: string,
  answer: OperatorAnswer,
): Promise<RespondResult> {
  const { fromStore, diagnose } = parts;
  const { answer: own } = answer;
  const intent_id = answer.intent_id ?? undefined;
  const whyNot = () => diagnose(attemptOf(answer), intent_id, suspensionId);
  if (!own.key.startsWith('r:')) throw await whyNot();
  const view = await storedView(parts, suspensionId);
  const stored = view && (await fromStore(findAnswer, suspensionId, own.key));
  const through = intent_id ?? view?.intent_id;
  // Nobody can tell yet whether this answer counted, so its sender has to try again.
  if (view?.state === 'pending' && view.intent_id === through) throw notStoredYet();
  const same = stored !== undefined && view?.intent_id === through;
  if (!same || !view || !isSettled(stored.record)) throw await whyNot();
  demandSameBody(answer, stored.body_hash);
  return storedReply(view.intent_id, stored.record, stored.vote);
}

function notStoredYet(): RefusalError {
  return refused('store_unavailable', 'The store does not know yet how the question ended.');
}

/** Returns the reply to an answer that counted, as it was then. */
function storedReply(
  intentId: string | null,
  record: SettledRecord,
  place: number | undefined,
): RespondResult {
  const votes = votesOf(record);
  const only = record.approval === undefined ? undefined : votes[0];
  const vote = place === undefined ? only : votes[place];
  return vote === undefined
    ? respondResult(intentId, record)
    : voteResult(intentId, record, votes.slice(0, place ?? 0), vote);
}

/** An answer that was accepted, or handed over for later (202). */
export type RespondOutcome =
  | {
      readonly accepted: true;
      readonly result: RespondResult;
      /** The approval whose question the answer has settled, as it is then. */
      readonly approval?: AskedApproval;
    }
  | { readonly accepted: false; readonly suspension_id: string };

export const ANSWER_REFUSALS = [
  'responded_by_mismatch',
  'not_eligible',
  'suspension_settled',
  'reason_mismatch',
  'already_voted',
  'claimed_by_other',
  'question_version_mismatch',
  'missing_proposal_hash',
  'proposal_hash_mismatch',
  'invalid_edit',
  'edit_not_allowed',
  'invalid_value',
  'answer_too_large',
  'idempotency_key_reused',
  ...WRITE,
] as const;

/**
 * Answers a suspension (R25-71 … 86), of the intent `intentId` if the request names one. A refusal because of its
 * state is replaced by a diagnosis, so that the reply is the same before and after it closes. A closed one returns
 * the stored result to the same Idempotency-Key and body.
 */
export const respond = useCase({
  name: 'respond',
  resource: 'suspension',
  refusals: ANSWER_REFUSALS,
  async run(
    call: Call,
    intentId: string | undefined,
    request: AnswerRequest,
    idempotencyKey?: string,
  ): Promise<RespondOutcome> {
    const { parts } = call;
    const received_at = toInstant(parts.clock.now());
    const { suspension_id } = request;
    const own = answerOf(call, intentId, request, idempotencyKey);
    if (intentId !== undefined && !isEntityId(intentId)) throw notFound('intent');
    const whyNot = () => parts.diagnose(attemptOf(own), intentId, suspension_id);
    if (!isEntityId(suspension_id)) throw await whyNot();
    const judged = await judgedEdits(parts, request);
    const answer = { ...own, ...allowedBy(judged), received_at };
    const delivered = await deliver(parts, suspension_id, answer).catch((error: unknown) => {
      throw reasonedRefusal(error, judged);
    });
    if (delivered.kind === 'handed_over') return { accepted: false, suspension_id };
    if (delivered.kind === 'gone') {
      return { accepted: true, result: await storedResult(parts, suspension_id, answer) };
    }
    const { result, body_hash, verdict, awaited_by, rows } = delivered.receipt;
    const { intent_id } = result;
    // The same key came through another intent's path: Temporal repeats the result without judging.
    if ((intentId ?? intent_id) !== intent_id) throw await whyNot();
    demandSameBody(answer, body_hash);
    if (verdict === 'counted') {
      await afterCounting(parts, intent_id, request);
      return { accepted: true, result };
    }
    const approval = await afterSettling(parts, suspension_id, {
      intent_id,
      awaited_by,
      rows,
    });
    return { accepted: true, result, ...(approval && { approval }) };
  },
});

const SIGNAL_DEADLINE_MS = 5_000;

type Delivered =
  | { readonly kind: 'judged'; readonly receipt: RespondReceipt }
  /** The answer is in Temporal's history; a worker will judge it. */
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'gone' };

/**
 * Sends the answer as an Update, which judges it at once. If no worker takes it within 10 s, a Signal carries it
 * under the same key, so that both count once. Throws `workflow_unavailable` if Temporal takes neither.
 */
async function deliver(
  { temporal, diagnose }: Parts,
  suspensionId: string,
  answer: OperatorAnswer,
): Promise<Delivered> {
  const workflowId = workflowIdOf('suspension', suspensionId);
  const { key } = answer.answer;
  try {
    const leadsTo = ({ awaited_by }: RespondReceipt) =>
      isHoldpoints(awaited_by) ? temporal.taken(awaited_by, workflowId) : undefined;
    const sending = { updateId: key, isAnswer: true, leadsTo };
    const outcome = await temporal.update(workflowId, respondUpdate, answer, sending);
    if (outcome.kind === 'done') return { kind: 'judged', receipt: outcome.value };
    if (outcome.kind === 'gone') return outcome;
  } catch (error) {
    const code = refusalOf(error)?.code;
    if (code !== 'suspension_mismatch' && code !== 'suspension_settled') throw error;
    throw await diagnose(attemptOf(answer), answer.intent_id ?? undefined, suspensionId);
  }
  const ms = SIGNAL_DEADLINE_MS;
  const sent = await temporal.signal(workflowId, operatorResponseSignal, [answer], ms);
  return { kind: sent === 'gone' ? 'gone' : 'handed_over' };
}
