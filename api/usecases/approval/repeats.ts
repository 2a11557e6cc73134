import type { ResumeRequest } from '../../../contracts/approval/requests.js';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import { decisionIn } from '../../../domain/approval/deciding/request.js';
import { questionsOfApproval } from '../../../store/queries/approval.js';
import { refusalOf } from '../../errors.js';
import type { Call } from '../usecase.js';
import { respond } from '../suspension/respond.js';
import { answerTo } from './vote.js';
import type { Vote } from './vote.js';

/** Refusals that a repeated decision may get, because the first one has changed the approval. */
const BY_OUTCOME: ReadonlySet<ErrorCode | undefined> = new Set([
  'approval_decided',
  'stage_mismatch',
  'suspension_settled',
]);

/** Whether a refused decision may be one that counts already. */
export function mayRepeat(error: unknown): boolean {
  return BY_OUTCOME.has(refusalOf(error)?.code);
}

/**
 * Returns the approval if one of its earlier questions has counted this decision under its `Idempotency-Key`; throws
 * `refusal` otherwise.
 */
export async function repeated(
  call: Call,
  approvalId: string,
  request: ResumeRequest,
  key: string,
  refusal: unknown,
): Promise<ApprovalView> {
  const { value: view } = await call.parts.readApproval(approvalId);
  const asked = await call.parts.fromStore(questionsOfApproval, approvalId);
  for (const id of asked.filter((one) => one !== view.suspension_id)) {
    const answer = answerTo(id, decisionIn(view, request), request);
    if (await isCounted(call, answer, key)) return view;
  }
  throw refusal;
}

/**
 * Whether a settled question has counted this decision under this key. Throws
 * `idempotency_key_reused` if it has counted another one.
 */
async function isCounted(call: Call, vote: Vote, key: string): Promise<boolean> {
  try {
    return (await respond.run(call, undefined, vote, key)).accepted;
  } catch (error) {
    const code = refusalOf(error)?.code;
    if (code === undefined || code === 'idempotency_key_reused') throw error;
    return false;
  }
}
