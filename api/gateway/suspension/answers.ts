import { randomUUID } from 'node:crypto';
import type { ServerConfig } from '../../../contracts/config.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { AnswerKey } from '../../../contracts/journal.js';
import type { RespondRequest } from '../../../contracts/suspension-requests.js';
import type { RespondResult, SuspensionView } from '../../../contracts/suspension-view.js';
import type { SettledRecord } from '../../../contracts/suspension.js';
import { hashJson, sha256Hex } from '../../../domain/kernel/hashing.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { voteResult } from '../../../domain/suspension/answer.js';
import { votesOf } from '../../../domain/suspension/decision.js';
import type { Answer } from '../../../domain/suspension/answer.js';
import { notesIn } from '../../../domain/suspension/notes.js';
import { respondResult } from '../../../domain/suspension/response.js';
import { isSettled } from '../../../domain/suspension/state.js';
import { findAnswer, findSuspension } from '../../../store/queries/suspension.js';
import { operatorResponseSignal, respondUpdate } from '../../../workflows/suspension/messages.js';
import type { OperatorAnswer, RespondReceipt } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import type { RefusalError } from '../../errors.js';
import { proven } from '../caller.js';
import type { Caller } from '../caller.js';
import { READ_MS } from '../calls/deadline.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { FromStore } from '../reads/from-store.js';
import { idempotencyKeyReused, isEntityId, notFound, refused } from '../refusals.js';
import type { Reads } from '../intent/reads.js';
import type { Attempt, Diagnose } from './diagnosis.js';
import { allowedBy, createEditRules, reasonedRefusal } from './edits.js';
import type { Settlements } from './inbox.js';
import { afterCounting, afterSettling } from './settling.js';
import type { SettlingDeps } from './settling.js';

/** An answer that was accepted, or handed over for later (202). */
export type RespondOutcome =
  | { readonly accepted: true; readonly result: RespondResult }
  | { readonly accepted: false; readonly suspension_id: string };

/** An answer, or what resumes a pause: its signal, with the data as the value. */
export type AnswerRequest = RespondRequest & Pick<Answer, 'resume_signal'>;

/**
 * How an answer is recognised when it is sent again: by principal, Idempotency-Key and
 * suspension; without an Idempotency-Key no other request has its key. The key is also the id of the
 * Update that carries the answer. `body_hash` shows that another body came under the same key.
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

/** Temporal returns the first result for any body under one update id; another body is an error. */
function demandSameBody(answer: OperatorAnswer, acceptedHash: string): void {
  if (answer.answer.body_hash === acceptedHash) return;
  throw idempotencyKeyReused();
}

function mismatch(detail: string, accepted: string): RefusalError {
  return refused('responded_by_mismatch', detail, { field: 'responded_by', accepted });
}

/**
 * Who answers: the key's principal, unless an admin answers for somebody else. That is no agent, for an agent
 * never answers for a person.
 *
 * @throws RefusalError `responded_by_mismatch`
 */
function responderOf(
  caller: Caller,
  { responded_by = caller.principal }: RespondRequest,
  agents: Pick<ReadonlySet<string>, 'has'>,
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

function answerOf(
  caller: Caller,
  intentId: string | undefined,
  request: AnswerRequest & { readonly responded_by: string },
  key: string | undefined,
  separation_of_duties: boolean,
): Omit<OperatorAnswer, 'received_at'> {
  const { value, responded_by, question_version, proposal_hash, edits, metadata } = request;
  const { despite_claim } = request;
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

const SIGNAL_DEADLINE_MS = 5_000;

/** How far an answer has come. */
type Delivered =
  | { readonly kind: 'judged'; readonly receipt: RespondReceipt }
  /** In Temporal's history; a worker will judge it. */
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'gone' };

/** What is tried with an answer, for its diagnosis. */
function attemptOf({ by, resume_signal }: Pick<OperatorAnswer, 'by' | 'resume_signal'>): Attempt {
  return { by, action: resume_signal === undefined ? 'respond' : 'resumeSuspension' };
}

interface Deps extends SettlingDeps {
  /** Principals that never answer: they have keys, none of which lets them. */
  readonly agents: Pick<ReadonlySet<string>, 'has'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly config: Pick<ServerConfig, 'suspension' | 'approvals'>;
  readonly reads: Pick<Reads, 'getSuspension'>;
  readonly temporal: Pick<Temporal, 'update' | 'signal' | 'told'>;
  readonly fromStore: FromStore;
  readonly diagnose: Diagnose;
  readonly settlements: Pick<Settlements, 'touch' | 'catchUp'>;
}

/** The rows that a suspension left to its intent, or to who settled it, may still be on their way to the store. */
async function storedView(deps: Deps, suspensionId: string): Promise<SuspensionView | undefined> {
  const { fromStore, settlements, questionRows, intentRows } = deps;
  const view = await fromStore(findSuspension, suspensionId);
  if (view?.state !== 'pending') return view;
  if (view.intent_id === null) await questionRows.writeLast(suspensionId, READ_MS);
  else await intentRows.collect(view.intent_id);
  settlements.touch(suspensionId, 'settled');
  await settlements.catchUp();
  return fromStore(findSuspension, suspensionId);
}

/**
 * The stored result, if this is the answer that a closed suspension accepted: same Idempotency-Key, same
 * body. Throws the diagnosis otherwise, or `idempotency_key_reused`, or `store_unavailable` while the store is behind.
 */
async function storedResult(
  deps: Deps,
  suspensionId: string,
  answer: OperatorAnswer,
): Promise<RespondResult> {
  const { fromStore, diagnose } = deps;
  const { answer: own } = answer;
  const intent_id = answer.intent_id ?? undefined;
  const whyNot = () => diagnose(attemptOf(answer), intent_id, suspensionId);
  if (!own.key.startsWith('r:')) throw await whyNot();
  const view = await storedView(deps, suspensionId);
  const stored = view && (await fromStore(findAnswer, suspensionId, own.key));
  const through = intent_id ?? view?.intent_id;
  // Nobody can tell yet whether this is the answer that counted: its sender comes back.
  if (view?.state === 'pending' && view.intent_id === through) throw notStoredYet();
  const same = stored !== undefined && view?.intent_id === through;
  if (!same || !view || !isSettled(stored.record)) throw await whyNot();
  demandSameBody(answer, stored.body_hash);
  return storedReply(view.intent_id, stored.record, stored.vote);
}

function notStoredYet(): RefusalError {
  return refused('store_unavailable', 'The store does not know yet how the question ended.');
}

/** The reply to an answer that counted, as it was then. */
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

/**
 * Answers to suspensions (R25-71 … 86). A refusal that follows from the state of the suspension is replaced
 * by a diagnosis, so that the caller gets the same reply shortly before and after the suspension closes. A
 * closed one returns the stored result to the same Idempotency-Key and body.
 */
export function createAnswers(deps: Deps) {
  const { agents, clock, config, temporal, diagnose } = deps;
  const { separation_of_duties } = config.suspension;
  const judgeEdits = createEditRules(deps);

  /**
   * The Update judges the answer at once. If no worker takes it within 10 s, the Signal carries the same
   * answer under the same key, so that both count once. Throws `workflow_unavailable` if Temporal takes neither.
   */
  async function deliver(suspensionId: string, answer: OperatorAnswer): Promise<Delivered> {
    const workflowId = workflowIdOf('suspension', suspensionId);
    const { key } = answer.answer;
    try {
      const outcome = await temporal.update(workflowId, respondUpdate, answer, key);
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

  return {
    /** `intentId` is undefined if the request names the suspension alone. */
    async respond(
      caller: Caller,
      intentId: string | undefined,
      request: AnswerRequest,
      idempotencyKey?: string,
    ): Promise<RespondOutcome> {
      const received_at = toInstant(clock.now());
      const { suspension_id } = request;
      const responded_by = responderOf(caller, request, agents);
      const named = { ...request, responded_by };
      const own = answerOf(caller, intentId, named, idempotencyKey, separation_of_duties);
      if (intentId !== undefined && !isEntityId(intentId)) throw notFound('intent');
      const whyNot = () => diagnose(attemptOf(own), intentId, suspension_id);
      if (!isEntityId(suspension_id)) throw await whyNot();
      const judged = await judgeEdits(request);
      const answer = { ...own, ...allowedBy(judged), received_at };
      const delivered = await deliver(suspension_id, answer).catch((error: unknown) => {
        throw reasonedRefusal(error, judged);
      });
      if (delivered.kind === 'handed_over') return { accepted: false, suspension_id };
      if (delivered.kind === 'gone') {
        return { accepted: true, result: await storedResult(deps, suspension_id, answer) };
      }
      const { result, body_hash, verdict, awaited_by } = delivered.receipt;
      const { intent_id } = result;
      // The same key through another intent's path: Temporal repeats the result without judging.
      if ((intentId ?? intent_id) !== intent_id) throw await whyNot();
      demandSameBody(answer, body_hash);
      const settled = { intent_id, ...(awaited_by !== undefined && { awaited_by }) };
      if (verdict !== 'counted') await afterSettling(deps, suspension_id, settled);
      else await afterCounting(deps, intent_id, request);
      return { accepted: true, result };
    },
  };
}
