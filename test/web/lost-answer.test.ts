import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Vote } from '../../contracts/decision.js';
import { fateOf } from '../../web/src/state/lost-answer.js';
import type { LostAnswer } from '../../web/src/state/lost-answer.js';

const LOST = { sent: { question_version: 2 }, since: 1_000 };
const OPEN = { state: 'pending', question_version: 2, votes: [] } as const;
const READ_LATER = 1_001;

function voteOf(principal: string): Vote {
  const counted_at = '2026-11-25T10:00:00.000Z';
  return { principal, actor: principal, value: 'approved', question_version: 2, counted_at };
}

describe('an answer whose reply was lost', () => {
  const fate = (view: object = {}, readAt = READ_LATER, lost: LostAnswer = LOST) =>
    fateOf(lost, { ...OPEN, ...view }, readAt, 'alice');

  it('is in doubt, also by a view that was read before it counted and came after it was lost', () => {
    assert.equal(fate({}, LOST.since), 'away');
    assert.equal(fate(), 'unseen');
    assert.equal(fate({ votes: [voteOf('root')] }), 'unseen');
    assert.equal(fate({ question_version: 1 }), 'unseen');
  });

  it('is in no doubt where the question ended, shows it, or has another version', () => {
    assert.equal(fate({ state: 'settled' }, LOST.since), 'over');
    assert.equal(fate({ votes: [voteOf('alice')] }), 'over');
    assert.equal(fate({ question_version: 3 }), 'over');
  });

  it('is in doubt where it edits what its sender has voted on, until there is a new version', () => {
    const votes = [voteOf('alice')];
    const edit = { ...LOST, sent: { ...LOST.sent, edits: [] } };
    assert.equal(fate({ votes }, READ_LATER, edit), 'unseen');
    assert.equal(fate({ votes, question_version: 3 }, READ_LATER, edit), 'over');
  });
});
