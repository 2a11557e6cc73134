import type { ApprovalView } from '../../../contracts/approval/approval.js';
import { checkUndecided, mayWithdraw } from '../../../domain/approval/deciding/withdrawal.js';
import { withdrawApprovalUpdate } from '../../../workflows/approval/messages.js';
import { demand, RefusalError } from '../../errors.js';
import { proven } from '../../parts/caller.js';
import { createLiveWrite } from '../../parts/calls/live.js';
import { notFound } from '../../parts/refusals.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/**
 * Withdraws an approval and its open question, for the asker or an admin. A decision that came first counts. Throws
 * `approval_not_found` and `forbidden` besides. After `workflow_unavailable` it may still be withdrawn later.
 */
export const withdrawApproval = useCase({
  name: 'withdrawApproval',
  resource: 'approval',
  refusals: ['approval_decided', ...WRITE],
  async run(call: Call, id: string, reason?: string): Promise<ApprovalView> {
    const { temporal, writtenApprovals } = call.parts;
    const write = createLiveWrite(temporal, 'approval', () => refusalOfClosed(call, id));
    const input = { by: proven(call.caller), ...(reason !== undefined && { reason }) };
    const view = await write(id, withdrawApprovalUpdate, input);
    writtenApprovals.touch(id, view.status === 'pending' ? 'there' : 'decided');
    if (view.status !== 'cancelled') demand(checkUndecided(view));
    return view;
  },
});

async function refusalOfClosed({ caller, parts }: Call, id: string): Promise<RefusalError> {
  const { value } = await parts.readApproval(id);
  demand(mayWithdraw(caller, value));
  const ruling = checkUndecided(value);
  return ruling.ok ? notFound('approval') : new RefusalError(ruling.refusal);
}
