import type { Gateway } from '../../../api/gateway/index.js';
import { recordExample } from '../../../api/openapi/examples.js';
import { redeemedSchema } from '../../../contracts/approval-requests.js';
import { approvalViewSchema } from '../../../contracts/approval.js';

/** The approval and the call of the examples. */
export const REDEEMABLE = approvalViewSchema.parse(recordExample('redeemableApproval'));
export const REDEEMED = redeemedSchema.parse(recordExample('redeemedCall'));
const CLAIM = { approval_id: REDEEMABLE.approval_id, status: 'resuming', token: 1 } as const;

/** A gateway whose approvals are that one. */
export const APPROVAL_REQUEST_METHODS = {
  openApproval: () => Promise.resolve(REDEEMABLE),
  findApproval: () => Promise.resolve(REDEEMABLE),
  resumeRequest: () => Promise.resolve(REDEEMABLE),
  redeemCall: () => Promise.resolve(REDEEMED),
  reportMutation: () =>
    Promise.resolve({
      approval_id: REDEEMABLE.approval_id,
      call_id: 'call-1',
      noted: true as const,
    }),
  completeCall: () => Promise.resolve(REDEEMED),
  claimCheckpoint: () => Promise.resolve({ ...CLAIM, approval: REDEEMABLE, checkpoint: null }),
  finishCheckpoint: () => Promise.resolve({ ...CLAIM, status: 'resumed' as const }),
} satisfies Partial<Gateway>;
