import { EXAMPLE_IDS, recordExample } from '../../../api/openapi/operation.js';
import { redeemedSchema } from '../../../contracts/approval/requests.js';
import { approvalViewSchema, type ApprovalView } from '../../../contracts/approval/approval.js';
import { WORKFLOW_TYPES, workflowIdOf } from '../../../contracts/constants/names.js';
import type { ApprovalInput } from '../../../workflows/approval/messages.js';
import { closed, type FakeCall, type FakeQueries, type ManualClock } from './fakes.js';
import { APPROVAL, SNAPSHOT } from './approval-records.js';
import type { Answers } from './parts.js';
import { EVENT, INTENT_ID, SUSPENSION_ID } from './records.js';

/** The approval and the call of the examples. */
export const REDEEMABLE = approvalViewSchema.parse(recordExample('redeemableApproval'));
export const REDEEMED = redeemedSchema.parse(recordExample('redeemedCall'));
/** The question that the examples decide about. */
export const ASKED = '8a7b6c5d-4e3f-4a21-9b0c-1d2e3f4a5b6c';
const CLAIM = { approval_id: REDEEMABLE.approval_id, status: 'resuming', token: 1 } as const;

/** The ids of approvals that are there before anything is opened. */
const THERE = [EXAMPLE_IDS['approvalId'], APPROVAL.approval_id, EVENT.id].map((id = '') =>
  workflowIdOf('approval', id),
);

/** Approvals of a rig: those that are there, and those that are opened. They all wait, and so does who waits for one. */
export function approvalsOf(clock: ManualClock) {
  const hashes = new Map<string, string | undefined>();
  const view = ({ workflowId }: FakeCall): ApprovalView => {
    if (THERE.includes(workflowId)) {
      return { ...APPROVAL, intent_id: INTENT_ID, suspension_id: ASKED };
    }
    if (!hashes.has(workflowId)) return closed();
    const { redemption, ...asked } = REDEEMABLE;
    const request_hash = hashes.get(workflowId) ?? null;
    return { ...asked, ...(redemption && { redemption: { ...redemption, request_hash } }) };
  };
  const standing = (call: FakeCall) => ({
    approval: { ...view(call), suspension_id: SUSPENSION_ID },
    moved: false,
  });
  const answers: Answers = {
    approval: view,
    standing,
    withdrawApproval: (call) => ({ ...view(call), status: 'cancelled' }),
    // The time of who waits is over at once.
    resolution: () => clock.advance(60_000),
    redeem: () => REDEEMED,
    complete: () => REDEEMED,
    mutation: () => ({ approval_id: REDEEMABLE.approval_id, call_id: 'call-1', noted: true }),
    claimCheckpoint: () => CLAIM,
    finishCheckpoint: () => ({ ...CLAIM, status: 'resumed' }),
  };
  const start = ({ name, workflowId, args: [options] }: FakeCall): void => {
    if (name !== WORKFLOW_TYPES.approval) return;
    const [input] = (options as { readonly args: readonly ApprovalInput[] }).args;
    hashes.set(workflowId, input?.redeemable?.request_hash);
  };
  return { answers, start };
}

const { intent_id: _of, ...event } = EVENT;

const START = { sequence: 0, event_hash: null };

/** What the store of a rig has of approvals and runs. */
export const STORED_APPROVALS: FakeQueries = {
  listApprovals: () => Promise.resolve({ rows: [APPROVAL], more: false }),
  listRunEvents: () => Promise.resolve({ rows: [{ ...event, run_id: 'run-7' }], more: false }),
  runLogEnd: () => Promise.resolve({ head: START, removed: START, newest: 0 }),
  runEventsIn: () => Promise.resolve([]),
  latestSnapshot: () => Promise.resolve(SNAPSHOT),
};
