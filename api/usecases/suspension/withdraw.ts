import { isEntityId, typeOfWorkflow, workflowIdOf } from '../../../contracts/constants/names.js';
import type { CancelRequest, RespondRequest } from '../../../contracts/suspension/requests.js';
import type { AskedApproval } from '../../../domain/approval/deciding/meant-question.js';
import { standingAfter } from '../approval/standing.js';
import { DeadlinePassed, READ_MS, limitOf, withinDeadline } from '../../parts/calls/deadline.js';
import { approvalIn } from '../../parts/reads/written.js';
import type { Parts } from '../../parts/index.js';
import { refusalOf } from '../../errors.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import { cancelUpdate, type RespondReceipt } from '../../../workflows/suspension/messages.js';
import { proven } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';
import { activeSuspensionId, type Attempt } from '../../parts/diagnosis.js';
import { demandEntityId } from '../../parts/refusals.js';
import { WRITE, useCase, type Call } from '../usecase.js';

/**
 * Waits, after an answer that counts while others still have to agree, until lists of approvals show the version that
 * it edited.
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
 * Follows up an Update that has settled a question, before its reply, so that later reads know the outcome: the
 * waiting workflow gets it, and rows that nobody else writes are stored, within limits of time. Returns the approval
 * that waits for the question.
 */
export async function afterSettling(
  parts: Parts,
  suspensionId: string,
  {
    intent_id,
    awaited_by,
    rows,
  }: {
    readonly intent_id: string | null;
    readonly awaited_by?: string | undefined;
    /** The last rows of the question, where they came with the receipt. */
    readonly rows?: RespondReceipt['rows'] | undefined;
  },
): Promise<AskedApproval | undefined> {
  const { consistency, settlements, questionRows, intentRows } = parts;
  if (intent_id !== null) consistency.touch(intent_id);
  settlements.touch(suspensionId, 'settled');
  const approvalId = awaited_by === undefined ? undefined : approvalIn(awaited_by);
  if (approvalId !== undefined) return approvalAfter(parts, approvalId, suspensionId);
  if (awaited_by !== undefined) await told(parts, awaited_by, suspensionId);
  // A plan writes these rows together with its own.
  if (intent_id === null && awaited_by === undefined)
    await questionRows.writeLast(suspensionId, { rows });
  if (intent_id !== null && awaited_by !== undefined) intentRows.collectDue(intent_id);
  return undefined;
}

/** Whether Holdpoint's own worker runs the workflow that waits. That of an agent may have none. */
export function isHoldpoints(workflowId: string | undefined): workflowId is string {
  return workflowId !== undefined && typeOfWorkflow(workflowId) !== undefined;
}

/**
 * Waits, at most 2 s, until the workflow that waits has the outcome. If it is one of Holdpoint's, it has the question's
 * last rows written with its own; they are written here too if it takes longer.
 */
async function told(
  { temporal, questionRows }: Parts,
  awaited_by: string,
  suspensionId: string,
): Promise<void> {
  const writesRows = isHoldpoints(awaited_by);
  if (!writesRows) questionRows.writeEarly(suspensionId);
  const isTold = await temporal.told(awaited_by, workflowIdOf('suspension', suspensionId));
  if (writesRows && !isTold) questionRows.writeEarly(suspensionId);
}

/**
 * Returns the approval once it knows how its question ended, within 2 s. The approval itself is asked, because it
 * checks what is stored before it ends, so that approved calls can be redeemed after the reply.
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

/**
 * Withdraws a question, for its asker or an admin; without a `suspension_id`, the intent's open question. Throws
 * `intent_not_found`, `intent_not_suspended`, `suspension_mismatch` and `forbidden` besides. After
 * `workflow_unavailable` the withdrawal may still happen later.
 */
export const cancelSuspension = useCase({
  name: 'cancelSuspension',
  resource: 'suspension',
  refusals: ['suspension_settled', ...WRITE],
  async run(
    { caller, parts }: Call,
    intentId: string | undefined,
    { suspension_id, reason }: CancelRequest,
  ): Promise<SettledRecord> {
    const attempt = { by: proven(caller), action: 'cancelSuspension' } as const;
    if (intentId !== undefined) demandEntityId('intent', intentId);
    const id =
      suspension_id ?? (intentId === undefined ? '' : await openIn(parts, attempt, intentId));
    const whyNot = () => parts.diagnose(attempt, intentId, id);
    if (intentId !== undefined && !isEntityId(id)) throw await whyNot();
    const input = {
      ...(intentId !== undefined && { intent_id: intentId }),
      by: attempt.by,
      ...(reason !== undefined && { reason }),
      sender_writes: true,
    } as const;
    try {
      const receipt = await createLiveWrite(parts.temporal, 'suspension', whyNot)(
        id,
        cancelUpdate,
        input,
      );
      await afterSettling(parts, id, receipt);
      return receipt.record;
    } catch (error) {
      const code = refusalOf(error)?.code;
      if (code !== 'suspension_settled' && code !== 'suspension_mismatch') throw error;
      throw await whyNot();
    }
  },
});

async function openIn(
  { reads, diagnose }: Parts,
  attempt: Attempt,
  intentId: string,
): Promise<string> {
  const { value: intent } = await reads.getIntent(intentId);
  const active = activeSuspensionId(intent);
  if (active === undefined) throw await diagnose(attempt, intentId, '');
  return active;
}
