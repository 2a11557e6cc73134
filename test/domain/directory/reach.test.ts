import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { checkReach } from '../../../domain/directory/reach.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { granted, refused } from '../samples.js';

const KEYS = [
  { space: 'default', principal: 'bob', groups: ['finance'] },
  { space: 'default', principal: 'ursula', groups: ['finance', 'board'] },
];
const person = { space: 'default', answers_by_link: true };
const ALL = knownPeople('default', KEYS, { people: { ana: person }, groups: { desk: ['ana'] } });
const SOME = { ...ALL, isComplete: false };
const ASKERS = ['agent', 'ursula'];

type Rule = Partial<NonNullable<SuspensionDraft['decision_rule']>>;

const asked = (rule: Rule, ...rungs: readonly Rule['eligible'][]) => ({
  decision_rule: { ...DEFAULT_RULE, ...rule },
  retry_policy: {
    max_attempts: 3,
    interval_seconds: 60,
    strategy: 'fixed' as const,
    escalation_ladder: rungs.map((eligible, index) => ({
      attempt: index + 2,
      channel_hint: 'console',
      notify_to: null,
      ...(eligible && { eligible }),
    })),
    final_fallback_policy: 'fail' as const,
  },
});

describe('who is left to answer a question', () => {
  for (const [what, question, askers] of [
    ['the user it is asked for', asked({ eligible: { principals: ['ursula'] } }), ASKERS],
    [
      'too few besides those who ask',
      asked({ eligible: { principals: ['ursula', 'bob'] }, quorum: 2 }),
      ASKERS,
    ],
    [
      'those who ask, on each rung',
      asked({ eligible: { principals: ['ursula'] } }, { principals: ['agent'] }),
      ASKERS,
    ],
  ] as const) {
    it(`is somebody else than ${what}, whoever is known`, () => {
      for (const known of [undefined, SOME, ALL]) {
        const { code, field } = refused(checkReach(question, askers, known));
        assert.deepEqual([code, field], ['invalid_decision_rule', 'decision_rule.eligible']);
        if (question.decision_rule.quorum === 1) granted(checkReach(question, [], known));
      }
    });
  }

  for (const [what, question] of [
    ['a group of those who ask', asked({ eligible: { groups: ['board'] } })],
    [
      'a group and a name of those who ask',
      asked({ eligible: { groups: ['board'], principals: ['ursula'] } }),
    ],
    [
      'a group whose people are excluded',
      asked({ eligible: { groups: ['desk'] }, excluded: ['ana'] }),
    ],
    ['everybody, all of them excluded', asked({ excluded: ['bob', 'ana', 'ursula'] })],
  ] as const) {
    it(`is more than ${what}, where all people are known`, () => {
      assert.equal(refused(checkReach(question, ASKERS, ALL)).code, 'invalid_decision_rule');
      for (const known of [undefined, SOME]) {
        assert.deepEqual(granted(checkReach(question, ASKERS, known)), []);
      }
    });
  }

  it('may come with a later rung', () => {
    const later = asked({ eligible: { principals: ['ursula'] } }, { principals: ['bob'] });
    assert.deepEqual(granted(checkReach(later, ASKERS, ALL)), []);
    const open = asked({ eligible: { principals: ['ursula'] } }, {});
    assert.deepEqual(granted(checkReach(open, ASKERS, undefined)), []);
  });

  it('are warned of where fewer are known than have to agree', () => {
    const [warning = ''] = granted(
      checkReach(asked({ eligible: { groups: ['finance'] }, quorum: 2 }), ASKERS, ALL),
    );
    assert.match(warning, /^2 people have to agree, and only 1 of those/);
    assert.deepEqual(granted(checkReach(asked({ quorum: 2 }), [], ALL)), []);
  });

  it('is not looked for by roles, nor where nobody has a key yet', () => {
    const admins = asked({ eligible: { roles: ['admin'] }, excluded: ['bob', 'ana', 'ursula'] });
    assert.deepEqual(granted(checkReach(admins, ASKERS, ALL)), []);
    const nobody = knownPeople('default', []);
    assert.deepEqual(granted(checkReach({}, ASKERS, nobody)), []);
  });
});
