import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  arrivalOf,
  isAnswer,
  isWithdrawal,
} from '../../../domain/suspension/record/message-form.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { INTENT_ID, OPENED_AT } from '../samples.js';
import { caller } from '../../support/callers.js';

const ANSWER = {
  intent_id: INTENT_ID,
  value: null,
  responded_by: 'alice',
  by: caller('alice', 'operator'),
  received_at: OPENED_AT,
  answer: { key: 'a:1', body_hash: 'hash' },
};
const EDIT = { call_id: 'call-1', arguments: {} };
const ALLOWED = { risk_class: 'critical' };
const WITHDRAWAL = { intent_id: INTENT_ID, cancelled_by: 'agent-1', settled_by: 'agent' };

describe('messages nobody checked', () => {
  for (const [name, message] of [
    ['a null value', ANSWER],
    ['metadata', { ...ANSWER, metadata: {} }],
    ['a comment and data', { ...ANSWER, comment: 'ok', data: {} }],
    ['no instant', { ...ANSWER, received_at: undefined }],
    ['null for its intent', { ...ANSWER, intent_id: null }],
    ['a proposal', { ...ANSWER, proposal_hash: 'f', edits: [EDIT], edits_allowed: ALLOWED }],
    ['no edits', { ...ANSWER, edits: [] }],
    ['a claim that it knows of', { ...ANSWER, despite_claim: true }],
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
    ['no sender', { ...ANSWER, by: undefined }],
    ['a sender without a principal', { ...ANSWER, by: { ...ANSWER.by, principal: 1 } }],
    ['a sender whose roles are no list', { ...ANSWER, by: { ...ANSWER.by, roles: 'admin' } }],
    ['a sender of a group that is no text', { ...ANSWER, by: { ...ANSWER.by, groups: [1] } }],
    ['metadata that is a list', { ...ANSWER, metadata: [] }],
    ['a comment that is no text', { ...ANSWER, comment: 5 }],
    ['data that are a list', { ...ANSWER, data: [] }],
    ['no key', { ...ANSWER, answer: { body_hash: 'hash' } }],
    ['no hash', { ...ANSWER, answer: { key: 'a:1' } }],
    ['a key alone', { ...ANSWER, answer: 'a:1' }],
    ['a claim as a text', { ...ANSWER, despite_claim: 'yes' }],
    ['a proposal that is no text', { ...ANSWER, proposal_hash: 1 }],
    ['edits that are no list', { ...ANSWER, edits: EDIT }],
    ['null for its edits', { ...ANSWER, edits: null }],
    ['an edit that is null', { ...ANSWER, edits: [null] }],
    ['an edit of no call', { ...ANSWER, edits: [{ ...EDIT, call_id: undefined }] }],
    ['an edit whose arguments are a list', { ...ANSWER, edits: [{ ...EDIT, arguments: [] }] }],
    ['edits that are allowed as a text', { ...ANSWER, edits_allowed: 'low' }],
    ['edits of no risk', { ...ANSWER, edits_allowed: { risk_class: 'none' } }],
  ] as const) {
    it(`takes ${name} for no answer`, () => assert.equal(isAnswer(message), false));
  }

  it('takes an answer that came through no intent', () => {
    const { intent_id: _through, ...named } = ANSWER;
    assert.equal(isAnswer(named), true);
  });

  for (const [name, fields] of [
    ['no reason', {}],
    ['a reason', { reason: 'none' }],
    ['null for its intent', { intent_id: null }],
    ['no intent', { intent_id: undefined }],
  ] as const) {
    it(`takes a withdrawal with ${name}`, () => {
      assert.equal(isWithdrawal({ ...WITHDRAWAL, ...fields }), true);
    });
  }

  for (const [name, message] of [
    ['null', null],
    ['an empty object', {}],
    ['a reason that is no text', { ...WITHDRAWAL, reason: 1 }],
    ['an intent that is no text', { ...WITHDRAWAL, intent_id: 1 }],
    ['nobody who withdraws', { ...WITHDRAWAL, cancelled_by: undefined }],
    ['nobody who settles', { ...WITHDRAWAL, settled_by: undefined }],
  ] as const) {
    it(`takes ${name} for no withdrawal`, () => assert.equal(isWithdrawal(message), false));
  }
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
