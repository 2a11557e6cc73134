import type { RespondRequest } from '../../contracts/suspension-requests.js';
import { toInstant } from '../../domain/time.js';
import type { OperatorAnswer } from '../../workflows/suspension/messages.js';
import { refusalOf } from '../errors.js';
import type { Deliver, Delivered } from './answer-doors.js';
import { answerKeyOf } from './answer-key.js';
import type { Clock } from './clock.js';
import type { Consistency } from './consistency.js';
import type { Diagnose } from './diagnosis.js';
import { isEntityId } from './ids.js';
import { intentNotFound } from './refusals.js';
import { demandSameBody, type Repeated } from './repeated-answers.js';
import type { Settlements } from './settlements.js';
import type { Caller, Gateway } from './types.js';

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
 * Answers to suspensions (R25-71 … 86, AM-15, AM-17, AM-47). What a suspension says of its own state
 * is completed by a diagnosis, so that the caller hears the same whether it is about to close or has
 * closed. A closed one gives the stored result to the same Idempotency-Key and body again.
 */
export function createAnswers(deps: Deps): Pick<Gateway, 'respond'> {
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
    async respond(caller, intentId, request, idempotencyKey) {
      const received_at = toInstant(clock.now());
      const { suspension_id } = request;
      const answer = { ...answerOf(caller, intentId, request, idempotencyKey), received_at };
      if (intentId !== undefined && !isEntityId(intentId)) throw intentNotFound();
      if (!isEntityId(suspension_id)) throw await diagnose(intentId, suspension_id);
      const delivered = await judged(suspension_id, answer);
      if (delivered.kind === 'handed_over') return { accepted: false, suspension_id };
      if (delivered.kind === 'closed_or_missing') {
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
