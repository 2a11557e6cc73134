import type { ApprovalView } from '../../../contracts/approval.js';
import { checkUndecided, mayWithdraw } from '../../../domain/approval/withdrawal.js';
import { withdrawApprovalUpdate } from '../../../workflows/approval/messages.js';
import { demand, RefusalError } from '../../errors.js';
import { proven } from '../caller.js';
import type { Caller, Read } from '../caller.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import { notFound } from '../refusals.js';
import type { WrittenApprovals } from './written.js';

interface Deps {
  readonly temporal: Pick<Temporal, 'update'>;
  readonly readApproval: (id: string) => Promise<Read<ApprovalView>>;
  readonly writtenApprovals: Pick<WrittenApprovals, 'touch'>;
}

/** Withdrawing an approval with its open question. */
export function createApprovalWithdrawals({ temporal, readApproval, writtenApprovals }: Deps) {
  async function refusalOfClosed(caller: Caller, id: string): Promise<RefusalError> {
    const { value } = await readApproval(id);
    demand(mayWithdraw(caller, value));
    const ruling = checkUndecided(value);
    return ruling.ok ? notFound('approval') : new RefusalError(ruling.refusal);
  }

  return {
    /**
     * What people have decided first counts. Throws `approval_not_found`, `approval_decided`, `forbidden` and
     * `workflow_unavailable`: it may then still be withdrawn later.
     */
    async withdrawApproval(caller: Caller, id: string, reason?: string): Promise<ApprovalView> {
      const write = createLiveWrite(temporal, 'approval', () => refusalOfClosed(caller, id));
      const input = { by: proven(caller), ...(reason !== undefined && { reason }) };
      const view = await write(id, withdrawApprovalUpdate, input);
      writtenApprovals.touch(id, view.status === 'pending' ? 'there' : 'decided');
      if (view.status !== 'cancelled') demand(checkUndecided(view));
      return view;
    },
  };
}
