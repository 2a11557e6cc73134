import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  checkEligible,
  checkInitiator,
  checkNamed,
  knownPeople,
  unknownTaker,
} from '../../../domain/directory/known-people.js';
import { granted, refused } from '../samples.js';

const KEYS = [
  { space: 'default', principal: 'bob', groups: ['finance'] },
  { space: 'other', principal: 'olga', groups: ['elsewhere'] },
];
const person = { space: 'default', answers_by_link: true };
const DIRECTORY = {
  people: { ana: person, ola: { ...person, space: 'other' } },
  groups: { desk: ['ana'], far: ['ola'] },
};
const ALL = knownPeople('default', KEYS, DIRECTORY);
const SOME = knownPeople('default', KEYS, DIRECTORY, false);

const ruleWith = (eligible: object, excluded: readonly string[] = []) => ({
  decision_rule: { eligible, excluded: [...excluded], quorum: 1, denials: [], veto: true },
});
const rung = (eligible: object) => ({
  retry_policy: {
    max_attempts: 2,
    interval_seconds: 60,
    strategy: 'fixed' as const,
    escalation_ladder: [{ attempt: 2, channel_hint: 'console', notify_to: null, eligible }],
    final_fallback_policy: 'fail' as const,
  },
});

describe('who can answer', () => {
  it('is who has a key, and who is in the directory of the space', () => {
    assert.deepEqual([...ALL.principals], ['bob', 'ana']);
    assert.deepEqual([...ALL.groups], ['finance', 'desk']);
  });

  it('may be somebody who decides on what is done in its name, and on nothing else', () => {
    const user = { space: 'default', principal: 'uma', groups: ['finance'], only_own: true };
    const known = knownPeople('default', [...KEYS, user], DIRECTORY);
    for (const decider of ['uma', 'bob', 'ana']) granted(checkInitiator(decider, known));
    const { code, field } = refused(checkInitiator('umma', known));
    assert.deepEqual([code, field], ['unknown_principal', 'decider']);
    assert.equal(refused(checkNamed(ruleWith({ principals: ['uma'] }), known)).code, code);
    assert.deepEqual([...(known.members.get('finance') ?? [])], ['bob']);
  });

  it('may be named by a question, on each rung, and by anything that changes it', () => {
    const eligible = { principals: ['bob', 'ana'], groups: ['finance', 'desk'], roles: ['admin'] };
    assert.deepEqual(granted(checkNamed({ ...ruleWith(eligible), ...rung(eligible) }, ALL)), []);
    assert.deepEqual(granted(checkEligible({ groups: ['desk'] }, ALL)), []);
    assert.deepEqual(unknownTaker({ to: 'ana' }, ALL), []);
    assert.deepEqual(granted(checkNamed({}, ALL)), []);
  });

  for (const [what, asked, field] of [
    [
      'principal',
      ruleWith({ principals: ['bob', 'bobb'] }),
      'decision_rule.eligible.principals[1]',
    ],
    ['group', ruleWith({ groups: ['Finance'] }), 'decision_rule.eligible.groups[0]'],
    [
      'person of another space',
      ruleWith({ principals: ['ola'] }),
      'decision_rule.eligible.principals[0]',
    ],
    ['group of another space', ruleWith({ groups: ['far'] }), 'decision_rule.eligible.groups[0]'],
    [
      'principal of a later rung',
      rung({ principals: ['bobb'] }),
      'retry_policy.escalation_ladder[0].eligible.principals[0]',
    ],
    [
      'name of every object',
      ruleWith({ principals: ['constructor'] }),
      'decision_rule.eligible.principals[0]',
    ],
  ] as const) {
    it(`is no unknown ${what}: refused where all are known, else warned of`, () => {
      const refusal = refused(checkNamed(asked, ALL));
      assert.deepEqual([refusal.code, refusal.field], ['unknown_principal', field]);
      // Who is there is not for agents.
      assert.doesNotMatch(refusal.detail, /bob\b(?!b)|finance/);
      const [warning = '', ...more] = granted(checkNamed(asked, SOME));
      assert.match(
        warning,
        /^No key and no entry of the directory lets .* answer; the issuer may\.$/,
      );
      assert.deepEqual(more, []);
    });
  }

  it('is suggested to people who delegate, or change who is eligible', () => {
    assert.match(
      refused(checkEligible({ principals: ['bobb'] }, ALL)).detail,
      /Did you mean bob\?$/,
    );
    for (const known of [ALL, SOME]) {
      assert.match(
        unknownTaker({ to: 'bobb' }, known)[0] ?? '',
        /principal bobb answer.* Did you mean bob\?$/,
      );
    }
    assert.match(refused(checkEligible({ groups: ['financ'] }, ALL)).detail, /mean finance\?$/);
    assert.doesNotMatch(unknownTaker({ to: 'zacharias' }, ALL)[0] ?? '', /mean/);
    assert.deepEqual(unknownTaker({ to_group: 'finance' }, ALL), []);
    assert.match(
      unknownTaker({ to_group: 'financ' }, ALL)[0] ?? '',
      /group financ answer.* Did you mean finance\?$/,
    );
  });

  it('is only warned of where a rule excludes a name that nobody has', () => {
    const [warning] = granted(checkNamed(ruleWith({}, ['bobb', 'bob']), ALL));
    assert.match(warning ?? '', /^The rule excludes bobb, and no key/);
  });

  it('is told of at most ten names', () => {
    const principals = Array.from({ length: 100 }, (_, index) => `nobody-${index}`);
    assert.equal(granted(checkNamed(ruleWith({ principals }), SOME)).length, 10);
  });
});
