import assert from 'node:assert/strict';
import { endedByDeadline } from '../../../contracts/constants/fallback.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { endSuspension } from '../../../domain/intent/suspension.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { judgeAnswer } from '../../../domain/suspension/answering/answer.js';
import type { Notes } from '../../../domain/suspension/answering/response.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import {
  expireForDeadline,
  isDeadline,
  isSettled,
  judgeCancel,
  settleDue,
  settlementOf,
  type SuspensionState,
  withdrawalBy,
} from '../../../domain/suspension/record/state.js';
import { caller } from '../../support/callers.js';
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
  const by = { responded_by: 'alice', by: caller('alice', 'operator') };
  return { intent_id: INTENT_ID, value, ...by, answer: { key, body_hash: 'hash' } };
}

const CHOICE = recordWith({
  response_type: 'choice',
  choices: [
    { value: 'approve', label: 'Approve refund', description: 'All of it' },
    { value: 'deny', label: 'Deny refund' },
  ],
});

describe('an answer to a question with a schema [JC-42]', () => {
  const response_schema = { properties: { amount: { type: 'number' } }, required: ['amount'] };
  const gate = { ...CHOICE, response_schema };
  const judge = (record: SuspensionRecord, value: JsonValue, notes?: Notes) =>
    judgeAnswer(stateWith(1, record), { ...answerWith(value), ...notes }, OPENED);

  it('counts where its data fit', () => {
    granted(judge(gate, 'approve', { data: { amount: 1 }, comment: 'ok' }));
  });

  for (const [what, notes, field] of [
    ['do not fit', { data: { amount: '1' } }, 'data.amount'],
    ['lack what is required', { data: {} }, 'data'],
    ['are missing', {}, 'data'],
  ] as const) {
    it(`is refused where its data ${what}`, () => {
      const refusal = refused(judge(gate, 'approve', notes));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_value', field]);
    });
  }

  it('is checked for its decision first [JC-41]', () => {
    assert.equal(refused(judge(gate, 'maybe', {})).field, 'value');
  });

  it('is judged by its value for a form', () => {
    const form = recordWith({ response_type: 'form', response_schema });
    granted(judge(form, { amount: 1 }));
    assert.equal(
      refused(judge(form, { amount: '1' }, { data: { amount: 1 } })).field,
      'value.amount',
    );
  });
});

describe('the size of an answer', () => {
  const judge = (value: JsonValue, metadata?: JsonObject) => {
    const state = stateWith(1, recordWith({ response_type: 'form' }));
    return judgeAnswer(state, { ...answerWith(value), ...(metadata && { metadata }) }, OPENED);
  };
  const ROOM = LIMITS.answerBytes - jsonBytes(['', {}]);

  it('counts its value and its metadata', () => {
    granted(judge('x'.repeat(ROOM), {}));
    for (const [value, metadata] of [
      ['x'.repeat(ROOM + 1), {}],
      ['', { note: 'x'.repeat(ROOM) }],
    ] as const) {
      const refusal = refused(judge(value, metadata));
      assert.deepEqual([refusal.code, refusal.field], ['answer_too_large', 'value']);
      assert.match(refusal.accepted ?? '', /^at most 65536 bytes/);
    }
  });
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
    const answer = {
      ...answerWith('approve'),
      by: caller('admin', 'admin'),
      metadata: { ticket: 7 },
    };
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
    assert.equal(refusal.detail, 'The question was answered.');
    assert.deepEqual(refusal.state, {
      resolution: 'responded',
      settled_at: '2026-03-24T10:30:00.000Z',
      responded_by: 'alice@example.com',
      responded_at: '2026-03-24T10:30:00.000Z',
      value: 'go ahead',
    });
  });

  it('refuses a question that nobody answered with its end alone', () => {
    const { response: _, responded_at: __, responded_by: ___, ...expired } = settledWith();
    const state = stateWith(1, { ...expired, resolution: 'expired' });
    const refusal = refused(judgeAnswer(state, answerWith('x'), OPENED));
    assert.equal(refusal.detail, 'The question has expired.');
    assert.deepEqual(refusal.state, {
      resolution: 'expired',
      settled_at: '2026-03-24T10:30:00.000Z',
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

describe('the settlement of a question', () => {
  it('is what settling added to the record', () => {
    const metadata = { ticket: 7 };
    assert.deepEqual(settlementOf(settledWith({ metadata, submitted_by: 'admin' })), {
      resolution: 'responded',
      settled_by: 'operator',
      settled_at: '2026-03-24T10:30:00.000Z',
      response: 'go ahead',
      responded_at: '2026-03-24T10:30:00.000Z',
      responded_by: 'alice@example.com',
      submitted_by: 'admin',
      metadata,
    });
  });
});

describe('judging a withdrawal', () => {
  const cancel = { intent_id: INTENT_ID, cancelled_by: 'agent-1', settled_by: 'agent' } as const;

  for (const reason of [undefined, 'no longer needed']) {
    it(`cancels ${reason === undefined ? 'without' : 'with'} a reason [AM-34]`, () => {
      const input = { ...cancel, ...(reason !== undefined && { reason }) };
      const { record, state } = granted(judgeCancel(stateWith(1), input, OPENED));
      assert.equal('reason' in record, reason !== undefined);
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

  it('is for who asked, or an admin, and tells which of them it was [AM-34]', () => {
    const about = { intent_id: INTENT_ID, reason: 'moot' };
    const wanted = (by: Caller) => withdrawalBy({ ...about, by }, 'agent-1');
    for (const [by, settled_by] of [
      [caller('agent-1'), 'agent'],
      [caller('agent-1', 'admin'), 'agent'],
      [caller('root', 'admin'), 'admin'],
    ] as const) {
      const withdrawal = granted(wanted(by));
      assert.deepEqual(withdrawal, { ...about, cancelled_by: by.principal, settled_by });
    }
    for (const by of [caller('agent-2'), caller('alice', 'operator'), caller('x', 'auditor')]) {
      assert.equal(refused(wanted(by)).code, 'forbidden');
    }
  });

  it('refuses what is settled or not its own [AM-34]', () => {
    const settled = refused(judgeCancel(stateWith(1, settledWith()), cancel, OPENED));
    const foreign = refused(judgeCancel(stateWith(1), { ...cancel, intent_id: 'x' }, OPENED));
    assert.deepEqual([settled.code, foreign.code], ['suspension_settled', 'suspension_mismatch']);
    const ended = { ...settledWith(), resolution: 'cancelled' } as const;
    const again = refused(judgeCancel(stateWith(1, ended), cancel, OPENED));
    assert.equal(again.detail, 'The question was withdrawn.');
  });
});

const DEADLINE = '2026-03-24T10:20:00.000Z';
const FALLBACK = { fallback_policy: 'complete_with_fallback', fallback_value: 'deny' } as const;

function ended() {
  const state = { intent_id: INTENT_ID, record: recordWith(FALLBACK), attempt: 1 };
  const record = expireForDeadline(state, toMillis(DEADLINE))?.record ?? assert.fail();
  return isSettled(record) ? record : assert.fail();
}

describe('the deadline of a portfolio and a question', () => {
  it('expires it by the clock, and says why [AM-38]', () => {
    assert.deepEqual(ended(), {
      ...recordWith(FALLBACK),
      resolution: 'expired',
      settled_by: 'clock',
      settled_at: DEADLINE,
      reason: 'portfolio_deadline',
    });
    assert.ok(endedByDeadline(ended()));
  });

  it('changes nothing where it is settled', () => {
    const state = { intent_id: INTENT_ID, record: settledWith(), attempt: 1 };
    assert.equal(expireForDeadline(state, toMillis(DEADLINE)), undefined);
  });

  it('abandons the intent past a fallback that would have gone on [R26-27, R26-28, R26-29]', () => {
    const request = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;
    const identity = {
      id: INTENT_ID,
      created_by: 'agent-1',
      owner: 'agent-1',
      created_at: OPENED_AT,
    };
    const { intent, events } = endSuspension(newIntent(request, identity), ended(), 1, DEADLINE);
    assert.equal(intent.status, 'abandoned');
    assert.equal(intent.abandonment_reason, 'portfolio_deadline_exceeded');
    assert.deepEqual(
      events.map(({ event_type, actor, payload }) => [event_type, actor, payload['reason']]),
      [
        ['intent.suspension_expired', 'holdpoint', 'portfolio_deadline'],
        ['status_changed', 'holdpoint', 'portfolio_deadline_exceeded'],
      ],
    );
  });

  it('is not what a withdrawal with the same words is', () => {
    const record = settledWith({ resolution: 'cancelled', reason: 'portfolio_deadline' });
    assert.equal(endedByDeadline(record), false);
  });

  it('is told by a message that names portfolio and instant', () => {
    assert.ok(isDeadline({ portfolio_id: INTENT_ID, deadline: DEADLINE }));
    for (const given of [
      undefined,
      null,
      'now',
      {},
      { portfolio_id: INTENT_ID, deadline: 'now' },
      { portfolio_id: 7, deadline: DEADLINE },
    ]) {
      assert.equal(isDeadline(given), false);
    }
  });
});
