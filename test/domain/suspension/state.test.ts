import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonValue } from '../../../contracts/primitives.js';
import type { SuspensionRecord } from '../../../contracts/suspension.js';
import { scheduleOf } from '../../../domain/suspension/schedule.js';
import {
  judgeAnswer,
  judgeCancel,
  settleDue,
  settlementOf,
  type SuspensionState,
} from '../../../domain/suspension/state.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { granted, INTENT_ID, OPENED_AT, recordWith, refused, settledWith } from '../samples.js';

const OPENED = toMillis(OPENED_AT);
const HOUR = 3_600_000;
const POLICY = {
  max_attempts: 3,
  interval_seconds: 3_600,
  strategy: 'fixed',
  escalation_ladder: [],
  final_fallback_policy: 'fail',
} as const;
const LADDERED = recordWith({ retry_policy: { ...POLICY, escalation_ladder: [] } });
const SCHEDULE = scheduleOf(LADDERED);

function stateWith(attempt: number, record: SuspensionRecord = LADDERED): SuspensionState {
  return { intent_id: INTENT_ID, record, attempt };
}

function answerWith(value: JsonValue, key = 'a:1') {
  const by = { responded_by: 'alice', submitted_by: 'alice' };
  return { intent_id: INTENT_ID, value, ...by, answer: { key, body_hash: 'hash' } };
}

const CHOICE = recordWith({
  response_type: 'choice',
  choices: [
    { value: 'approve', label: 'Approve refund', description: 'All of it' },
    { value: 'deny', label: 'Deny refund' },
  ],
});

describe('what is due', () => {
  /** Attempt of the state, time since opening, the attempts (negative: skipped), whether it expired. */
  const rows: readonly (readonly [number, number, readonly number[], boolean])[] = [
    [0, -1, [], false],
    [0, 0, [1], false],
    [1, 0, [], false],
    [1, HOUR - 1, [], false],
    [1, HOUR, [2], false],
    [2, HOUR, [], false],
    [1, 2 * HOUR, [-2, 3], false],
    [0, 2 * HOUR + 1, [-1, -2, 3], false],
    [3, 3 * HOUR - 1, [], false],
    [3, 3 * HOUR, [], true],
    [1, 3 * HOUR, [-2, -3], true],
    [0, 90 * HOUR, [-1, -2, -3], true],
    [2, 0, [], false],
  ];
  for (const [attempt, since, expected, expired] of rows) {
    it(`is [${expected.join(', ')}] from attempt ${attempt} after ${since} ms [AM-48, R26-49]`, () => {
      const due = settleDue(stateWith(attempt), SCHEDULE, OPENED + since);
      const told = due.attempts.map(({ attempt: one, skipped }) =>
        skipped ? -one.attempt : one.attempt,
      );
      assert.deepEqual(told, expected);
      assert.equal(due.expired, expired);
      assert.equal(due.state.record.resolution, expired ? 'expired' : undefined);
      const latest = Math.max(attempt, ...expected.map((one) => Math.abs(one)));
      assert.equal(due.state.attempt, latest);
    });
  }

  it('skips the latest attempt too when an answer ends it [AM-48]', () => {
    const { attempts } = settleDue(stateWith(1), SCHEDULE, OPENED + 2 * HOUR, true);
    assert.deepEqual(
      attempts.map(({ skipped }) => skipped),
      [true, true],
    );
  });

  it('never expires without a deadline [R25-43]', () => {
    const record = recordWith();
    const due = settleDue(stateWith(1, record), scheduleOf(record), OPENED + 1e6 * HOUR);
    assert.deepEqual(due, { state: stateWith(1, record), attempts: [], expired: false });
  });

  it('expires by the clock, without an answer [AM-03]', () => {
    const { state } = settleDue(stateWith(3), SCHEDULE, OPENED + 3 * HOUR + 5);
    assert.deepEqual(state.record, {
      ...LADDERED,
      resolution: 'expired',
      settled_by: 'clock',
      settled_at: '2026-03-24T13:00:00.005Z',
    });
  });

  it('leaves a settled question alone', () => {
    const state = stateWith(1, settledWith());
    assert.deepEqual(settleDue(state, SCHEDULE, OPENED + 90 * HOUR), {
      state,
      attempts: [],
      expired: false,
    });
  });
});

describe('judging an answer', () => {
  it('settles the question in the name of its operator [R25-73, R25-74]', () => {
    const answer = { ...answerWith('approve'), submitted_by: 'admin', metadata: { ticket: 7 } };
    const { state, accepted, repeated } = granted(
      judgeAnswer(stateWith(2, CHOICE), answer, OPENED),
    );
    assert.equal(repeated, false);
    assert.deepEqual(state.record, {
      ...CHOICE,
      resolution: 'responded',
      settled_by: 'operator',
      settled_at: OPENED_AT,
      response: 'approve',
      responded_at: OPENED_AT,
      responded_by: 'alice',
      submitted_by: 'admin',
      metadata: { ticket: 7 },
    });
    assert.deepEqual(accepted, {
      answer: answer.answer,
      result: {
        intent_id: INTENT_ID,
        suspension_id: CHOICE.id,
        resolution: 'responded',
        value: 'approve',
        choice_label: 'Approve refund',
        choice_description: 'All of it',
        responded_by: 'alice',
        responded_at: OPENED_AT,
        metadata: { ticket: 7 },
      },
    });
    assert.deepEqual(state.accepted, accepted);
  });

  it('refuses another intent before anything else [AM-15]', () => {
    const answer = { ...answerWith('neither'), intent_id: 'other' };
    const refusal = refused(judgeAnswer(stateWith(1, settledWith()), answer, OPENED));
    assert.equal(refusal.code, 'suspension_mismatch');
    assert.equal(refusal.state, undefined);
  });

  it('refuses a settled question before the value, with its end [AM-15, AM-47]', () => {
    const refusal = refused(judgeAnswer(stateWith(1, settledWith()), answerWith(''), OPENED));
    assert.equal(refusal.code, 'suspension_settled');
    assert.deepEqual(refusal.state, {
      resolution: 'responded',
      settled_at: '2026-03-24T10:30:00.000Z',
      responded_by: 'alice@example.com',
      responded_at: '2026-03-24T10:30:00.000Z',
      value: 'go ahead',
    });
  });

  it('refuses a value that is no choice, naming them [R25-75, R25-85]', () => {
    const refusal = refused(
      judgeAnswer(stateWith(1, CHOICE), answerWith('Approve refund'), OPENED),
    );
    assert.equal(refusal.code, 'invalid_value');
    assert.deepEqual(refusal.valid_choices, ['approve', 'deny']);
  });

  it('repeats the result of a key that counted [AM-47]', () => {
    const first = granted(judgeAnswer(stateWith(1, CHOICE), answerWith('approve'), OPENED));
    const again = granted(judgeAnswer(first.state, answerWith('deny'), OPENED + HOUR));
    assert.deepEqual(again, { ...first, repeated: true });
  });

  it('refuses another key with the same value [AM-47, R26-90]', () => {
    const first = granted(judgeAnswer(stateWith(1, CHOICE), answerWith('approve'), OPENED));
    const other = refused(judgeAnswer(first.state, answerWith('approve', 'a:2'), OPENED + HOUR));
    assert.equal(other.code, 'suspension_settled');
  });
});

describe('judging a withdrawal', () => {
  const cancel = { intent_id: INTENT_ID, cancelled_by: 'agent-1', settled_by: 'agent' } as const;

  for (const reason of [undefined, 'no longer needed']) {
    it(`cancels ${reason === undefined ? 'without' : 'with'} a reason [AM-34]`, () => {
      const input = { ...cancel, ...(reason !== undefined && { reason }) };
      const { record, state } = granted(judgeCancel(stateWith(1), input, OPENED));
      assert.deepEqual(settlementOf(record), {
        resolution: 'cancelled',
        settled_by: 'agent',
        settled_at: OPENED_AT,
        submitted_by: 'agent-1',
        ...(reason !== undefined && { reason }),
      });
      assert.deepEqual(state.record, record);
    });
  }

  it('refuses what is settled or not its own [AM-34]', () => {
    const settled = refused(judgeCancel(stateWith(1, settledWith()), cancel, OPENED));
    const foreign = refused(judgeCancel(stateWith(1), { ...cancel, intent_id: 'x' }, OPENED));
    assert.deepEqual([settled.code, foreign.code], ['suspension_settled', 'suspension_mismatch']);
  });
});
