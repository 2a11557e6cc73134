import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { arrivalOf, isAnswer, isWithdrawal } from '../../../domain/suspension/message-form.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { INTENT_ID, OPENED_AT } from '../samples.js';

const ANSWER = {
  intent_id: INTENT_ID,
  value: null,
  responded_by: 'alice',
  submitted_by: 'alice',
  received_at: OPENED_AT,
  answer: { key: 'a:1', body_hash: 'hash' },
};
const WITHDRAWAL = { intent_id: INTENT_ID, cancelled_by: 'agent-1', settled_by: 'agent' };

describe('messages nobody checked', () => {
  for (const [name, message] of [
    ['a null value', ANSWER],
    ['metadata', { ...ANSWER, metadata: {} }],
    ['no instant', { ...ANSWER, received_at: undefined }],
  ] as const) {
    it(`takes an answer with ${name}`, () => assert.equal(isAnswer(message), true));
  }

  for (const [name, message] of [
    ['nothing', undefined],
    ['null', null],
    ['a text', 'approve'],
    ['a list', [ANSWER]],
    ['no value', { ...ANSWER, value: undefined }],
    ['an intent that is no text', { ...ANSWER, intent_id: 1 }],
    ['a nameless operator', { ...ANSWER, responded_by: null }],
    ['a submitter that is no text', { ...ANSWER, submitted_by: 1 }],
    ['metadata that is a list', { ...ANSWER, metadata: [] }],
    ['no key', { ...ANSWER, answer: { body_hash: 'hash' } }],
    ['no hash', { ...ANSWER, answer: { key: 'a:1' } }],
    ['a key alone', { ...ANSWER, answer: 'a:1' }],
  ] as const) {
    it(`takes ${name} for no answer`, () => assert.equal(isAnswer(message), false));
  }

  it('takes an answer that came through no intent', () => {
    const { intent_id: _through, ...named } = ANSWER;
    assert.equal(isAnswer(named), true);
  });

  it('tells withdrawals from other messages', () => {
    assert.equal(isWithdrawal(WITHDRAWAL), true);
    assert.equal(isWithdrawal({ ...WITHDRAWAL, reason: 'none' }), true);
    for (const message of [null, {}, { ...WITHDRAWAL, reason: 1 }, { intent_id: INTENT_ID }]) {
      assert.equal(isWithdrawal(message), false);
    }
  });
});

describe('arrival of an answer', () => {
  const opened = toMillis(OPENED_AT);
  const now = opened + 60_000;

  for (const [name, receivedAt, expected] of [
    ['its own instant', '2026-03-24T10:00:30.000Z', opened + 30_000],
    ['its own instant without a zone', '2026-03-24T10:00:30', opened + 30_000],
    ['now, where that lies in the future', '2026-03-24T10:02:00.000Z', now],
    ['the opening, where that lies before it', '2026-03-24T09:00:00.000Z', opened],
    ['now, where there is no instant', 'yesterday', now],
    ['now, where it is no text', 17, now],
    ['now, where it is missing', undefined, now],
  ] as const) {
    it(`is ${name}`, () => assert.equal(arrivalOf(receivedAt, OPENED_AT, now), expected));
  }
});
