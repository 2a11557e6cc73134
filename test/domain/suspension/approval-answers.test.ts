import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { EditedCall } from '../../../contracts/approval/approval.js';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { toMillis } from '../../../domain/kernel/time.js';
import { judgeAnswer, type Answer } from '../../../domain/suspension/answering/answer.js';
import {
  DEFAULT_RULE,
  decisionOf,
  votesOf,
} from '../../../domain/suspension/answering/decision.js';
import {
  isSettled,
  settleDue,
  settlementOf,
  type SuspensionState,
} from '../../../domain/suspension/record/state.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import { caller } from '../../support/callers.js';
import { partWith } from '../approval/wires.js';
import { ID, OPENED_AT, granted, recordWith, refused } from '../samples.js';

const NOW = toMillis(OPENED_AT);
const LESS: EditedCall = { call_id: 'call-1', arguments: { amount: 100, to: 'DE1' } };
const ALLOWED = { risk_class: 'low' } as const;

function open(rule: Partial<DecisionRule> = {}, fields: Partial<SuspensionRecord> = {}) {
  const choices = ['approved', 'rejected'].map((value) => ({ value, label: value }));
  const decision_rule = { ...DEFAULT_RULE, quorum: 2, denials: ['rejected'], ...rule };
  const approval = partWith();
  const record = recordWith({
    response_type: 'choice',
    choices,
    decision_rule,
    approval,
    ...fields,
  });
  return { intent_id: null, record, attempt: 1 };
}

/** What is asked about now. */
const current = ({ record }: SuspensionState) => record.approval?.proposal_hash ?? '';

function vote(
  state: SuspensionState,
  principal: string,
  value = 'approved',
  fields: Partial<Answer> = {},
): Answer {
  return {
    value,
    responded_by: principal,
    by: caller(principal, 'operator'),
    proposal_hash: current(state),
    answer: { key: `r:${principal} ${value} ${current(state)}`, body_hash: '' },
    ...fields,
  };
}

const edited = (state: SuspensionState, principal: string, edit = LESS) =>
  vote(state, principal, 'approved', { edits: [edit], edits_allowed: ALLOWED });

const judge = (state: SuspensionState, answer: Answer) => judgeAnswer(state, answer, NOW);
const votesIn = ({ votes = [] }: SuspensionState) => votes.map(({ vote: counted }) => counted);
const names = (state: SuspensionState) => votesIn(state).map(({ principal }) => principal);

describe('a vote on an approval', () => {
  it('names what it decides on [A54-20, JC-40]', () => {
    const state = open();
    const { proposal_hash: _hash, ...bare } = vote(state, 'alice');
    assert.equal(refused(judge(state, bare)).code, 'missing_proposal_hash');
    const { proposal_hash } = partWith({ approval_id: 'another, of the same calls' });
    const other = vote(state, 'alice', 'approved', { proposal_hash });
    const refusal = refused(judge(state, other));
    assert.deepEqual(
      [refusal.code, refusal.state],
      ['proposal_hash_mismatch', { proposal_hash: current(state), version: 1 }],
    );
    assert.equal(granted(judge(state, vote(state, 'alice'))).verdict, 'counted');
  });

  it('is told how many agree, also where one is enough', () => {
    const state = open({ quorum: 1 });
    const { accepted, state: after } = granted(judge(state, vote(state, 'alice')));
    assert.deepEqual(accepted.result, {
      intent_id: null,
      suspension_id: ID,
      resolution: 'responded',
      value: 'approved',
      choice_label: 'approved',
      responded_by: 'alice',
      responded_at: OPENED_AT,
      approvals: 1,
      required: 1,
    });
    assert.equal(votesOf(after.record)[0]?.question_version, 1);
  });
});

describe('a vote with edits', () => {
  it('makes a new version, for which the votes before do not count', () => {
    const { state } = granted(judge(open(), vote(open(), 'alice')));
    const { state: after, verdict, accepted } = granted(judge(state, edited(state, 'bob')));
    assert.equal(verdict, 'counted');
    assert.deepEqual([accepted.result.approvals, accepted.result.required], [1, 2]);
    assert.deepEqual(names(after), ['bob']);
    assert.equal(after.votes?.[0]?.vote.question_version, 2);
    assert.deepEqual(after.record.approval?.proposal.calls[0]?.arguments, LESS.arguments);
    assert.notEqual(current(after), current(state));
    const view = decisionOf(after.record, 1, votesIn(after));
    assert.deepEqual([view.question_version, view.approvals], [2, 1]);
    const done = granted(judge(after, vote(after, 'alice', 'approved', { question_version: 2 })));
    assert.deepEqual([done.verdict, names(done.state)], ['settled', ['bob', 'alice']]);
    assert.ok(isSettled(done.state.record));
    assert.deepEqual(settlementOf(done.state.record).approval, after.record.approval);
  });

  it('refuses a vote for the version before, and tells the hash of the new one [A54-20]', () => {
    const late = vote(open(), 'alice');
    const { state } = granted(judge(open(), edited(open(), 'bob')));
    const refusal = refused(judge(state, late));
    assert.deepEqual(
      [refusal.code, refusal.state],
      ['proposal_hash_mismatch', { proposal_hash: current(state), version: 2 }],
    );
    const named = vote(state, 'alice', 'approved', { question_version: 1 });
    const versioned = refused(judge(state, named));
    assert.deepEqual(
      [versioned.code, versioned.accepted, versioned.state],
      ['question_version_mismatch', '2', { question_version: 2 }],
    );
  });

  it('may be that of somebody who has voted before', () => {
    const { state } = granted(judge(open(), vote(open(), 'alice')));
    const { state: after } = granted(judge(state, edited(state, 'alice')));
    assert.deepEqual(names(after), ['alice']);
    const again = granted(judge(after, edited(state, 'alice')));
    assert.deepEqual([again.repeated, again.state], [true, after]);
  });

  it('settles at once where one is enough', () => {
    const state = open({ quorum: 1 });
    const { verdict, state: after, accepted } = granted(judge(state, edited(state, 'alice')));
    assert.deepEqual([verdict, accepted.result.approvals], ['settled', 1]);
    assert.equal(after.record.approval?.proposal.version, 2);
    assert.equal(after.votes, undefined);
    assert.equal(votesOf(after.record)[0]?.question_version, 2);
  });

  it('counts only from who may vote, and as the rules allow', () => {
    const state = open({ excluded: ['bot'] });
    assert.equal(refused(judge(state, edited(state, 'bot'))).code, 'not_eligible');
    const { edits_allowed: _allowed, ...unjudged } = edited(state, 'alice');
    assert.equal(refused(judge(state, unjudged)).code, 'edit_not_allowed');
    const rejecting = { ...edited(state, 'alice'), value: 'rejected' };
    assert.equal(refused(judge(state, rejecting)).code, 'invalid_edit');
  });

  it('that changes nothing is a vote like any other', () => {
    const { state } = granted(judge(open(), vote(open(), 'alice')));
    const same = { call_id: 'call-1', arguments: { to: 'DE1', amount: 900 } };
    const { verdict, state: after } = granted(judge(state, edited(state, 'bob', same)));
    assert.deepEqual([verdict, after.record.approval], ['settled', state.record.approval]);
  });

  it('is in what silence ends', () => {
    const { state } = granted(judge(open({}, { timeout_seconds: 60 }), edited(open(), 'bob')));
    const end = settleDue(state, scheduleOf(state.record), NOW + 60_000).state.record;
    assert.ok(isSettled(end));
    assert.equal(end.resolution, 'expired');
    assert.equal(settlementOf(end).approval?.proposal.version, 2);
    assert.deepEqual(settlementOf(end).votes?.length, 1);
  });
});

describe('a question without a proposal', () => {
  const { approval: _approval, ...record } = open({ quorum: 1 }).record;
  const state = { intent_id: null, record, attempt: 1 };
  const { proposal_hash: _hash, ...plain } = vote(state, 'alice');

  it('is answered as ever', () => {
    const { accepted, state: after } = granted(judge(state, plain));
    assert.deepEqual(Object.keys(accepted.result).sort(), [
      'choice_label',
      'intent_id',
      'resolution',
      'responded_at',
      'responded_by',
      'suspension_id',
      'value',
    ]);
    assert.equal('approval' in settlementOf(after.record as never), false);
    granted(judge(state, { ...plain, edits: [] }));
  });

  it('takes neither a hash nor edits', () => {
    const hash = { ...plain, proposal_hash: '0'.repeat(64) };
    assert.equal(refused(judge(state, hash)).code, 'proposal_hash_mismatch');
    const refusal = refused(judge(state, { ...plain, edits: [LESS], edits_allowed: ALLOWED }));
    assert.deepEqual([refusal.code, refusal.field], ['invalid_edit', 'edits']);
  });
});
