import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ApprovalView } from '../../../contracts/approval/approval.js';
import type { ErrorCode } from '../../../contracts/constants/errors.js';
import { WORKFLOW_TYPES, workflowIdOf } from '../../../contracts/constants/names.js';
import type { ApprovalInput } from '../../../workflows/approval/messages.js';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { approvalWith, proposalWith, resolutionOf } from '../../domain/approval/samples.js';
import { closed, settledView, updateRefused, type Handler } from '../support/fakes.js';
import { rigOver } from '../support/harness.js';
import { ASKED } from '../support/approvals.js';
import { INTENT_ID } from '../support/records.js';

const PROPOSAL = proposalWith();
const PATH = `/api/v1/intents/${INTENT_ID}/approvals`;
const ONE = `${PATH}/${PROPOSAL.approval_id}`;

function viewWith(status?: 'approved' | 'rejected' | 'expired'): ApprovalView {
  const resolution = status && resolutionOf(PROPOSAL, { status });
  const suspension_id = status === undefined ? ASKED : null;
  return { ...approvalWith(PROPOSAL, resolution), intent_id: INTENT_ID, suspension_id };
}

/** An API whose approval is read as these, one after another, and whose question answers a vote so; the last stays. */
function rigWith(views: readonly ApprovalView[], respond?: Handler) {
  const left = [...views];
  const approval = () => (left.length > 1 ? left.shift() : left[0]);
  const standing = () => ({ approval: approval(), moved: false });
  const record = () => settledView();
  return rigOver({ answers: { approval, standing, record, ...(respond && { respond }) } });
}

/** A question that refuses every answer so. */
const refusing = (code: ErrorCode) => (): never => {
  throw updateRefused({ code, detail: 'No.' });
};

describe('an approval under /api/v1', () => {
  it('is asked for from a person, in the name of the key alone', async () => {
    const rig = rigOver({});
    const body = { action: 'pay', reason: 'due', context: { amount: 5 }, requested_by: 'root' };
    assert.equal((await rig.send('agent', 'post', PATH).send(body)).status, 200);
    const start = rig.sent.find(({ name }) => name === WORKFLOW_TYPES.approval);
    const [input] = (start?.args[0] as { readonly args: readonly ApprovalInput[] }).args;
    assert.ok(input);
    const { asked_by, proposal, intent_id, action } = input;
    const [call, ...others] = proposal.calls;
    const { id, tool, arguments: given } = call ?? {};
    assert.deepEqual([id, tool, given, others], ['action', 'pay', { amount: 5 }, []]);
    assert.deepEqual(
      [asked_by, proposal.prompt, proposal.route, intent_id, action],
      ['refund-agent', 'May refund-agent do this: pay?', 'human_required', INTENT_ID, 'pay'],
    );
    assert.deepEqual(proposal.visible_context, { reason: 'due', requested_by: 'root' });
  });

  for (const [verb, action] of [
    ['approve', 'approved'],
    ['deny', 'rejected'],
  ] as const) {
    it(`is decided by a vote that says ${action}, with an empty body`, async () => {
      const rig = rigWith([viewWith()]);
      const reply = await rig.send('operator', 'post', `${ONE}/${verb}`);
      assert.equal(reply.status, 200);
      const vote = rig.sent.find(({ name }) => name === 'respond');
      assert.equal(vote?.workflowId, workflowIdOf('suspension', ASKED));
      const { value, despite_claim, responded_by } = vote.args[0] as OperatorAnswer;
      assert.deepEqual([value, despite_claim, responded_by], [action, true, 'alice']);
      const last = rig.sent.at(-1);
      const standing = workflowIdOf('approval', PROPOSAL.approval_id);
      assert.deepEqual([last?.name, last?.workflowId], ['standing', standing]);
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
      assert.deepEqual([...new Set(rig.sent.map(({ name }) => name))], ['approval']);
    });
  }

  it('says how somebody decided it just before', async () => {
    const views = [viewWith(), viewWith(), viewWith('rejected')];
    const rig = rigWith(views, refusing('suspension_settled'));
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
      const rig = rigWith([viewWith()], refusing(code));
      const reply = await rig.send('operator', 'post', `${ONE}/approve`);
      assert.deepEqual([reply.status, reply.body.code], [status, code]);
    }
  });

  it('is missing where its intent has none of this id', async () => {
    const ofAnother = { ...viewWith(), intent_id: null };
    for (const approval of [closed, () => ofAnother]) {
      const rig = rigOver({ answers: { approval } });
      for (const [method, path] of [
        ['get', ONE],
        ['post', `${ONE}/approve`],
      ] as const) {
        const { status, body } = await rig.send('both', method, path);
        assert.deepEqual(
          [status, body],
          [404, { detail: 'Approval not found', code: 'not_found' }],
        );
      }
    }
  });

  it('is not called missing where nobody can tell', async () => {
    const findApproval = () => Promise.reject(new Error('Connection terminated'));
    const rig = rigOver({ answers: { approval: closed }, store: { findApproval } });
    const reply = await rig.send('agent', 'get', ONE);
    assert.deepEqual([reply.status, reply.body.code], [503, 'store_unavailable']);
  });
});
