import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { AnswerKey } from '../../../contracts/journal.js';
import type { RespondRequest } from '../../../contracts/suspension-requests.js';
import type { RespondResult, SuspensionView } from '../../../contracts/suspension-view.js';
import { hashJson, sha256Hex } from '../../../domain/kernel/hashing.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { respondResult } from '../../../domain/suspension/response.js';
import { isSettled } from '../../../domain/suspension/state.js';
import { findAnswer, findSuspension } from '../../../store/queries/suspension.js';
import { operatorResponseSignal, respondUpdate } from '../../../workflows/suspension/messages.js';
import type { OperatorAnswer, RespondReceipt } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import type { Temporal } from '../calls/temporal.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { isEntityId } from '../references.js';
import { idempotencyKeyReused, intentNotFound } from '../refusals.js';
import type { Diagnose } from './diagnosis.js';
import type { Settlements } from './inbox.js';

/** An answer that was accepted, or handed over for later (202). */
export type RespondOutcome =
  | { readonly accepted: true; readonly result: RespondResult }
  | { readonly accepted: false; readonly suspension_id: string };

/**
 * How an answer is recognised when it is sent again: by principal, Idempotency-Key and
 * suspension; without an Idempotency-Key no other request has its key. The key is also the id of the
 * Update that carries the answer. `body_hash` tells another body under the same key.
 */
export function answerKeyOf(
  principal: string,
  request: RespondRequest,
  idempotencyKey: string | undefined,
): AnswerKey {
  const { suspension_id, value, responded_by, metadata } = request;
  const body_hash = hashJson({
    suspension_id,
    value,
    ...(responded_by !== undefined && { responded_by }),
    ...(metadata !== undefined && { metadata }),
  });
  if (idempotencyKey === undefined) return { key: `a:${randomUUID()}`, body_hash };
  const key = sha256Hex([principal, idempotencyKey, suspension_id].join('\0'));
  return { key: `r:${key}`, body_hash };
}

const SIGNAL_DEADLINE_MS = 5_000;

/** Where an answer has come to. */
export type Delivered =
  | { readonly kind: 'done'; readonly value: RespondReceipt }
  /** In Temporal's history; a worker will judge it. */
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'gone' };

/** Takes an answer to a suspension; refusals are thrown. */
export type Deliver = (suspensionId: string, answer: OperatorAnswer) => Promise<Delivered>;

/**
 * Two ways to hand an answer to a suspension. The Update judges the answer at once; where no worker takes it within
 * 10 s, the Signal carries the same answer under the same key, so that both count once.
 * Throws `workflow_unavailable` where Temporal takes neither.
 */
export function createDeliver(temporal: Pick<Temporal, 'update' | 'signal'>): Deliver {
  return async (suspensionId, answer) => {
    const workflowId = workflowIdOf('suspension', suspensionId);
    const judged = await temporal.update(workflowId, respondUpdate, answer, answer.answer.key);
    if (judged.kind !== 'no_answer') return judged;
    const sent = await temporal.signal(
      workflowId,
      operatorResponseSignal,
      [answer],
      SIGNAL_DEADLINE_MS,
    );
    return { kind: sent === 'gone' ? 'gone' : 'handed_over' };
  };
}

interface RepeatedDeps {
  readonly fromStore: FromStore;
  readonly settlements: Pick<Settlements, 'touch' | 'catchUp'>;
  readonly diagnose: Diagnose;
}

/**
 * The stored result of an answer that reaches a closed suspension, where it is the one that was accepted:
 * same Idempotency-Key, same body. Throws the diagnosis otherwise, or `idempotency_key_reused`.
 */
export type Repeated = (suspensionId: string, answer: OperatorAnswer) => Promise<RespondResult>;

/** Temporal gives the first result for any body under one update id; another body is an error. */
export function demandSameBody(answer: OperatorAnswer, acceptedHash: string): void {
  if (answer.answer.body_hash === acceptedHash) return;
  throw idempotencyKeyReused();
}

export function createRepeated({ fromStore, settlements, diagnose }: RepeatedDeps): Repeated {
  /** What a suspension left to its intent to write may still be on its way to the store. */
  async function viewOf(suspensionId: string): Promise<SuspensionView | undefined> {
    const find = () => fromStore(findSuspension, suspensionId);
    const view = await find();
    if (view?.state !== 'pending') return view;
    settlements.touch(suspensionId, 'settled');
    await settlements.catchUp();
    return find();
  }

  return async (suspensionId, answer) => {
    const { answer: own } = answer;
    const intent_id = answer.intent_id ?? undefined;
    if (!own.key.startsWith('r:')) throw await diagnose(intent_id, suspensionId);
    const view = await viewOf(suspensionId);
    const stored = view && (await fromStore(findAnswer, suspensionId));
    const through = intent_id ?? view?.intent_id;
    const same = stored?.key === own.key && view?.intent_id === through;
    if (!same || !view || !isSettled(stored.record)) throw await diagnose(intent_id, suspensionId);
    demandSameBody(answer, stored.body_hash);
    return respondResult(view.intent_id, stored.record);
  };
}

interface Deps {
  readonly clock: Pick<Clock, 'now'>;
  readonly deliver: Deliver;
  readonly repeated: Repeated;
  readonly diagnose: Diagnose;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly settlements: Pick<Settlements, 'touch'>;
}

function answerOf(
  caller: Caller,
  intentId: string | undefined,
  request: RespondRequest,
  key: string | undefined,
): Omit<OperatorAnswer, 'received_at'> {
  const { value, metadata } = request;
  return {
    ...(intentId !== undefined && { intent_id: intentId }),
    value,
    responded_by: request.responded_by ?? caller.principal,
    submitted_by: caller.principal,
    ...(metadata && { metadata }),
    answer: answerKeyOf(caller.principal, request, key),
  };
}

/**
 * Answers to suspensions (R25-71 … 86). What a suspension says of its own state
 * is completed by a diagnosis, so that the caller hears the same whether it is about to close or has
 * closed. A closed one gives the stored result to the same Idempotency-Key and body again.
 */
export function createAnswers(deps: Deps) {
  const { clock, deliver, repeated, diagnose, consistency, settlements } = deps;

  async function judged(suspensionId: string, answer: OperatorAnswer): Promise<Delivered> {
    try {
      return await deliver(suspensionId, answer);
    } catch (error) {
      const code = refusalOf(error)?.code;
      if (code !== 'suspension_mismatch' && code !== 'suspension_settled') throw error;
      throw await diagnose(answer.intent_id ?? undefined, suspensionId);
    }
  }

  return {
    /** `intentId` is undefined where the request came to the suspension itself, whatever it holds up. */
    async respond(
      caller: Caller,
      intentId: string | undefined,
      request: RespondRequest,
      idempotencyKey?: string,
    ): Promise<RespondOutcome> {
      const received_at = toInstant(clock.now());
      const { suspension_id } = request;
      const answer = { ...answerOf(caller, intentId, request, idempotencyKey), received_at };
      if (intentId !== undefined && !isEntityId(intentId)) throw intentNotFound();
      if (!isEntityId(suspension_id)) throw await diagnose(intentId, suspension_id);
      const delivered = await judged(suspension_id, answer);
      if (delivered.kind === 'handed_over') return { accepted: false, suspension_id };
      if (delivered.kind === 'gone') {
        return { accepted: true, result: await repeated(suspension_id, answer) };
      }
      const { result, body_hash } = delivered.value;
      // The same key through another intent's path: Temporal repeats the result without judging.
      if ((intentId ?? result.intent_id) !== result.intent_id) {
        throw await diagnose(intentId, suspension_id);
      }
      demandSameBody(answer, body_hash);
      if (result.intent_id !== null) consistency.touch(result.intent_id);
      settlements.touch(suspension_id, 'settled');
      return { accepted: true, result };
    },
  };
}
