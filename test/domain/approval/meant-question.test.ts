import assert from 'node:assert/strict';
import {
  aboutAnother,
  decidedStages,
  isAboutOpen,
} from '../../../domain/approval/deciding/meant-question.js';
import type { StageRound } from '../../../domain/approval/record/state.js';
import { AT, approvalWith, proposalWith, resolutionOf } from './samples.js';

const OPEN = '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';
const OTHER = '2c9d8e7f-6a5b-4c3d-9e1f-0a1b2c3d4e5f';
const HASH = 'a'.repeat(64);
const voteOf = (principal: string) =>
  ({ principal, actor: principal, decision: 'approved', at: AT }) as const;
const roundOf = (fields: Partial<StageRound>): StageRound => ({
  hash: HASH,
  outcomes: ['approved'],
  approvers: [voteOf('alice')],
  ...fields,
});

describe('the stages that have approved', () => {
  it('are those whose last tier approved the latest version', () => {
    const rounds = [
      roundOf({ outcomes: ['timeout', 'approved'] }),
      roundOf({ outcomes: ['timeout'], approvers: [voteOf('bella')] }),
      roundOf({ hash: 'b'.repeat(64) }),
      roundOf({ approvers: [voteOf('carl')] }),
    ];
    assert.deepEqual(decidedStages({ rounds, proposal_hash: HASH }), [
      { stage: 0, approvers: [voteOf('alice')] },
      { stage: 3, approvers: [voteOf('carl')] },
    ]);
  });

  it('are not told once the approval is over', () => {
    const resolution = resolutionOf(proposalWith());
    assert.deepEqual(decidedStages({ rounds: [roundOf({})], proposal_hash: HASH, resolution }), []);
  });
});

describe('the question that a decision is about', () => {
  it('is the one that it names, else that of the first stage', () => {
    for (const [suspension_id, stage, seen, expected] of [
      [OPEN, 0, undefined, true],
      [OPEN, 1, undefined, false],
      [OPEN, 0, OPEN, true],
      [OPEN, 1, OPEN, true],
      [OPEN, 0, OTHER, false],
      [null, 1, undefined, true],
      [null, 0, OTHER, true],
    ] as const) {
      const open = { suspension_id, stage };
      assert.equal(isAboutOpen(open, { suspension_id: seen }), expected, `${stage} ${seen}`);
    }
  });

  it('has in the refusal what its sender decided in the last stage, or in the first where it names none', () => {
    const decided = [0, 1].map((stage) => ({ stage, approvers: [voteOf('alice')] }));
    const view = { ...approvalWith(), suspension_id: OPEN, stage: 2, tier: 1, decided };
    for (const [seen, stage] of [
      [undefined, 0],
      [OTHER, 1],
    ] as const) {
      const { state } = aboutAnother(view, { suspension_id: seen }, 'alice').refusal;
      const own_vote = { stage, decision: 'approved', at: AT };
      assert.deepEqual(state, { status: 'pending', stage: 2, tier: 1, own_vote });
    }
  });

  it('has no earlier vote of its sender in the refusal where others decided the last stage', () => {
    const decided = ['alice', 'bella'].map((name, stage) => ({ stage, approvers: [voteOf(name)] }));
    const view = { ...approvalWith(), suspension_id: OPEN, stage: 2, decided };
    assert.equal(
      aboutAnother(view, { suspension_id: OTHER }, 'alice').refusal.state?.['own_vote'],
      undefined,
    );
  });

  it('is never named by a refusal', () => {
    const view = { ...approvalWith(), suspension_id: OPEN, stage: 1 };
    assert.ok(!JSON.stringify(aboutAnother(view, {}, 'alice')).includes(OPEN));
  });
});
