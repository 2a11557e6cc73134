import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import {
  judgeAnswer,
  verdictOf,
  type Answer,
} from '../../../domain/suspension/answering/answer.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { caller } from '../../support/callers.js';
import { ID, INTENT_ID, OPENED_AT, granted, recordWith, refused } from '../samples.js';

const NOW = toMillis(OPENED_AT);
const CHOICES = [
  { value: 'approve', label: 'Approve refund', description: 'All of it' },
  { value: 'deny', label: 'Deny refund' },
];

function open(rule: Partial<DecisionRule>, fields: Partial<SuspensionRecord> = {}) {
  const decision_rule = { ...DEFAULT_RULE, ...rule };
  const record = recordWith({
    response_type: 'choice',
    choices: CHOICES,
    decision_rule,
    ...fields,
  });
  return { intent_id: INTENT_ID, record, attempt: 1 };
}

function answer(principal: string, value: string, fields: Partial<Answer> = {}): Answer {
  const key = { key: `r:${principal}`, body_hash: value };
  return {
    value,
    responded_by: principal,
    by: caller(principal, 'operator'),
    answer: key,
    ...fields,
  };
}

const judge = (state: ReturnType<typeof open>, given: Answer) =>
  granted(judgeAnswer(state, given, NOW));

const metadata = { note: 'called them' };
const vote = {
  principal: 'ann',
  actor: 'ann',
  value: 'approve',
  question_version: 1,
  counted_at: OPENED_AT,
};

describe('the reply to one of several votes', () => {
  it('has the label and the description of its choice, and its notes', () => {
    const state = open({ quorum: 2 });
    const given = answer('ann', 'approve', { metadata });
    const { accepted, state: after } = judge(state, given);
    assert.deepEqual(accepted, {
      answer: given.answer,
      result: {
        intent_id: INTENT_ID,
        suspension_id: ID,
        value: 'approve',
        choice_label: 'Approve refund',
        choice_description: 'All of it',
        responded_by: 'ann',
        responded_at: OPENED_AT,
        metadata,
        approvals: 1,
        required: 2,
      },
    });
    const counted = { vote: { ...vote, metadata }, answer: given.answer };
    assert.deepEqual(after, { ...state, votes: [counted] });
  });

  it('has no label, where the value has no choice of its own', () => {
    const choices = [{ value: 'yes', label: 'Ship it' }];
    const confirm = open({ quorum: 2, veto: false }, { response_type: 'confirm', choices });
    const { result } = judge(confirm, answer('ann', 'no')).accepted;
    assert.deepEqual([result.value, 'choice_label' in result], ['no', false]);
  });
});

describe('a question that an answer settles', () => {
  it('has the answer, who gave it, and every vote', () => {
    const first = judge(open({ quorum: 2 }), answer('ann', 'approve'));
    const second = judge(first.state as never, answer('bob', 'approve', { metadata }));
    const bob = { ...vote, principal: 'bob', actor: 'bob', metadata };
    assert.deepEqual(second.state.record, {
      ...open({ quorum: 2 }).record,
      resolution: 'responded',
      settled_by: 'operator',
      settled_at: OPENED_AT,
      response: 'approve',
      responded_at: OPENED_AT,
      responded_by: 'bob',
      submitted_by: 'bob',
      metadata,
      votes: [vote, bob],
    });
    assert.deepEqual(second.state.accepted, second.accepted);
    assert.equal(verdictOf(second.accepted.result), 'settled');
  });
});

describe('an answer that is refused', () => {
  const refusalOf = (fields: Partial<Answer>) =>
    refused(judgeAnswer(open({}), answer('ann', 'approve', fields), NOW));

  it('is so first for want of the right to answer at all', () => {
    const by = caller('ann', 'agent');
    assert.equal(refusalOf({ by, responded_by: 'bob' }).code, 'forbidden');
    assert.equal(refusalOf({ responded_by: 'bob' }).code, 'responded_by_mismatch');
  });
});
