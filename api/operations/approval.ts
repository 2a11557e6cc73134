import type { ApprovalView } from '../../contracts/approval.js';
import { authorize } from '../../domain/policy/authorize.js';
import { demand } from '../errors.js';
import type { Read } from '../gateway/caller.js';
import type { ResolutionWait } from '../gateway/approval/reads.js';
import { READ, WRITE, asCaller, forAnyone, operations, read, storeRead } from './operation.js';
import type { Call } from './operation.js';
import { interrupted } from './waits.js';

/** An approval, for people, whoever asked for it, and the user for whom it was asked. */
async function related(
  call: Call,
  action: 'readApproval' | 'waitForApproval',
  reading: Promise<Read<ApprovalView>>,
): Promise<Read<ApprovalView>> {
  const found = await reading;
  const { asked_by: asker, proposal } = found.value;
  demand(authorize(call.caller, action, { asker, initiator: proposal.on_behalf_of }));
  return found;
}

/** Approvals: found, read, waited for and withdrawn; and the logs and snapshots of runs. */
export const TOOL_APPROVALS = operations({
  listApprovals: storeRead('approval', asCaller('listApprovals')),
  readApproval: read('approval', (call, approvalId: string) =>
    related(call, 'readApproval', call.gateway.readApproval(approvalId)),
  ),
  /** Waits until the approval is resolved, or until the time is over. */
  waitForApproval: {
    resource: 'approval',
    refusals: ['too_many_long_polls', ...READ],
    run: (call, approvalId: string, options: ResolutionWait) =>
      related(call, 'waitForApproval', call.gateway.waitForApproval(approvalId, options)).catch(
        (error: unknown) => {
          throw options.signal.aborted ? interrupted(error) : error;
        },
      ),
  },
  /** By whoever asked, or an admin. */
  withdrawApproval: {
    resource: 'approval',
    refusals: ['approval_decided', ...WRITE],
    run: asCaller('withdrawApproval'),
  },
  listRunEvents: storeRead('approval', forAnyone('listRunEvents')),
  verifyRunEvents: storeRead('approval', forAnyone('verifyRunEvents')),
  latestSnapshot: {
    resource: 'approval',
    refusals: ['snapshot_not_found', 'store_unavailable'],
    run: forAnyone('latestSnapshot'),
  },
});
