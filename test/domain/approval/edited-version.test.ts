import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Approver, Proposal } from '../../../contracts/approval/approval.js';
import { hashOf, latestOf } from '../../../domain/approval/proposal/proposal.js';
import { newApproval, tierAsked, versionEdited } from '../../../domain/approval/record/state.js';
import { isVotesCast, votesCast } from '../../../domain/approval/deciding/votes.js';
import { AT, approvalWith, proposalWith } from './samples.js';

const FIRST = proposalWith();
const SECOND = proposalWith({
  version: 2,
  calls: [{ id: 'call-1', tool: 'wire', arguments: { amount: 5 } }],
});
const versionOf = (proposal: Proposal) => ({ proposal, proposal_hash: hashOf(proposal) });
const asked = tierAsked(newApproval(FIRST), { suspension_id: 'q-2', stage: 1, tier: 1 });
const vote: Approver = { principal: 'ada', actor: 'ada', decision: 'approved', at: AT };
const OPEN = {
  ...asked,
  rounds: [
    { hash: hashOf(FIRST), outcomes: ['approved' as const], approvers: [vote] },
    { hash: hashOf(FIRST), outcomes: ['timeout' as const], approvers: [] },
  ],
};

describe('a version that people have edited while they decide', () => {
  it('is what the approval shows, and the tiers that are over stay so [A54-11]', () => {
    const state = versionEdited(OPEN, versionOf(SECOND));
    assert.deepEqual([state?.proposal, state?.proposal_hash], [SECOND, hashOf(SECOND)]);
    assert.equal(state?.proposed_hash, hashOf(FIRST));
    assert.deepEqual(state.rounds, [
      OPEN.rounds[0],
      { hash: hashOf(SECOND), outcomes: ['timeout'], approvers: [] },
    ]);
  });

  for (const [what, state, version] of [
    ['is no later one', OPEN, versionOf(FIRST)],
    [
      'has another hash than its own',
      OPEN,
      { ...versionOf(SECOND), proposal_hash: 'f'.repeat(64) },
    ],
    ['is of another approval', OPEN, versionOf({ ...SECOND, approval_id: 'other' })],
    ['comes when nobody is asked', newApproval(FIRST), versionOf(SECOND)],
  ] as const) {
    it(`changes nothing where it ${what}`, () => {
      assert.equal(versionEdited(state, version), undefined);
    });
  }

  it('is told to the approval with the votes, and only then', () => {
    const part = { ...versionOf(FIRST), stage: 0, tier: 0 };
    const edited = { ...versionOf(SECOND), stage: 0, tier: 0 };
    assert.equal(votesCast(part, [vote], false).proposal, undefined);
    assert.deepEqual(votesCast(edited, [vote], true), {
      version: 2,
      proposal_hash: hashOf(SECOND),
      votes: [vote],
      proposal: SECOND,
    });
    assert.equal(isVotesCast({ ...votesCast(edited, [vote], true) }), true);
    assert.equal(isVotesCast({ ...votesCast(edited, [vote], true), proposal: 'none' }), false);
  });

  it('is the one that a stored copy is read with [A54-11]', () => {
    const view = approvalWith(FIRST);
    const shown = latestOf(view, versionOf(SECOND));
    assert.deepEqual([shown.proposal, shown.proposal_hash], [SECOND, hashOf(SECOND)]);
    assert.equal(latestOf(shown, versionOf(FIRST)), shown);
    assert.equal(latestOf(view, undefined), view);
  });
});
