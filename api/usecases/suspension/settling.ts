import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { RespondRequest } from '../../../contracts/suspension/requests.js';
import type { AskedApproval } from '../../../domain/approval/deciding/meant-question.js';
import { standingAfter } from '../approval/standing.js';
import { DeadlinePassed, READ_MS, limitOf, withinDeadline } from '../../parts/calls/deadline.js';
import { approvalIn } from '../../parts/reads/written-approvals.js';
import type { Parts } from '../../parts/index.js';
import { refusalOf } from '../../errors.js';

/**
 * Follows up an answer that counts while others still have to agree: lists of approvals then show the version that it edited.
 */
export async function afterCounting(
  { consistency, reads, writtenApprovals }: Parts,
  intentId: string | null,
  { suspension_id, edits = [] }: Pick<RespondRequest, 'suspension_id' | 'edits'>,
): Promise<void> {
  if (intentId !== null) consistency.touch(intentId);
  if (edits.length === 0) return;
  try {
    const { approval } = (await reads.getSuspension(suspension_id)).value.record;
    const { approval_id, version } = approval?.proposal ?? {};
    if (approval_id === undefined || version === undefined) return;
    writtenApprovals.touch(approval_id, { version });
  } catch (error) {
    // The answer counts all the same.
    if (refusalOf(error) === undefined) throw error;
  }
}

/**
 * Follows up an Update that has settled a question, before its reply, so that reads after the reply know the outcome: the
 * workflow that waits for it learns it, and rows that nobody else writes are stored. Both have their limits in time. Rows
 * that follow for an intent are written after the reply. Returns the approval that waits for the question, as it stands then.
 */
export async function afterSettling(
  parts: Parts,
  suspensionId: string,
  {
    intent_id,
    awaited_by,
  }: { readonly intent_id: string | null; readonly awaited_by?: string | undefined },
): Promise<AskedApproval | undefined> {
  const { consistency, settlements, questionRows, intentRows } = parts;
  if (intent_id !== null) consistency.touch(intent_id);
  settlements.touch(suspensionId, 'settled');
  const approvalId = awaited_by === undefined ? undefined : approvalIn(awaited_by);
  if (approvalId !== undefined) return approvalAfter(parts, approvalId, suspensionId);
  if (awaited_by !== undefined) {
    questionRows.writeEarly(suspensionId);
    await parts.temporal.told(awaited_by, workflowIdOf('suspension', suspensionId));
  }
  // A plan writes the rows with its own.
  if (intent_id === null && awaited_by === undefined) await questionRows.writeLast(suspensionId);
  if (intent_id !== null && awaited_by !== undefined) intentRows.collectDue(intent_id);
  return undefined;
}

/**
 * The approval once it knows how its question ended, as far as that comes within 2 s. It checks what is stored before it is over: it
 * is asked itself, so that what was approved can be redeemed after the reply.
 */
async function approvalAfter(
  parts: Parts,
  approvalId: string,
  past: string,
): Promise<AskedApproval | undefined> {
  const { clock, consistency, writtenApprovals } = parts;
  writtenApprovals.touch(approvalId, { past });
  const ask = () => standingAfter(parts, approvalId, { past, logged: true });
  try {
    const standing = await withinDeadline(clock, limitOf(clock, 'worker', READ_MS), ask);
    if (standing?.intent_id) consistency.touch(standing.intent_id);
    return standing;
  } catch (error) {
    if (!(error instanceof DeadlinePassed)) throw error;
    return undefined;
  }
}
