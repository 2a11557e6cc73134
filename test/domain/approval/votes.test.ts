import assert from 'node:assert/strict';
import type { Approver } from '../../../contracts/approval/approval.js';
import {
  logVotes,
  type LoggedVote,
  type VotesCast,
} from '../../../domain/approval/deciding/votes.js';
import { AT, proposalWith } from './samples.js';

const OPEN = { suspension_id: 'question-1', stage: 0, tier: 0 };
const LATER = { suspension_id: 'question-2', stage: 1, tier: 0 };
const STATE = { proposal: proposalWith() };

const voter = (principal: string, decision: Approver['decision'] = 'approved'): Approver => ({
  principal,
  actor: `${principal} of finance`,
  decision,
  at: AT,
});

const cast = (version: number, ...votes: readonly Approver[]): VotesCast => ({
  version,
  proposal_hash: `hash ${version}`,
  votes,
});

/** What is in the log after several reports, told in short. */
function logAfter(...reports: readonly (readonly [typeof OPEN, VotesCast])[]) {
  let known: readonly LoggedVote[] = [];
  const keys: string[] = [];
  for (const [open, votes] of reports) {
    const { cancelled, cast: fresh, logged } = logVotes(STATE, open, votes, known);
    keys.push(...[...cancelled, ...fresh].map(({ key }) => key));
    known = logged;
  }
  const prefix = `approval:${STATE.proposal.approval_id}:`;
  return { keys: keys.map((key) => key.slice(prefix.length)), known };
}

describe('the log of votes', () => {
  it('says who voted how, on which version and hash [AM-67]', () => {
    const { cast: events } = logVotes(STATE, OPEN, cast(3, voter('alice', 'rejected')), []);
    const [{ draft } = assert.fail(), ...others] = events;
    assert.deepEqual(others, []);
    assert.equal(draft.event_type, 'approval_vote');
    assert.equal(draft.actor, 'alice of finance');
    assert.deepEqual(draft.payload, {
      approval_id: STATE.proposal.approval_id,
      run_id: 'run-7',
      suspension_id: 'question-1',
      stage: 0,
      tier: 0,
      principal: 'alice',
      decision: 'rejected',
      voted_at: AT,
      proposal_hash: 'hash 3',
      version: 3,
    });
  });

  it('has each vote once, however often it is reported', () => {
    const first = [OPEN, cast(1, voter('alice'))] as const;
    const both = [OPEN, cast(1, voter('alice'), voter('bob'))] as const;
    const { keys } = logAfter(first, first, both, both);
    assert.deepEqual(keys, ['vote:question-1:1:alice', 'vote:question-1:1:bob']);
  });

  it('has the votes of one person in each question and on each version', () => {
    const { keys } = logAfter(
      [OPEN, cast(1, voter('alice'))],
      [LATER, cast(1, voter('alice'))],
      [LATER, cast(2, voter('alice'))],
    );
    assert.deepEqual(
      keys.filter((key) => key.startsWith('vote:')),
      ['vote:question-1:1:alice', 'vote:question-2:1:alice', 'vote:question-2:2:alice'],
    );
  });

  it('keeps votes that an edit cancels, of every stage, and says so before the new ones', () => {
    const { keys, known } = logAfter(
      [OPEN, cast(1, voter('alice'))],
      [LATER, cast(1, voter('bob'))],
      [LATER, cast(2, voter('carol'))],
      [LATER, cast(2, voter('carol'), voter('bob'))],
    );
    assert.deepEqual(keys, [
      'vote:question-1:1:alice',
      'vote:question-2:1:bob',
      'cancelled:vote:question-1:1:alice',
      'cancelled:vote:question-2:1:bob',
      'vote:question-2:2:carol',
      'vote:question-2:2:bob',
    ]);
    assert.deepEqual(
      known.map(({ principal, version }) => [principal, version]),
      [
        ['carol', 2],
        ['bob', 2],
      ],
    );
  });

  it('says of a cancelled vote what it was for, and who edited that', () => {
    const { known } = logAfter([OPEN, cast(1, voter('alice'))]);
    const { cancelled } = logVotes(STATE, LATER, cast(2, voter('bob')), known);
    const [{ draft } = assert.fail()] = cancelled;
    assert.equal(draft.event_type, 'approval_vote_cancelled');
    assert.equal(draft.actor, 'bob of finance');
    assert.deepEqual(draft.payload, {
      approval_id: STATE.proposal.approval_id,
      run_id: 'run-7',
      suspension_id: 'question-1',
      principal: 'alice',
      version: 1,
      proposal_hash: 'hash 1',
      edited_by: 'bob',
      edited_version: 2,
      edited_hash: 'hash 2',
    });
  });

  it('names nobody where nobody has voted for the new version', () => {
    const { known } = logAfter([OPEN, cast(1, voter('alice'))]);
    const { cancelled, cast: votes } = logVotes(STATE, OPEN, cast(2), known);
    assert.deepEqual(votes, []);
    const [{ draft } = assert.fail()] = cancelled;
    assert.equal(draft.actor, 'holdpoint');
    assert.equal('edited_by' in draft.payload, false);
  });
});
