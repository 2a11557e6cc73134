import { entityIdOf, typeOfWorkflow, workflowIdOf } from '../../../contracts/constants/names.js';
import type { RespondResult } from '../../../contracts/suspension/view.js';
import type { AskedApproval } from '../../../domain/approval/deciding/meant-question.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { operatorResponseSignal, respondUpdate } from '../../../workflows/suspension/messages.js';
import type { OperatorAnswer, RespondReceipt } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../../errors.js';
import type { Parts } from '../../parts/index.js';
import { isEntityId, notFound } from '../../parts/refusals.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { allowedBy, judgedEdits, reasonedRefusal } from './edits.js';
import { answerOf, attemptOf, demandSameBody } from './sent-answer.js';
import type { AnswerRequest } from './sent-answer.js';
import { afterCounting, afterSettling } from './settling.js';
import { storedResult } from './stored-result.js';

/** An answer that was accepted, or handed over for later (202). */
export type RespondOutcome =
  | {
      readonly accepted: true;
      readonly result: RespondResult;
      /** The approval whose question it has settled, as it stands then. */
      readonly approval?: AskedApproval;
    }
  | { readonly accepted: false; readonly suspension_id: string };

/** The refusals of an answer, however it comes in. */
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
 * Answers a suspension (R25-71 … 86). A refusal that follows from the state of the suspension is replaced by a diagnosis, so
 * that the caller gets the same reply shortly before and after the suspension closes. A closed one returns the stored result to
 * the same Idempotency-Key and body. `intentId` is undefined if the request names the suspension alone.
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
    const { result, body_hash, verdict, awaited_by } = delivered.receipt;
    const { intent_id } = result;
    // The same key through another intent's path: Temporal repeats the result without judging.
    if ((intentId ?? intent_id) !== intent_id) throw await whyNot();
    demandSameBody(answer, body_hash);
    if (verdict === 'counted') {
      await afterCounting(parts, intent_id, request);
      return { accepted: true, result };
    }
    const approval = await afterSettling(parts, suspension_id, { intent_id, awaited_by });
    return { accepted: true, result, ...(approval && { approval }) };
  },
});

/** Whether Holdpoint's own worker runs the workflow that waits. That of an agent may have none. */
function isHoldpoints(workflowId: string | undefined): workflowId is string {
  if (workflowId === undefined) return false;
  const type = typeOfWorkflow(workflowId);
  // Agents name their own workflows as they like.
  return type !== undefined && isEntityId(entityIdOf(workflowId, type));
}

const SIGNAL_DEADLINE_MS = 5_000;

/** How far an answer has come. */
type Delivered =
  | { readonly kind: 'judged'; readonly receipt: RespondReceipt }
  /** In Temporal's history; a worker will judge it. */
  | { readonly kind: 'handed_over' }
  | { readonly kind: 'gone' };

/**
 * The Update judges the answer at once. If no worker takes it within 10 s, the Signal carries the same
 * answer under the same key, so that both count once. Throws `workflow_unavailable` if Temporal takes neither.
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
