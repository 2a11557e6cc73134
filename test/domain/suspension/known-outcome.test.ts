import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Settlement } from '../../../contracts/suspension/suspension.js';
import { withOutcome } from '../../../domain/suspension/record/known-outcome.js';
import { isKnownOutcome } from '../../../domain/suspension/record/message-form.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import { ID, recordWith } from '../samples.js';

const AT = '2026-03-24T10:00:00.000Z';
const KEY = { key: 'r:1', body_hash: 'abc' } as const;
const ANSWERED: Settlement = {
  resolution: 'responded',
  settled_by: 'operator',
  settled_at: AT,
  response: 'yes',
  responded_at: AT,
  responded_by: 'dana',
  submitted_by: 'dana-key',
  comment: 'as agreed',
};
const OPEN: SuspensionState = { intent_id: 'i1', record: recordWith(), attempt: 2 };

describe('an outcome that a question has forgotten', () => {
  it('is taken over with its key, as it was judged before', () => {
    const known = { settlement: ANSWERED, answer: KEY };
    const { state, entry } = withOutcome(OPEN, known) ?? assert.fail();
    assert.deepEqual(state.record, { ...OPEN.record, ...ANSWERED });
    assert.equal(state.attempt, 2);
    const { answer, result } = state.accepted ?? assert.fail();
    assert.deepEqual(answer, KEY);
    assert.deepEqual(
      [result.suspension_id, result.intent_id, result.value, result.responded_by, result.comment],
      [ID, 'i1', 'yes', 'dana', 'as agreed'],
    );
    assert.deepEqual(entry, [
      'answer_accepted',
      { responded_by: 'dana', submitted_by: 'dana-key', comment: 'as agreed' },
      AT,
    ]);
  });

  it('has the votes of all, each with its key', () => {
    const vote = (principal: string) => ({
      principal,
      actor: principal,
      value: 'yes',
      question_version: 1,
      counted_at: AT,
    });
    const votes = [vote('ann'), vote('bob')];
    const rule = { eligible: {}, excluded: [], quorum: 2, denials: [], veto: false };
    const record = recordWith({ decision_rule: rule });
    const settlement = { ...ANSWERED, votes };
    const answers = [{ key: 'r:a', body_hash: 'a' }, KEY];
    const known = { settlement, answer: KEY, answers };
    const { state } = withOutcome({ ...OPEN, record }, known) ?? assert.fail();
    assert.deepEqual(
      state.votes?.map(({ vote: { principal }, answer }) => [principal, answer.key]),
      [
        ['ann', 'r:a'],
        ['bob', 'r:1'],
      ],
    );
    assert.deepEqual(
      [state.accepted?.result.approvals, state.accepted?.result.responded_by],
      [2, 'bob'],
    );
  });

  it('may be a withdrawal, or an end by the clock or a portfolio', () => {
    const entryOf = (settlement: Settlement) => withOutcome(OPEN, { settlement })?.entry;
    const withdrawn: Settlement = {
      resolution: 'cancelled',
      settled_by: 'agent',
      settled_at: AT,
      submitted_by: 'agent-1',
      reason: 'not needed',
    };
    assert.deepEqual(entryOf(withdrawn), [
      'cancelled',
      { cancelled_by: 'agent-1', reason: 'not needed' },
      AT,
    ]);
    const over = { resolution: 'expired', settled_by: 'clock', settled_at: AT } as const;
    const { fallback_policy } = OPEN.record;
    assert.deepEqual(entryOf(over), ['expired', { fallback_policy }, AT]);
    assert.deepEqual(entryOf({ ...over, reason: 'portfolio_deadline' }), [
      'expired',
      { reason: 'portfolio_deadline' },
      AT,
    ]);
    assert.equal(withOutcome(OPEN, { settlement: withdrawn })?.state.accepted, undefined);
  });

  it('changes nothing once the question is settled', () => {
    const record = { ...OPEN.record, resolution: 'expired', settled_by: 'clock', settled_at: AT };
    const settled = { ...OPEN, record } as SuspensionState;
    assert.equal(withOutcome(settled, { settlement: ANSWERED }), undefined);
  });

  it('is no other message', () => {
    const known = { settlement: ANSWERED, answer: KEY, answers: [KEY] };
    assert.ok(isKnownOutcome(known));
    assert.ok(isKnownOutcome({ settlement: { ...ANSWERED, votes: [] } }));
    const wrong: readonly unknown[] = [
      undefined,
      {},
      { settlement: {} },
      { settlement: { ...ANSWERED, resolution: 'lost' } },
      { settlement: { ...ANSWERED, settled_by: 7 } },
      { settlement: { ...ANSWERED, settled_at: 'today' } },
      { settlement: { ...ANSWERED, votes: 'many' } },
      { ...known, answer: 'r:1' },
      { ...known, answer: { key: 'r:1' } },
      { ...known, answers: KEY },
      { ...known, answers: [{ body_hash: 'abc' }] },
    ];
    for (const message of wrong) assert.ok(!isKnownOutcome(message), JSON.stringify(message));
  });
});
