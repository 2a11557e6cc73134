import assert from 'node:assert/strict';
import type { Proposal } from '../../../contracts/approval/approval.js';
import { hashOf } from '../../../domain/approval/proposal/proposal.js';
import {
  approvedCalls,
  completeCall,
  type DecidedProposal,
  idempotencyKeyOf,
  isRedeemed,
  type RedeemableApproval,
  redeemCall,
  type Redemptions,
} from '../../../domain/approval/running/redemption.js';
import { plusSeconds } from '../../../domain/kernel/time.js';
import { granted, refused } from '../samples.js';
import { AT, hashOfProposal, proposalWith, resolutionOf } from './samples.js';

const PROPOSAL = proposalWith();
const APPROVED: RedeemableApproval = { proposal: PROPOSAL, resolution: resolutionOf(PROPOSAL) };
const ended = (status: 'rejected' | 'expired' | 'cancelled' | 'failed', comment?: string) => ({
  proposal: PROPOSAL,
  resolution: resolutionOf(PROPOSAL, { status, ...(comment !== undefined && { comment }) }),
});
const by = (holder: string) => ({ holder, lease_seconds: 60 });
const after = (seconds: number) => plusSeconds(AT, seconds);

/** Redeems as a process at `now`. */
function redeemed(state: Redemptions, holder: string, now = AT) {
  return granted(redeemCall(APPROVED, state, by(holder), now));
}

describe('redeeming an approved call', () => {
  it('gives the approved arguments, approvers and a downstream key', () => {
    const { redeemed: call } = redeemed({}, 'p1');
    assert.deepEqual(call, {
      approval_id: PROPOSAL.approval_id,
      call_id: 'call-1',
      tool: 'wire',
      arguments: { amount: 500 },
      edited: false,
      proposal_hash: hashOfProposal(PROPOSAL),
      approvers: APPROVED.resolution?.approvers,
      idempotency_key: `${PROPOSAL.approval_id}:call-1`,
      token: 1,
      lease_until: after(60),
    });
  });

  it('gives the words that came with the decision, and those of each who decided', () => {
    const [approver] = APPROVED.resolution?.approvers ?? [];
    assert.ok(approver);
    const approvers = [{ ...approver, comment: 'Half of it is paid.' }, approver];
    const resolution = resolutionOf(PROPOSAL, { comment: 'Go on.', approvers });
    const call = granted(redeemCall({ ...APPROVED, resolution }, {}, by('p1'), AT)).redeemed;
    assert.deepEqual([call.comment, call.approvers], ['Go on.', approvers]);
  });

  it('gives a restarted process the same arguments, token and key [P3-23]', () => {
    const first = redeemed({}, 'p1');
    const again = redeemed(first.redemptions, 'p1', after(30));
    assert.deepEqual(again.redeemed, { ...first.redeemed, lease_until: after(90) });
  });

  it('refuses a second process until the lease is over', () => {
    const { redemptions } = redeemed({}, 'p1');
    const early = refused(redeemCall(APPROVED, redemptions, by('p2'), after(59)));
    assert.equal(early.code, 'approval_in_use');
    assert.deepEqual(early.state, { until: after(60), token: 1 });
    const late = redeemed(redemptions, 'p2', after(60));
    assert.equal(late.redeemed.token, 2);
  });

  it('keeps the downstream key for whoever takes over [P3-23]', () => {
    const first = redeemed({}, 'p1');
    const second = redeemed(first.redemptions, 'p2', after(60));
    assert.equal(second.redeemed.idempotency_key, first.redeemed.idempotency_key);
  });

  it('gives each call and each approval a key of its own [P3-23]', () => {
    const calls = ['a', 'b'].map((id) => ({ id, tool: 'wire', arguments: {} }));
    const proposal = proposalWith({ calls });
    const approval = { proposal, resolution: resolutionOf(proposal) };
    const other = proposalWith({ calls, approval_id: '11111111-1111-4111-8111-111111111111' });
    const keys = [
      redeemCall(approval, {}, { ...by('p'), call_id: 'a' }, AT),
      redeemCall(approval, {}, { ...by('p'), call_id: 'b' }, AT),
      redeemCall(
        { proposal: other, resolution: resolutionOf(other) },
        {},
        { ...by('p'), call_id: 'a' },
        AT,
      ),
    ].map((ruling) => granted(ruling).redeemed.idempotency_key);
    assert.equal(new Set(keys).size, 3);
  });

  it('are compared by the name of their tool, where who redeems names it', () => {
    const same = granted(redeemCall(APPROVED, {}, { ...by('p'), tool: 'wire' }, AT));
    assert.equal(same.redeemed.tool, 'wire');
    for (const state of [{}, redeemed({}, 'p').redemptions]) {
      const { code, field, accepted } = refused(
        redeemCall(APPROVED, state, { ...by('p'), tool: 'mail' }, AT),
      );
      assert.deepEqual([code, field, accepted], ['proposal_mutation_detected', 'tool', 'wire']);
    }
  });

  it('tells edited arguments from proposed ones', () => {
    const proposal = proposalWith({ version: 2 });
    const approval = { proposal, resolution: resolutionOf(proposal) };
    assert.equal(granted(redeemCall(approval, {}, by('p'), AT)).redeemed.edited, true);
  });
});

describe('a call that may not run', () => {
  it('is not redeemed while nobody has decided', () => {
    const refusal = refused(redeemCall({ proposal: PROPOSAL }, {}, by('p'), AT));
    assert.equal(refusal.code, 'approval_pending');
  });

  for (const status of ['rejected', 'expired', 'cancelled'] as const) {
    it(`is not redeemed once the approval is ${status}`, () => {
      const refusal = refused(redeemCall(ended(status, 'too much'), {}, by('p'), AT));
      assert.equal(refusal.code, 'approval_decided');
      assert.deepEqual(refusal.state, {
        status,
        by: 'people',
        comment: 'too much',
        respondent: 'ursula',
      });
    });
  }

  it('is not redeemed if the proposal is no longer what was approved [A54-31]', () => {
    const calls = [{ id: 'call-1', tool: 'wire', arguments: { amount: 9_000 } }];
    const changed = { ...APPROVED, proposal: proposalWith({ calls }) };
    for (const approval of [changed, ended('failed')]) {
      const refusal = refused(redeemCall(approval, {}, by('p'), AT));
      assert.equal(refusal.code, 'proposal_mutation_detected');
    }
  });

  it('is not redeemed if it is not in the proposal, or not named among several', () => {
    const calls = ['a', 'b'].map((id) => ({ id, tool: 'wire', arguments: {} }));
    const proposal = proposalWith({ calls });
    const several = { proposal, resolution: resolutionOf(proposal) };
    const none = proposalWith({ calls: [], kind: 'consent' });
    const cases = [
      redeemCall(APPROVED, {}, { ...by('p'), call_id: 'other' }, AT),
      redeemCall(several, {}, by('p'), AT),
      redeemCall({ proposal: none, resolution: resolutionOf(none) }, {}, by('p'), AT),
    ];
    for (const ruling of cases) {
      const { code, field } = refused(ruling);
      assert.deepEqual([code, field], ['invalid_request', 'call_id']);
    }
  });
});

describe('completing a redeemed call', () => {
  it('records the result, which later redeems return without a lease', () => {
    const { redemptions } = redeemed({}, 'p1');
    const request = { token: 1, result: { id: 'tx-1' } };
    const done = granted(completeCall(APPROVED, redemptions, request, after(5)));
    assert.equal(done.redeemed.completed_at, after(5));
    const later = redeemed(done.redemptions, 'p2', after(10));
    assert.deepEqual(later.redeemed, done.redeemed);
    assert.deepEqual(later.redeemed.result, { id: 'tx-1' });
    assert.equal(later.redemptions, done.redemptions);
  });

  it('keeps the first result when it is repeated', () => {
    const { redemptions } = redeemed({}, 'p1');
    const first = granted(completeCall(APPROVED, redemptions, { token: 1, result: 1 }, AT));
    const again = completeCall(APPROVED, first.redemptions, { token: 1, result: 2 }, after(9));
    assert.deepEqual(granted(again).redeemed, first.redeemed);
  });

  it('takes the result of a process whose lease is over, if nobody took over', () => {
    const { redemptions } = redeemed({}, 'p1');
    const late = completeCall(APPROVED, redemptions, { token: 1, result: 1 }, after(500));
    assert.equal(granted(late).redeemed.result, 1);
  });

  it('refuses an older token, and one that nobody got', () => {
    const first = redeemed({}, 'p1');
    const second = redeemed(first.redemptions, 'p2', after(60));
    for (const token of [1, 3]) {
      const refusal = refused(
        completeCall(APPROVED, second.redemptions, { token, result: 1 }, after(61)),
      );
      assert.deepEqual([refusal.code, refusal.state], ['stale_token', { token: 2 }]);
    }
    const unredeemed = completeCall(APPROVED, {}, { token: 1, result: 1 }, AT);
    assert.equal(refused(unredeemed).code, 'stale_token');
  });

  it('refuses results that come to more than 64 KiB', () => {
    const { redemptions } = redeemed({}, 'p1');
    const result = 'x'.repeat(64 * 1_024);
    const refusal = refused(completeCall(APPROVED, redemptions, { token: 1, result }, AT));
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'result']);
  });

  it('refuses what is not approved, and calls that are not there', () => {
    const denied = completeCall(ended('rejected'), {}, { token: 1, result: 1 }, AT);
    assert.equal(refused(denied).code, 'approval_decided');
    const unknown = completeCall(APPROVED, {}, { call_id: 'x', token: 1, result: 1 }, AT);
    assert.equal(refused(unknown).code, 'invalid_request');
  });
});

describe('an approval of which nothing is left to redeem', () => {
  it('has run all its calls, or may run none', () => {
    assert.equal(isRedeemed({ proposal: PROPOSAL }, {}), false);
    assert.equal(isRedeemed(APPROVED, {}), false);
    assert.equal(isRedeemed(ended('rejected'), {}), true);
    const { redemptions } = redeemed({}, 'p1');
    assert.equal(isRedeemed(APPROVED, redemptions), false);
    const done = granted(completeCall(APPROVED, redemptions, { token: 1, result: 1 }, AT));
    assert.equal(isRedeemed(APPROVED, done.redemptions), true);
  });
});

const LIVE: Proposal = {
  approval_id: '0b6a4a3e-1f0e-4a55-9d0a-111111111111',
  version: 1,
  kind: 'tool_approval',
  run_id: 'run-1',
  turn_index: 3,
  agent: 'bot',
  calls: [
    { id: 'c1', tool: 'deploy', arguments: { env: 'prod' } },
    { id: 'c2', tool: 'wire', arguments: { amount: 1 } },
  ],
  prompt: 'Run them?',
  visible_context: {},
  route: 'human_required',
  risk_class: 'medium',
};
const [FIRST, SECOND] = LIVE.calls;
assert.ok(FIRST && SECOND);
const EDITED: Proposal = {
  ...LIVE,
  version: 2,
  risk_class: 'high',
  calls: [{ ...FIRST, arguments: { env: 'staging' } }, SECOND],
};

function decided(proposal: Proposal, rest: Partial<DecidedProposal> = {}): DecidedProposal {
  return {
    resolution: { status: 'approved', proposal_hash: hashOf(proposal) },
    proposal,
    proposed_hash: hashOf(LIVE),
    ...rest,
  };
}

describe('what runs after an approval', () => {
  it('is exactly what was proposed and approved [A54-22]', () => {
    assert.deepEqual(approvedCalls(LIVE, decided(LIVE)), { ok: true, value: LIVE.calls });
  });

  it('is exactly what a person made of it, if the arguments were edited [A54-22]', () => {
    assert.deepEqual(approvedCalls(LIVE, decided(EDITED)), { ok: true, value: EDITED.calls });
  });

  const swapped = { ...EDITED, calls: [...EDITED.calls].reverse() };
  const CHANGED: readonly (readonly [string, Proposal, DecidedProposal])[] = [
    [
      'the agent holds other arguments now',
      { ...LIVE, calls: [{ ...FIRST, arguments: { env: 'staging' } }, SECOND] },
      decided(LIVE),
    ],
    ['the agent holds another call now', { ...LIVE, calls: [FIRST] }, decided(LIVE)],
    ['the agent is in another turn', { ...LIVE, turn_index: 4 }, decided(LIVE)],
    ['the agent holds another call than before an edit', { ...LIVE, prompt: '?' }, decided(EDITED)],
    [
      'the approved hash is that of something else',
      LIVE,
      decided(LIVE, { resolution: { status: 'approved', proposal_hash: hashOf(EDITED) } }),
    ],
    ['it comes back changed under the same version', LIVE, decided({ ...LIVE, route: 'auto' })],
    [
      'an edit names another tool',
      LIVE,
      decided({ ...EDITED, calls: [{ ...FIRST, tool: 'rm' }, SECOND] }),
    ],
    ['an edit drops a call', LIVE, decided({ ...EDITED, calls: [FIRST] })],
    ['an edit swaps the calls', LIVE, decided(swapped)],
    ['an edit changes the user', LIVE, decided({ ...EDITED, on_behalf_of: 'eve' })],
    ['an edit has an older version', LIVE, decided({ ...EDITED, version: 0 })],
    [
      'it was not approved at all',
      LIVE,
      decided(LIVE, { resolution: { status: 'rejected', proposal_hash: hashOf(LIVE) } }),
    ],
  ];
  for (const [title, live, back] of CHANGED) {
    it(`is nothing if ${title} [A54-22]`, () => {
      const ruling = approvedCalls(live, back);
      assert.ok(!ruling.ok);
      assert.equal(ruling.refusal.code, 'proposal_mutation_detected');
    });
  }
});

describe('the key under which a tool acts once', () => {
  it('belongs to the approval, or to the turn without one [P3-23]', () => {
    const { approval_id } = LIVE;
    assert.equal(idempotencyKeyOf('c1', { approval_id }), `${approval_id}:c1`);
    assert.equal(idempotencyKeyOf('c1', { run_id: 'run-1', turn_index: 3 }), 'run-1:3:c1');
  });
});
