import type { ResumeRequest } from '../../../contracts/approval-requests.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import { decisionIn } from '../../../domain/approval/request.js';
import type { RequestDecision } from '../../../domain/approval/request.js';
import { notesIn } from '../../../domain/suspension/notes.js';
import { questionsOfApproval } from '../../../store/queries/approval.js';
import { refusalOf } from '../../errors.js';
import type { Caller } from '../caller.js';
import type { FromStore } from '../reads/from-store.js';
import type { createAnswers } from '../suspension/answers.js';
import type { ReadApproval } from './reads.js';

interface Deps {
  readonly fromStore: FromStore;
  readonly readApproval: ReadApproval;
  readonly answers: Pick<ReturnType<typeof createAnswers>, 'respond'>;
}

/** The answer to a question that a decision becomes. */
export function answerTo(
  suspension_id: string,
  { value, proposal_hash }: RequestDecision,
  request: ResumeRequest,
) {
  const { approver, despite_claim } = request;
  return {
    suspension_id,
    value,
    proposal_hash,
    ...(approver !== undefined && { responded_by: approver }),
    ...(despite_claim !== undefined && { despite_claim }),
    ...notesIn(request),
  };
}

/** The refusals of a decision by what became of its approval: it may be the first one, sent once more. */
const BY_OUTCOME: ReadonlySet<ErrorCode | undefined> = new Set([
  'approval_decided',
  'stage_mismatch',
  'suspension_settled',
]);

/** Whether a decision that is refused so may be one that counts already. */
export function mayRepeat(error: unknown): boolean {
  return BY_OUTCOME.has(refusalOf(error)?.code);
}

/** Finds again what came of a decision that is sent once more under its `Idempotency-Key`. */
export function createRepeats({ answers, fromStore, readApproval }: Deps) {
  /**
   * Whether a question that is not open any more has counted this decision under this key. Throws
   * `idempotency_key_reused` if it has counted another one.
   */
  async function counted(
    caller: Caller,
    answer: ReturnType<typeof answerTo>,
    key: string,
  ): Promise<boolean> {
    try {
      return (await answers.respond(caller, undefined, answer, key)).accepted;
    } catch (error) {
      const code = refusalOf(error)?.code;
      if (code === undefined || code === 'idempotency_key_reused') throw error;
      return false;
    }
  }

  /** The approval as it stands, if one of its earlier questions has counted the decision; throws `refusal` if none has. */
  return async (
    caller: Caller,
    requestId: string,
    request: ResumeRequest,
    key: string,
    refusal: unknown,
  ): Promise<ApprovalView> => {
    const { value: view } = await readApproval(requestId);
    const asked = await fromStore(questionsOfApproval, requestId);
    for (const id of asked.filter((one) => one !== view.suspension_id)) {
      const answer = answerTo(id, decisionIn(view, request), request);
      if (await counted(caller, answer, key)) return view;
    }
    throw refusal;
  };
}
