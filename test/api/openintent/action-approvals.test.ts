import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { RefusalError } from '../../../api/errors.js';
import type { ApprovalView } from '../../../contracts/approval.js';
import { approvalWith, proposalWith, resolutionOf } from '../../domain/approval/samples.js';
import { createRig } from '../support/harness.js';
import { EVENT, INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const PROPOSAL = proposalWith();
const PATH = `/api/v1/intents/${INTENT_ID}/approvals`;
const ONE = `${PATH}/${PROPOSAL.approval_id}`;

function viewWith(status?: 'approved' | 'rejected' | 'expired'): ApprovalView {
  const resolution = status && resolutionOf(PROPOSAL, { status });
  return { ...approvalWith(PROPOSAL, resolution), intent_id: INTENT_ID };
}

/** An API whose approval is read as these, one after another; the last stays. */
function rigWith(views: readonly ApprovalView[], refusal?: RefusalError) {
  const left = [...views];
  return createRig({
    readApproval: () => {
      const value = left.length > 1 ? left.shift() : left[0];
      return Promise.resolve({ value: value ?? viewWith(), stale: false });
    },
    resumeRequest: () =>
      refusal ? Promise.reject(refusal) : Promise.resolve(viewWith('approved')),
  });
}

describe('an approval under /api/v1', () => {
  it('is asked for from a person, in the name of the key alone', async () => {
    const rig = createRig();
    const body = { action: 'pay', reason: 'due', context: { amount: 5 }, requested_by: 'root' };
    assert.equal((await rig.send('agent', 'post', PATH).send(body)).status, 200);
    const call = rig.calls.find(({ method }) => method === 'openApproval');
    const [caller, request, logged] = call?.args ?? [];
    assert.equal((caller as { principal: string }).principal, 'refund-agent');
    const { calls, prompt, intent_id } = request as Record<string, unknown>;
    const claimed = { requires_approval: true, route: 'human_required' };
    assert.deepEqual(calls, [{ id: 'action', tool: 'pay', arguments: { amount: 5 }, claimed }]);
    assert.deepEqual([prompt, intent_id], ['May refund-agent do this: pay?', INTENT_ID]);
    assert.deepEqual(logged, { action: 'pay', reason: 'due' });
  });

  for (const [verb, action] of [
    ['approve', 'approve'],
    ['deny', 'reject'],
  ] as const) {
    it(`is decided by a vote that says ${action}, with an empty body`, async () => {
      const rig = rigWith([viewWith()]);
      const reply = await rig.send('operator', 'post', `${ONE}/${verb}`);
      assert.equal(reply.status, 200);
      const [, id, request] =
        rig.calls.find(({ method }) => method === 'resumeRequest')?.args ?? [];
      assert.deepEqual([id, request], [PROPOSAL.approval_id, { action, despite_claim: true }]);
    });
  }

  for (const [status, word] of [
    ['approved', 'approved'],
    ['rejected', 'denied'],
    ['expired', 'expired'],
  ] as const) {
    it(`takes no vote once it is ${status}, and says so`, async () => {
      const rig = rigWith([viewWith(status)]);
      const reply = await rig.send('operator', 'post', `${ONE}/approve`);
      const detail = `Approval is already '${word}', cannot approve`;
      assert.deepEqual([reply.status, reply.body.detail], [409, detail]);
      assert.ok(rig.calls.every(({ method }) => method === 'readApproval'));
    });
  }

  it('says how somebody decided it just before', async () => {
    const late = new RefusalError({
      code: 'approval_decided',
      detail: 'The approval is rejected.',
    });
    const rig = rigWith([viewWith(), viewWith('rejected')], late);
    const reply = await rig.send('operator', 'post', `${ONE}/approve`);
    const detail = "Approval is already 'denied', cannot approve";
    assert.deepEqual([reply.status, reply.body.detail], [409, detail]);
  });

  it('passes on why a vote is refused', async () => {
    for (const [code, status] of [
      ['not_eligible', 403],
      ['proposal_hash_mismatch', 409],
      ['stage_mismatch', 409],
      ['workflow_unavailable', 503],
    ] as const) {
      const rig = rigWith([viewWith()], new RefusalError({ code, detail: 'No.' }));
      const reply = await rig.send('operator', 'post', `${ONE}/approve`);
      assert.deepEqual([reply.status, reply.body.code], [status, code]);
    }
  });

  it('of before there were votes is found on a later page, which begins where the one before ended', async () => {
    const record = { ...EVENT, event_type: 'approval_requested', payload: { action: 'pay' } };
    const other = { ...record, id: SUSPENSION_ID };
    const pages = [[other, other], [{ ...record, id: PROPOSAL.approval_id }]] as const;
    const offsets: number[] = [];
    const rig = createRig({
      readApproval: () =>
        Promise.reject(new RefusalError({ code: 'approval_not_found', detail: 'No.' })),
      listEvents: (_id, { offset }) => {
        const value = pages[offsets.push(offset) - 1] ?? [];
        return Promise.resolve({ value, stale: false, more: offsets.length < pages.length });
      },
    });
    const reply = await rig.send('agent', 'get', ONE);
    assert.deepEqual([reply.status, reply.body.action], [200, 'pay']);
    assert.deepEqual(offsets, [0, 2]);
  });

  it('is not called missing where nobody can tell', async () => {
    const rig = createRig({
      readApproval: () =>
        Promise.reject(new RefusalError({ code: 'store_unavailable', detail: 'away' })),
    });
    const reply = await rig.send('agent', 'get', ONE);
    assert.deepEqual([reply.status, reply.body.code], [503, 'store_unavailable']);
  });
});
