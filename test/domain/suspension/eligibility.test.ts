import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Eligible } from '../../../contracts/suspension/decision.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import {
  judgeEligibility,
  namedIn,
  namesMore,
  withEligibility,
} from '../../../domain/suspension/people/eligibility.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import { caller } from '../../support/callers.js';
import { OPENED_AT, granted, recordWith, refused, settledWith } from '../samples.js';

const vote = { value: 'yes', question_version: 1, counted_at: OPENED_AT };
const VOTED: SuspensionState = {
  intent_id: null,
  record: recordWith({
    response_type: 'confirm',
    decision_rule: { ...DEFAULT_RULE, quorum: 2, excluded: ['eve'] },
  }),
  attempt: 2,
  votes: [
    { vote: { ...vote, principal: 'ann', actor: 'ann' }, answer: { key: 'a:1', body_hash: '' } },
  ],
};

const change = (eligible: Eligible, state = VOTED, by = caller('root', 'admin'), changes = 0) =>
  judgeEligibility(state, { by, eligible }, changes);

describe('a change of who is eligible', () => {
  it('holds from the attempt on that is current', () => {
    const eligible = { groups: ['board'] };
    assert.deepEqual(granted(change(eligible)), { eligible, attempt: 2 });
    assert.equal(granted(change(eligible, { ...VOTED, attempt: 0 })).attempt, 1);
  });

  it('takes back what was delegated, with the claim of a delegate', () => {
    const claim = { holder: 'carol', claimed_at: OPENED_AT, expires_at: OPENED_AT };
    const eligibility = { eligible: { groups: ['board'] }, attempt: 2 };
    const delegated = { ...VOTED, claim, delegates: ['carol'] };
    assert.deepEqual(withEligibility(delegated, eligibility), { ...VOTED, eligibility });
    const other = { ...VOTED, claim: { ...claim, holder: 'ann' } };
    const changed = { ...other, eligibility };
    assert.deepEqual(withEligibility({ ...other, delegates: ['carol'] }, eligibility), changed);
    assert.deepEqual(withEligibility(other, eligibility), changed);
  });

  it('leaves somebody besides those who ask, where duties are separate', () => {
    const state = { ...VOTED, votes: [], record: recordWith({ response_type: 'confirm' }) };
    const by = caller('root', 'admin');
    const judged = (eligible: Eligible, separation_of_duties: boolean) =>
      judgeEligibility(state, { by, eligible, separation_of_duties }, 0, ['agent', 'ursula']);
    const { code, field } = refused(judged({ principals: ['ursula'] }, true));
    assert.deepEqual([code, field], ['invalid_decision_rule', 'eligible']);
    granted(judged({ principals: ['ursula'] }, false));
    granted(judged({ principals: ['ursula', 'ann'] }, true));
    granted(judged({ groups: ['board'] }, true));
  });

  it('counts a vote that somebody who asks gave before duties were separate', () => {
    const by = caller('root', 'admin');
    const judged = (askers: readonly string[]) => {
      const request = { by, eligible: { principals: ['bob'] }, separation_of_duties: true };
      return judgeEligibility(VOTED, request, 0, askers);
    };
    const [voter] = VOTED.votes?.map(({ vote }) => vote.principal) ?? [];
    assert.ok(voter !== undefined && voter !== 'bob');
    granted(judged([voter]));
    assert.equal(refused(judged(['bob'])).code, 'invalid_decision_rule');
  });

  it('is for admins, so that nobody makes itself eligible', () => {
    for (const role of ['agent', 'operator', 'auditor'] as const) {
      assert.equal(refused(change({}, VOTED, caller('bob', role))).code, 'forbidden');
    }
  });

  it('comes too late for a question that is settled', () => {
    const state = { ...VOTED, record: settledWith() };
    assert.equal(refused(change({}, state)).code, 'suspension_settled');
  });

  it('leaves enough who can agree, those counted who have voted', () => {
    granted(change({ principals: ['ben'] }));
    granted(change({ principals: [] }));
    for (const principals of [['ann'], ['eve']]) {
      const { code, field } = refused(change({ principals }));
      assert.deepEqual([code, field], ['invalid_decision_rule', 'eligible']);
    }
  });

  it('needs enough who can agree, also before the first vote', () => {
    const { votes: _, ...unvoted } = VOTED;
    granted(change({ principals: ['ann', 'ben'] }, unvoted));
    const { accepted } = refused(change({ principals: ['ben'] }, unvoted));
    assert.equal(accepted, 'so many who are not excluded that 2 can agree');
  });

  it('is one of a number, because the timeline keeps each', () => {
    const root = caller('root', 'admin');
    const most = LIMITS.eligibilityChanges;
    granted(change({}, VOTED, root, most - 1));
    const { code, field, accepted } = refused(change({}, VOTED, root, most));
    assert.deepEqual(
      [code, field, accepted],
      ['invalid_decision_rule', 'eligible', `at most ${most} changes for one question`],
    );
  });

  it('has a size', () => {
    const named = (length: number) => ({ groups: ['x'.repeat(length)] });
    const room = LIMITS.eligibilityBytes - jsonBytes(named(0));
    granted(change(named(room)));
    const { code, field, accepted } = refused(change(named(room + 1)));
    assert.deepEqual(
      [code, field, accepted],
      ['invalid_decision_rule', 'eligible', `at most ${LIMITS.eligibilityBytes} bytes of JSON`],
    );
  });
});

describe('who is named by a change', () => {
  it('is what the timeline tells, and nothing that is not named', () => {
    const all = { principals: ['ann'], roles: ['admin' as const], groups: ['board'] };
    assert.deepEqual(namedIn(all), all);
    assert.deepEqual(namedIn({}), {});
    assert.deepEqual(namedIn({ groups: ['board'] }), {
      groups: ['board'],
    });
  });

  it('names more where somebody is new, or everybody is meant from now on', () => {
    const [one, two] = [{ principals: ['alice'] }, { principals: ['alice', 'bob'] }];
    const group = { groups: ['alice'] };
    for (const [eligible, former, isMore] of [
      [two, one, true],
      [one, two, false],
      [group, one, true],
      [{ roles: ['admin'] as const }, one, true],
      [{}, one, true],
      [one, {}, true],
      [{}, {}, false],
    ] as const) {
      assert.equal(namesMore({ ...eligible } as typeof one, former), isMore);
    }
  });
});
