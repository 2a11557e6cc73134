import assert from 'node:assert/strict';
import {
  approvalRequiredSchema,
  openApprovalRequestSchema,
  resumeReplySchema,
  resumeRequestSchema,
  type ResumeRequest,
} from '../../../contracts/approval/requests.js';
import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  type ApprovalStatus,
} from '../../../contracts/constants/approvals.js';
import {
  approvalRequired,
  judgeDecision,
  resumeReply,
  taskItemOf,
} from '../../../domain/approval/deciding/request.js';
import { granted, refused } from '../samples.js';
import { approvalWith, hashOfProposal, proposalWith, resolutionOf } from './samples.js';

const CALLS = ['a', 'b'].map((id) => ({ id, tool: 'wire', arguments: { to: id } }));
const PROPOSAL = proposalWith({ calls: CALLS });
const approve = (fields: Partial<ResumeRequest> = {}): ResumeRequest => ({
  action: 'approve',
  ...fields,
});

/** The approval after it ended in a way. */
function decided(status: Exclude<ApprovalStatus, 'pending'>) {
  return approvalWith(PROPOSAL, resolutionOf(PROPOSAL, { status }));
}

describe('what a client shows of a request', () => {
  it('names the calls, one URL and the actions, in a model of its own [P3-06, P3-08, P3-09, AM-54]', () => {
    const payload = approvalRequired(approvalWith(PROPOSAL));
    const { approval_id } = PROPOSAL;
    assert.deepEqual(payload, {
      request_id: approval_id,
      kind: 'tool_approval',
      status: 'suspended',
      url: `/v1/requests/${approval_id}/resume`,
      allowed_actions: ['approve', 'reject'],
      proposal_hash: hashOfProposal(PROPOSAL),
      task: { run_id: 'run-7', request_id: approval_id, status: 'paused', tool_calls: CALLS },
    });
    assert.deepEqual(approvalRequiredSchema.parse(payload), payload);
  });

  it('names the question that a decision is about, while it is open', () => {
    const suspension_id = '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
    const payload = approvalRequired({ ...approvalWith(PROPOSAL), suspension_id });
    assert.equal(payload.suspension_id, suspension_id);
    assert.deepEqual(approvalRequiredSchema.parse(payload), payload);
    const over = approvalRequired({ ...decided('approved'), suspension_id });
    assert.equal(over.suspension_id, undefined);
  });

  it('offers nothing once it is decided', () => {
    const { status, allowed_actions } = approvalRequired(decided('approved'));
    assert.deepEqual([status, allowed_actions], ['approved', []]);
  });
});

describe('the task that a request pauses', () => {
  it('keeps the calls that it goes on from [P3-03, P3-04]', () => {
    assert.deepEqual(taskItemOf(approvalWith(PROPOSAL)).tool_calls, CALLS);
  });

  it('is paused, then approved, then completed [P3-05]', () => {
    assert.equal(taskItemOf(approvalWith(PROPOSAL)).status, 'paused');
    assert.equal(taskItemOf(decided('approved')).status, 'approved');
    assert.equal(taskItemOf(decided('approved'), true).status, 'completed');
  });

  for (const status of ['rejected', 'expired', 'cancelled', 'failed'] as const) {
    it(`is cancelled, and the reply says so, if the request is ${status} [P3-12, AM-53]`, () => {
      const reply = resumeReply(decided(status));
      assert.deepEqual([reply.status, reply.task.status], [status, 'cancelled']);
      assert.match(reply.message, /The task is cancelled\.$/);
    });
  }

  it('has a reply for every status', () => {
    for (const status of APPROVAL_STATUSES) {
      const view = status === 'pending' ? approvalWith(PROPOSAL) : decided(status);
      assert.equal(resumeReplySchema.parse(resumeReply(view)).status, status);
    }
  });
});

describe('a decision about a request', () => {
  const open = approvalWith(PROPOSAL);

  it('becomes an answer to the calls as they were proposed', () => {
    const hash = hashOfProposal(PROPOSAL);
    assert.deepEqual(granted(judgeDecision(open, approve())), {
      value: 'approved',
      proposal_hash: hash,
    });
    assert.equal(granted(judgeDecision(open, { action: 'reject' })).value, 'rejected');
    const seen = approve({ proposal_hash: 'f'.repeat(64) });
    assert.equal(granted(judgeDecision(open, seen)).proposal_hash, 'f'.repeat(64));
  });

  it('is for the first version unless a later one was seen', () => {
    const edited = { ...open, proposal_hash: 'e'.repeat(64) };
    assert.equal(granted(judgeDecision(edited, approve())).proposal_hash, hashOfProposal(PROPOSAL));
  });

  for (const kind of APPROVAL_KINDS) {
    it(`has the same form for ${kind} [P3-15, AM-54]`, () => {
      const view = approvalWith(proposalWith({ kind, calls: [] }));
      assert.equal(granted(judgeDecision(view, approve({ kind }))).value, 'approved');
    });
  }

  it('is refused where another question is open than it is about', () => {
    const [seen, other] = [PROPOSAL.approval_id, '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b'];
    const second = { ...open, suspension_id: other, stage: 1 };
    for (const fields of [{}, { suspension_id: seen }]) {
      const { code, field, state } = refused(judgeDecision(second, approve(fields), 'alice'));
      assert.deepEqual([code, field], ['stage_mismatch', 'suspension_id']);
      assert.deepEqual(state, { status: 'pending', stage: 1, tier: 0 });
    }
    assert.ok(judgeDecision(second, approve({ suspension_id: other })).ok);
  });

  it('is refused for another kind', () => {
    const { code, field, accepted } = refused(judgeDecision(open, approve({ kind: 'consent' })));
    assert.deepEqual([code, field, accepted], ['invalid_request', 'kind', 'tool_approval']);
  });

  it('takes all calls and refuses a part of them [P3-21]', () => {
    assert.ok(judgeDecision(open, approve({ calls: ['b', 'a'] })).ok);
    for (const calls of [['a'], [], ['a', 'b', 'c'], ['a', 'a']]) {
      const { code, state } = refused(judgeDecision(open, approve({ calls })));
      assert.deepEqual([code, state], ['partial_decision', { calls: ['a', 'b'] }]);
    }
  });

  for (const status of ['approved', 'rejected', 'expired', 'cancelled', 'failed'] as const) {
    it(`is refused with the decision once the request is ${status} [P3-22]`, () => {
      const { code, state } = refused(judgeDecision(decided(status), approve()));
      assert.equal(code, 'approval_decided');
      assert.equal(state?.['status'], status);
      assert.equal(state['respondent'], 'ursula');
    });
  }
});

describe('the bodies of requests', () => {
  it('fill in what is left out', () => {
    const body = openApprovalRequestSchema.parse({ run_id: 'r', calls: [{ id: 'a', tool: 't' }] });
    assert.deepEqual(body, {
      run_id: 'r',
      turn_index: 0,
      kind: 'tool_approval',
      calls: [{ id: 'a', tool: 't', arguments: {} }],
      visible_context: {},
    });
  });

  it('name the form of a checkpoint [JC-67]', () => {
    const body = openApprovalRequestSchema.parse({ run_id: 'r', checkpoint: { state: [1] } });
    assert.deepEqual(body.checkpoint, { schema_version: 'composer_v1', state: [1] });
  });

  it('take the two actions alone', () => {
    assert.equal(resumeRequestSchema.safeParse({ action: 'approved' }).success, false);
    assert.equal(resumeRequestSchema.safeParse({}).success, false);
  });
});
