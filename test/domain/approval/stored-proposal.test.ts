import assert from 'node:assert/strict';
import type { StoredProposal } from '../../../contracts/approval/log.js';
import { approvalsConfigSchema } from '../../../contracts/approval/rules.js';
import { hashOf } from '../../../domain/approval/proposal/proposal.js';
import { planOf } from '../../../domain/approval/asking/route.js';
import { newApproval, tierAsked, tierSettled } from '../../../domain/approval/record/state.js';
import { isBehind, isStoredUnchanged } from '../../../domain/approval/proposal/stored-proposal.js';
import type { Proposal } from '../../../contracts/approval/approval.js';
import { settledWith } from '../samples.js';
import { partWith, wireWith } from './wires.js';

const Q1 = '11111111-1111-4111-8111-111111111111';

function raised(proposal: Proposal): Proposal {
  const calls = proposal.calls.map((call) => ({ ...call, arguments: { amount: 9_999 } }));
  return { ...proposal, calls };
}

/** An approval of which one question has ended, and the store as it should be. */
function decided() {
  const plan = planOf(
    { verdict: 'escalate', risk_class: 'medium', route: 'human_required' },
    approvalsConfigSchema.parse({}),
    { agent: 'bot' },
  );
  const proposal = wireWith();
  const part = partWith();
  const asked = tierAsked(newApproval(proposal), { suspension_id: Q1, stage: 0, tier: 0 });
  const record = { ...settledWith({ id: Q1 }), approval: part };
  const state = tierSettled(asked, plan ?? assert.fail(), record);
  const copy = { suspension_id: Q1, proposal, proposal_hash: hashOf(proposal), is_open: false };
  const stored: StoredProposal = { proposed: proposal, proposal, asked: [copy] };
  return { state, stored, copy, proposal };
}

describe('a proposal that is stored', () => {
  it('is unchanged as it was proposed, decided on and asked about', () => {
    const { state, stored } = decided();
    assert.deepEqual(
      state.decided_in.map(({ suspension_id }) => suspension_id),
      [Q1],
    );
    assert.equal(isStoredUnchanged(state, stored), true);
  });

  it('is changed if any version of the approval is', () => {
    const { state, stored, proposal } = decided();
    assert.equal(isStoredUnchanged(state, { ...stored, proposed: raised(proposal) }), false);
    assert.equal(isStoredUnchanged(state, { ...stored, proposal: raised(proposal) }), false);
    const live = { ...state, proposal: raised(proposal) };
    assert.equal(isStoredUnchanged(live, stored), false);
  });

  it('is changed if the copy in a question is, with its hash or without [A54-19] [A54-24]', () => {
    const { state, stored, copy, proposal } = decided();
    const other = raised(proposal);
    for (const changed of [
      { ...copy, proposal: other },
      { ...copy, proposal_hash: hashOf(other) },
      { ...copy, proposal: other, proposal_hash: hashOf(other) },
    ]) {
      assert.equal(isStoredUnchanged(state, { ...stored, asked: [changed] }), false);
    }
  });

  it('is unchanged if a question has no copy any more', () => {
    const { state, stored, copy, proposal } = decided();
    assert.equal(isStoredUnchanged(state, { ...stored, asked: [] }), true);
    const { asked: _asked, ...without } = stored;
    assert.equal(isStoredUnchanged(state, without), true);
    const foreign = { ...copy, suspension_id: 'another', proposal: raised(proposal) };
    assert.equal(isStoredUnchanged(state, { ...stored, asked: [foreign] }), true);
  });

  it('is behind while a question is stored as open, and in another version than was decided on', () => {
    const { state, stored, copy } = decided();
    const decidedIn = [{ suspension_id: Q1, proposal_hash: 'edited' }];
    const open = { ...stored, asked: [{ ...copy, is_open: true }] };
    assert.equal(isBehind(open, decidedIn), true);
    assert.equal(isBehind(open, state.decided_in), false);
    assert.equal(isBehind(stored, decidedIn), false);
    assert.equal(isBehind(open, [{ suspension_id: 'another', proposal_hash: 'edited' }]), false);
    assert.equal(isBehind({ ...stored, asked: [] }, decidedIn), false);
  });
});
