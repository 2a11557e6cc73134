import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type {
  DecisionRule,
  DecisionRuleRequest,
  Vote,
} from '../../../contracts/suspension/decision.js';
import type { SuspensionRecord } from '../../../contracts/suspension/suspension.js';
import {
  DEFAULT_RULE,
  approvalsIn,
  checkVoter,
  decisionOf,
  isDecided,
  resolveRule,
  ruleInForce,
  votesOf,
} from '../../../domain/suspension/answering/decision.js';
import { caller } from '../../support/callers.js';
import { OPENED_AT, granted, recordWith, refused, settledWith } from '../samples.js';

const CONFIRM = { response_type: 'confirm' } as const;
const CHOICE = {
  response_type: 'choice',
  choices: ['approve', 'deny', 'later'].map((value) => ({ value, label: value })),
} satisfies Partial<SuspensionRecord>;

function ruleWith(fields: Partial<DecisionRule> = {}): DecisionRule {
  return { ...DEFAULT_RULE, ...fields };
}

function vote(principal: string, value: string): Vote {
  return { principal, actor: principal, value, question_version: 1, counted_at: OPENED_AT };
}

describe('the rule of a question', () => {
  it('is one answer by anybody who may answer, unless it is asked with another', () => {
    assert.deepEqual(granted(resolveRule({}, { response_type: 'text' })), DEFAULT_RULE);
    assert.deepEqual(ruleInForce(recordWith(), 7), DEFAULT_RULE);
  });

  it('lets one "no" end a confirm question, whose quorum is not reached [AM-58]', () => {
    const rule = granted(resolveRule({ quorum: 2 }, CONFIRM));
    assert.deepEqual(rule, ruleWith({ quorum: 2, denials: ['no'] }));
    assert.deepEqual(granted(resolveRule({ quorum: 2 }, CHOICE)).denials, []);
  });

  it('names everybody once', () => {
    const eligible = { principals: ['a', 'b', 'a'], roles: ['admin', 'admin'], groups: ['g', 'g'] };
    const request = { eligible, excluded: ['x', 'x'], denials: ['deny', 'deny'] };
    const rule = granted(resolveRule(request as DecisionRuleRequest, CHOICE));
    assert.deepEqual(rule.eligible, { principals: ['a', 'b'], roles: ['admin'], groups: ['g'] });
    assert.deepEqual([rule.excluded, rule.denials], [['x'], ['deny']]);
  });

  const longChoice = { value: 'x'.repeat(LIMITS.voteValueBytes), label: 'x' };
  const long = { ...CHOICE, choices: [...CHOICE.choices.slice(1), longChoice] };
  const people = (count: number) => `at least ${count} who are not excluded`;
  const CHOICES_ONLY = '1, or a question of the type choice or confirm';
  const faults: readonly (readonly [string, string, string, DecisionRuleRequest, object])[] = [
    ['several people for a text', 'quorum', CHOICES_ONLY, { quorum: 2 }, { response_type: 'text' }],
    ['several people for a form', 'quorum', CHOICES_ONLY, { quorum: 2 }, { response_type: 'form' }],
    [
      'several for a choice without choices',
      'quorum',
      CHOICES_ONLY,
      { quorum: 2 },
      { response_type: 'choice' },
    ],
    [
      'a quorum that could need too many votes',
      'quorum',
      `a quorum with which at most ${LIMITS.votes} votes decide between 3 choices`,
      { quorum: 10 },
      CHOICE,
    ],
    [
      'a value too long for several votes',
      'quorum',
      `choices with values of at most ${LIMITS.voteValueBytes} bytes of JSON`,
      { quorum: 2 },
      long,
    ],
    ['a denial that is no choice', 'denials', 'values of the choices', { denials: ['no'] }, CHOICE],
    [
      'a denial of a text',
      'denials',
      'values of the choices',
      { denials: ['no'] },
      { response_type: 'text' },
    ],
    ['fewer people than the quorum', 'eligible', people(2), few(['a']), CHOICE],
    [
      'a quorum that needs the excluded',
      'eligible',
      people(2),
      { ...few(['a', 'b']), excluded: ['b'] },
      CHOICE,
    ],
  ];
  for (const [what, field, accepted, request, asked] of faults) {
    it(`is refused with ${what}`, () => {
      const refusal = refused(resolveRule(request, asked as SuspensionRecord));
      assert.deepEqual(
        [refusal.code, refusal.field, refusal.accepted],
        ['invalid_decision_rule', `decision_rule.${field}`, accepted],
      );
    });
  }

  function few(principals: string[]): DecisionRuleRequest {
    return { quorum: 2, eligible: { principals } };
  }

  it('may reach its limits', () => {
    granted(resolveRule({ quorum: 9 }, CHOICE));
    granted(resolveRule({ quorum: 13 }, CONFIRM));
    granted(resolveRule({ ...few(['a']), eligible: { principals: ['a'], groups: ['g'] } }, CHOICE));
    granted(resolveRule({ quorum: 2, eligible: { principals: ['a'], roles: ['admin'] } }, CHOICE));
    granted(resolveRule(few(['a', 'b']), CHOICE));
    granted(resolveRule(few(['a']), CHOICE, [{ eligible: { roles: ['admin'] } }]));
    refused(resolveRule(few(['a']), CHOICE, [{}]));
    granted(resolveRule(few(['a']), CHOICE, [{}, { eligible: { roles: ['admin'] } }]));
    const value = 'x'.repeat(LIMITS.voteValueBytes - 2);
    granted(resolveRule({ quorum: 2 }, { ...CHOICE, choices: [{ value, label: 'x' }] }));
  });
});

describe('who is eligible at an attempt', () => {
  const entry = (attempt: number, ...principals: string[]) => ({
    attempt,
    channel_hint: 'slack',
    eligible: { principals },
  });
  const record = recordWith({
    decision_rule: ruleWith({ eligible: { principals: ['first'] } }),
    retry_policy: {
      max_attempts: 4,
      interval_seconds: 60,
      strategy: 'fixed',
      escalation_ladder: [
        { attempt: 1, channel_hint: 'slack' },
        entry(2, 'second'),
        entry(2, 'deputy', 'second'),
        { ...entry(4), eligible: {} },
        entry(4, 'fourth'),
      ],
      final_fallback_policy: 'fail',
    },
  });
  const at = (attempt: number, changed?: { eligible: object; attempt: number }) =>
    ruleInForce(record, attempt, changed).eligible;

  it('is as the level says that was reached last', () => {
    assert.deepEqual(at(1), { principals: ['first'] });
    const second = { principals: ['second', 'deputy'], roles: [], groups: [] };
    assert.deepEqual([at(2), at(3)], [second, second]);
  });

  it('is everybody from a level on that names nobody', () => {
    assert.deepEqual(at(4), {});
  });

  it('is whoever has a role that a level names, and no longer who was named before', () => {
    const byRole = { attempt: 3, channel_hint: 'slack', eligible: { roles: ['admin' as const] } };
    const { retry_policy } = record;
    const escalation_ladder = [entry(1, 'first'), byRole];
    const named = recordWith({
      ...(retry_policy && { retry_policy: { ...retry_policy, escalation_ladder } }),
    });
    const eligible = { principals: [], roles: ['admin'], groups: [] };
    assert.deepEqual(ruleInForce(named, 3).eligible, eligible);
  });

  it('is as somebody changed it, until a later level', () => {
    const eligible = { groups: ['night shift'] };
    assert.deepEqual(at(2, { eligible, attempt: 2 }), eligible);
    assert.deepEqual(at(3, { eligible, attempt: 2 }), eligible);
    assert.deepEqual(at(4, { eligible, attempt: 2 }), {});
    assert.deepEqual(at(4, { eligible, attempt: 4 }), eligible);
  });
});

describe('an answer', () => {
  const alice = { by: caller('alice', 'operator'), responded_by: 'alice' };
  const inGroup = { ...alice, by: { ...alice.by, groups: ['finance'] } };
  const forBob = { by: caller('root', 'admin'), responded_by: 'bob' };
  const named = (eligible: DecisionRule['eligible']) => ruleWith({ eligible });

  it('is taken from whoever is named, has a role, or is in a group', () => {
    granted(checkVoter(DEFAULT_RULE, alice));
    granted(checkVoter(named({ principals: [], roles: [], groups: [] }), alice));
    granted(checkVoter(named({ principals: ['alice'] }), alice));
    granted(checkVoter(named({ principals: ['bob'], roles: ['operator'] }), alice));
    granted(checkVoter(named({ roles: ['admin'], groups: ['finance'] }), inGroup));
    granted(checkVoter(named({ roles: ['admin', 'operator'] }), alice));
    granted(checkVoter(named({ groups: ['board', 'finance'] }), inGroup));
  });

  it('is not taken from anybody else', () => {
    for (const eligible of [
      { principals: ['bob'] },
      { roles: ['admin' as const] },
      { groups: ['finance'] },
      { principals: ['bob'], groups: ['finance'] },
      { principals: ['bob'], roles: ['admin' as const] },
      { roles: ['admin' as const], groups: ['finance'] },
    ]) {
      const { code, accepted } = refused(checkVoter(named(eligible), alice));
      assert.deepEqual(
        [code, accepted],
        ['not_eligible', 'an answer by somebody whom the rule names'],
      );
    }
  });

  it('is not taken from who is excluded, though eligible', () => {
    const rule = ruleWith({ eligible: { principals: ['alice', 'root'] }, excluded: ['alice'] });
    assert.equal(refused(checkVoter(rule, alice)).code, 'not_eligible');
    const forAlice = { ...forBob, responded_by: 'alice' };
    assert.equal(refused(checkVoter(rule, forAlice)).code, 'not_eligible');
  });

  it('is not taken from who asked, where duties are separate', () => {
    granted(checkVoter(DEFAULT_RULE, alice, ['agent-1']));
    assert.match(refused(checkVoter(DEFAULT_RULE, alice, ['agent-1', 'alice'])).detail, /Duties/);
    assert.equal(refused(checkVoter(DEFAULT_RULE, forBob, ['bob'])).code, 'not_eligible');
  });

  it('in the name of another counts where one is enough and one of both is eligible', () => {
    granted(checkVoter(named({ principals: ['bob'] }), forBob));
    granted(checkVoter(named({ roles: ['admin'] }), forBob));
    granted(checkVoter(named({ principals: ['root'] }), forBob));
    assert.equal(refused(checkVoter(named({ principals: ['eve'] }), forBob)).code, 'not_eligible');
    const refusal = refused(checkVoter(ruleWith({ quorum: 2 }), forBob));
    assert.deepEqual(
      [refusal.code, refusal.field, refusal.accepted],
      ['responded_by_mismatch', 'responded_by', 'the principal of the key, or nothing'],
    );
  });
});

describe('what votes decide', () => {
  const two = ruleWith({ quorum: 2, denials: ['deny'] });

  it('is the first that enough people agree on', () => {
    assert.ok(!isDecided(two, []));
    assert.ok(!isDecided(two, [vote('a', 'approve')]));
    assert.ok(!isDecided(two, [vote('a', 'approve'), vote('b', 'later')]));
    const three = [vote('a', 'approve'), vote('b', 'later'), vote('c', 'approve')];
    assert.ok(isDecided(two, three));
    assert.equal(approvalsIn(two, three), 2);
  });

  it('is a denial at once, where one denies for all [AM-58]', () => {
    assert.ok(isDecided(two, [vote('a', 'approve'), vote('b', 'deny')]));
    const withoutVeto = { ...two, veto: false };
    assert.ok(!isDecided(withoutVeto, [vote('a', 'deny')]));
    assert.ok(isDecided(withoutVeto, [vote('a', 'deny'), vote('b', 'deny')]));
    assert.equal(approvalsIn(withoutVeto, [vote('a', 'deny')]), 0);
  });
});

describe('how far a decision has come', () => {
  it('shows the rule in force, the votes, and how many agree', () => {
    const record = recordWith({ ...CHOICE, decision_rule: ruleWith({ quorum: 2 }) });
    const votes = [vote('a', 'approve')];
    assert.deepEqual(decisionOf(record, 1, votes), {
      rule: record.decision_rule,
      question_version: 1,
      votes,
      approvals: 1,
      required: 2,
    });
  });

  it('keeps the votes of a question that expired', () => {
    const votes = [vote('a', 'approve')];
    const record = recordWith({ ...CHOICE, resolution: 'expired', votes });
    assert.deepEqual(decisionOf(record, 1, []).votes, votes);
  });

  it('takes a record that lacks a part of its answer for one without votes', () => {
    for (const field of ['response', 'responded_by', 'responded_at'] as const) {
      const { [field]: _, ...rest } = settledWith();
      assert.deepEqual(votesOf(rest as SuspensionRecord), [], field);
    }
    assert.deepEqual(votesOf(settledWith({ resolution: 'expired' })), [], 'it was not answered');
    const votes = [vote('a', 'approve')];
    assert.deepEqual(votesOf(settledWith({ votes })), votes);
  });

  it('counts the answer of a record, if no votes were counted', () => {
    for (const counted of [undefined, null, []]) {
      const { votes, approvals } = decisionOf(settledWith(), 1, counted);
      assert.deepEqual([votes.length, approvals], [1, 1]);
    }
  });

  it('takes the answer of a record without votes for one vote', () => {
    const at = '2026-03-24T10:30:00.000Z';
    const answer = { actor: 'alice@example.com', value: 'go ahead', counted_at: at };
    const principal = 'alice@example.com';
    assert.deepEqual(votesOf(settledWith()), [{ principal, ...answer, question_version: 1 }]);
    const byRoot = settledWith({ submitted_by: 'root', metadata: { note: 1 } });
    const noted = { principal: 'root', ...answer, metadata: { note: 1 }, question_version: 1 };
    assert.deepEqual(votesOf(byRoot), [noted]);
    assert.deepEqual(votesOf(recordWith()), []);
    assert.deepEqual(votesOf(recordWith({ resolution: 'cancelled' })), []);
  });
});
