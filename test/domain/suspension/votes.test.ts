import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import { judgeAnswer, type Answer } from '../../../domain/suspension/answering/answer.js';
import { DEFAULT_RULE, isDecided, votesOf } from '../../../domain/suspension/answering/decision.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { toMillis } from '../../../domain/kernel/time.js';
import {
  cancelledPayload,
  expiredPayload,
  resumedPayload,
  suspendedPayload,
} from '../../../domain/suspension/record/events.js';
import { scheduleOf } from '../../../domain/suspension/asking/schedule.js';
import {
  expireForDeadline,
  isSettled,
  judgeCancel,
  settleDue,
  settlementOf,
  type SuspensionState,
} from '../../../domain/suspension/record/state.js';
import { caller } from '../../support/callers.js';
import { INTENT_ID, OPENED_AT, granted, recordWith, refused } from '../samples.js';

const OPENED = toMillis(OPENED_AT);
const SECOND = 1_000;
const VALUES = ['approve', 'deny', 'later'];

function open(rule: Partial<DecisionRule>, fields: Partial<SuspensionRecord> = {}) {
  const decision_rule = { ...DEFAULT_RULE, quorum: 2, denials: ['deny'], ...rule };
  const choices = VALUES.map((value) => ({ value, label: `To ${value}` }));
  const record = recordWith({ response_type: 'choice', choices, decision_rule, ...fields });
  return { intent_id: INTENT_ID, record, attempt: 1 };
}

function answer(principal: string, value = 'approve', fields: Partial<Answer> = {}): Answer {
  const key = { key: `r:${principal} ${value}`, body_hash: `${principal} ${value}` };
  const by = caller(principal, 'operator');
  return { value, responded_by: principal, by, answer: key, ...fields };
}

const judge = (state: SuspensionState, given: Answer, askers?: string[]) =>
  judgeAnswer(state, given, OPENED, askers);

describe('votes', () => {
  it('count until enough people agree [AM-58]', () => {
    const first = granted(judge(open({}), answer('alice')));
    assert.deepEqual([first.verdict, first.repeated], ['counted', false]);
    assert.ok(!isSettled(first.state.record));
    const second = granted(judge(first.state, answer('bob')));
    assert.equal(second.verdict, 'settled');
    const { resolution, approvals, required } = second.accepted.result;
    assert.deepEqual([resolution, approvals, required], ['responded', 2, 2]);
    const { record } = second.state;
    assert.ok(isSettled(record));
    assert.deepEqual([record.response, record.responded_by], ['approve', 'bob']);
    const votes = settlementOf(record).votes?.map(({ principal }) => principal);
    assert.deepEqual(votes, ['alice', 'bob']);
  });

  it('end with the first denial, if one denies for all [AM-58]', () => {
    const first = granted(judge(open({}), answer('alice')));
    const second = granted(judge(first.state, answer('bob', 'deny')));
    assert.equal(second.verdict, 'settled');
    assert.equal(second.accepted.result.approvals, 1);
    assert.equal(second.state.record.response, 'deny');
  });

  it('count once for a person, through whichever key or API they come', () => {
    const { state, accepted } = granted(judge(open({}), answer('alice')));
    const other = { key: 'a:other', body_hash: 'other' };
    const again = granted(judge(state, answer('alice', 'approve', { answer: other })));
    assert.deepEqual([again.repeated, again.verdict, again.state], [true, 'counted', state]);
    assert.deepEqual(again.accepted, { answer: other, result: accepted.result });
  });

  it('do not change [AM-58]', () => {
    const { state } = granted(judge(open({}), answer('alice')));
    const refusal = refused(judge(state, answer('alice', 'later')));
    const { code, field, accepted } = refusal;
    assert.deepEqual([code, field, accepted], ['already_voted', 'value', 'the answer that counts']);
    assert.deepEqual(refusal.state, { value: 'approve', counted_at: OPENED_AT });
  });

  it('get their first reply again under their key, also when all is settled', () => {
    const first = granted(judge(open({}), answer('alice')));
    const { state } = granted(judge(first.state, answer('bob')));
    const again = granted(judge(state, answer('alice')));
    assert.deepEqual([again.repeated, again.verdict], [true, 'counted']);
    assert.deepEqual(again.accepted, first.accepted);
    const last = granted(judge(state, answer('bob')));
    assert.deepEqual([last.repeated, last.verdict], [true, 'settled']);
    const late = { answer: { key: 'a:late', body_hash: '' } };
    assert.equal(
      refused(judge(state, answer('alice', 'approve', late))).code,
      'suspension_settled',
    );
  });

  it('are for the version of the question that they name', () => {
    granted(judge(open({}), answer('alice', 'approve', { question_version: 1 })));
    const refusal = refused(judge(open({}), answer('alice', 'approve', { question_version: 2 })));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      ['question_version_mismatch', 'question_version', '1'],
    );
    assert.deepEqual(refusal.state, { question_version: 1 });
  });

  it('have little room for notes, because all are kept', () => {
    const room = LIMITS.voteBytes - jsonBytes(['approve', { note: '' }]);
    const noted = (length: number) => ({ metadata: { note: 'x'.repeat(length) } });
    const { state } = granted(judge(open({}), answer('alice', 'approve', noted(room))));
    assert.equal(state.votes?.[0]?.vote.metadata?.['note'], 'x'.repeat(room));
    const refusal = refused(judge(open({}), answer('alice', 'approve', noted(room + 1))));
    assert.equal(refusal.code, 'answer_too_large');
  });

  it('are together no larger than one answer may be', () => {
    const principal = 'é'.repeat(LIMITS.nameCharacters);
    const given = answer(principal, 'approve', { metadata: { note: 'x'.repeat(900) } });
    const { state } = granted(judge(open({}), given));
    const one = jsonBytes(state.votes?.map(({ vote }) => vote));
    assert.ok(one * LIMITS.votes <= LIMITS.answerBytes, `${one} bytes`);
  });

  it('are of people only, and of those who are eligible', () => {
    const agent = answer('agent-1', 'approve', { by: caller('agent-1', 'agent') });
    assert.equal(refused(judge(open({}), agent)).code, 'forbidden');
    const bob = answer('alice', 'approve', { responded_by: 'bob' });
    assert.equal(refused(judge(open({}), bob)).code, 'responded_by_mismatch');
    const state = open({ eligible: { principals: ['bob'] } });
    assert.equal(refused(judge(state, answer('alice'))).code, 'not_eligible');
    const separate = answer('alice', 'approve', { separation_of_duties: true });
    assert.equal(refused(judge(open({}), separate, ['alice'])).code, 'not_eligible');
    granted(judge(open({}), answer('alice'), ['alice']));
  });

  it('count for whom somebody, or the ladder, makes eligible later', () => {
    const state = open({ eligible: { principals: ['bob'] } });
    const eligibility = { eligible: { principals: ['alice'] }, attempt: 1 };
    granted(judge({ ...state, eligibility }, answer('alice')));
    assert.equal(refused(judge({ ...state, eligibility }, answer('bob'))).code, 'not_eligible');
  });
});

describe('events of a question that several people decide', () => {
  const vote = { principal: 'alice', actor: 'alice', value: 'approve', question_version: 1 };
  const voted = { ...vote, counted_at: OPENED_AT };
  const record = { ...open({}).record, votes: [{ ...voted, metadata: { note: 'private' } }] };
  const end = { settled_by: 'clock', settled_at: OPENED_AT } as const;

  it('name the rule and the votes, without notes', () => {
    assert.ok(record.decision_rule);
    assert.deepEqual(suspendedPayload(record)['decision_rule'], record.decision_rule);
    const payloads = [
      resumedPayload(INTENT_ID, { ...record, ...end, resolution: 'responded' }, 1),
      expiredPayload({ ...record, ...end, resolution: 'expired' }, 1),
      cancelledPayload({ ...record, ...end, resolution: 'cancelled' }),
    ];
    for (const payload of payloads) assert.deepEqual(payload['votes'], [voted]);
  });
});

type Step =
  | { readonly does: 'answer'; readonly who: number; readonly value: number; readonly key: number }
  | { readonly does: 'wait'; readonly seconds: number }
  | { readonly does: 'withdraw' | 'deadline' };

const PEOPLE = ['ann', 'ben', 'cid', 'dan', 'excluded', 'agent'];
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      who: fc.nat(PEOPLE.length - 1),
      value: fc.nat(VALUES.length - 1),
      key: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('wait' as const), seconds: fc.nat(40) }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'withdraw' as const }) },
  { weight: 1, arbitrary: fc.constant({ does: 'deadline' as const }) },
);
const rules = fc.record({ quorum: fc.integer({ min: 1, max: 3 }), veto: fc.boolean() });

/** A question with what has become of it so far. */
class Course {
  readonly settlements: SuspensionRecord[] = [];
  readonly counted: string[] = [];
  state: SuspensionState;
  private now = OPENED;

  constructor(rule: Partial<DecisionRule>) {
    this.state = open({ ...rule, excluded: ['excluded'] }, { timeout_seconds: 100 });
  }

  take(next: Step): void {
    const { record } = this.state;
    if (next.does === 'wait') this.now += next.seconds * SECOND;
    this.move(settleDue(this.state, scheduleOf(record), this.now).state);
    if (next.does === 'answer') this.answer(next);
    if (next.does === 'deadline') this.move(expireForDeadline(this.state, this.now) ?? this.state);
    if (next.does !== 'withdraw') return;
    const ruling = judgeCancel(this.state, { cancelled_by: 'x', settled_by: 'admin' }, this.now);
    if (ruling.ok) this.move(ruling.value.state);
  }

  private answer({ who, value, key }: Extract<Step, { does: 'answer' }>): void {
    const name = PEOPLE[who] ?? '';
    const by = caller(name, name === 'agent' ? 'agent' : 'operator');
    const given = answer(name, VALUES[value], { by });
    const keyed = { ...given, answer: { ...given.answer, key: `${given.answer.key} ${key}` } };
    const ruling = judgeAnswer(this.state, keyed, this.now);
    if (!ruling.ok) return;
    if (!ruling.value.repeated) this.counted.push(name);
    this.move(ruling.value.state);
  }

  private move(state: SuspensionState): void {
    const isNews = isSettled(state.record) && !isSettled(this.state.record);
    if (isSettled(this.state.record)) assert.deepEqual(state.record, this.state.record);
    this.state = state;
    if (isNews) this.settlements.push(state.record);
  }
}

function courseOf(rule: Partial<DecisionRule>, steps: readonly Step[]): Course {
  const course = new Course(rule);
  for (const one of steps) course.take(one);
  return course;
}

describe('any order of votes, timeouts and withdrawals', () => {
  const any = fc.array(step, { maxLength: 30 });

  it('settles a question at most once, and an answer only when it is decided', () => {
    fc.assert(
      fc.property(rules, any, (rule, steps) => {
        const { settlements, state } = courseOf(rule, steps);
        assert.equal(settlements.length, isSettled(state.record) ? 1 : 0);
        const full = state.record.decision_rule ?? assert.fail();
        const votes = isSettled(state.record)
          ? votesOf(state.record)
          : (state.votes ?? []).map(({ vote }) => vote);
        for (let length = 0; length < votes.length; length += 1) {
          assert.ok(!isDecided(full, votes.slice(0, length)), 'it was decided before');
        }
        assert.equal(isDecided(full, votes), state.record.resolution === 'responded');
      }),
    );
  });

  it('counts nobody twice, and nobody who is excluded or no person', () => {
    fc.assert(
      fc.property(rules, any, (rule, steps) => {
        const { state, counted } = courseOf(rule, steps);
        assert.equal(new Set(counted).size, counted.length);
        assert.ok(!counted.includes('excluded') && !counted.includes('agent'));
        const principals = (state.votes ?? []).map(({ vote }) => vote.principal);
        if (rule.quorum > 1) assert.deepEqual(principals, counted);
      }),
    );
  });

  it('has an end when nobody can answer any more, whoever has voted', () => {
    fc.assert(
      fc.property(rules, any, (rule, steps) => {
        const { state } = courseOf(rule, [...steps, { does: 'wait', seconds: 100 }]);
        assert.ok(isSettled(state.record));
      }),
    );
  });

  it('is the same however often votes are repeated, and wherever', () => {
    const places = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 10 });
    fc.assert(
      fc.property(rules, any, places, (rule, steps, repeats) => {
        const more = [...steps];
        for (const [from, by] of repeats) {
          const one = more[from];
          const later = Math.min(more.length, from + 1 + by);
          if (one?.does === 'answer') more.splice(later, 0, one);
        }
        const known = courseOf(rule, steps);
        const { state, counted } = courseOf(rule, more);
        assert.deepEqual([state, counted], [known.state, known.counted]);
      }),
    );
  });
});
