import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import {
  delegationCandidates,
  type PeopleHere,
} from '../../../domain/suspension/people/candidates.js';
import { recordWith } from '../samples.js';

const SPACE = 'default';
const person = (name?: string, space = SPACE) => ({
  ...(name !== undefined && { name }),
  space,
  answers_by_link: true,
});
const DIRECTORY = {
  people: {
    zoe: person(),
    emil: person('Émil  Zóla-Berg'),
    ana: person('Ana Ruiz'),
    alice: person(),
    bot: person(),
    xena: person('Xena', 'elsewhere'),
  },
  groups: { finance: ['zoe', 'emil'], 'on-call': ['ana'] },
};
const LISTED: PeopleHere = {
  space: SPACE,
  directory: DIRECTORY,
  known: undefined,
  mute: new Set(),
};
const SIGNED_IN: PeopleHere = {
  ...LISTED,
  directory: undefined,
  known: knownPeople(SPACE, [
    { space: SPACE, principal: 'kim', groups: ['us', 'eu'] },
    { space: SPACE, principal: 'lee', groups: [] },
  ]),
};

interface Asked {
  readonly here?: PeopleHere;
  readonly text?: string;
  readonly limit?: number;
  readonly rule?: DecisionRule;
  readonly asked_as?: string;
}

/** The candidates when alice passes on what the bot asked. */
function candidates({
  here = LISTED,
  text = '',
  limit = 10,
  rule = DEFAULT_RULE,
  ...asker
}: Asked = {}) {
  const record = recordWith({ decision_rule: rule });
  const question = { record, rule, asked_by: 'bot', ...asker };
  return delegationCandidates(question, 'alice', here, { text, limit });
}

const named = (asked: Asked = {}) => candidates(asked).candidates.map(({ principal }) => principal);

describe('the candidates of a delegation', () => {
  it('are the people here, by name, without who delegates, who asked, and whose keys are mute', () => {
    assert.deepEqual(candidates(), {
      candidates: [
        { principal: 'ana', name: 'Ana Ruiz', groups: ['on-call'], may_answer: true },
        { principal: 'emil', name: 'Émil  Zóla-Berg', groups: ['finance'], may_answer: true },
        { principal: 'zoe', groups: ['finance'], may_answer: true },
      ],
      groups: [
        { group: 'finance', members: 2, may_answer: true },
        { group: 'on-call', members: 1, may_answer: true },
      ],
      more: false,
    });
    assert.deepEqual(named({ here: { ...LISTED, mute: new Set(['ana']) } }), ['emil', 'zoe']);
  });

  it('are those who can sign in where nobody is listed, with the groups of both', () => {
    assert.deepEqual(candidates({ here: SIGNED_IN }).candidates, [
      { principal: 'kim', groups: ['eu', 'us'], may_answer: true },
      { principal: 'lee', groups: [], may_answer: true },
    ]);
    const { known } = SIGNED_IN;
    const both = {
      ...LISTED,
      known,
      directory: { people: { kim: person() }, groups: { eu: ['kim'] } },
    };
    assert.deepEqual(candidates({ here: both }).candidates, [
      { principal: 'kim', groups: ['eu', 'us'], may_answer: true },
    ]);
    assert.deepEqual(named({ here: { ...SIGNED_IN, known: undefined } }), []);
  });

  for (const [text, found] of [
    ['AN', ['ana']],
    ['ru  an', ['ana']],
    ['emil ZOLA', ['emil']],
    ['berg', ['emil']],
    ['zo', ['emil', 'zoe']],
    ['finance', ['emil', 'zoe']],
    ['call', ['ana']],
    ['uiz', []],
    ['ana zoe', []],
    [' - ', ['ana', 'emil', 'zoe']],
  ] as const) {
    it(`are found by the beginnings of words of a name, a principal or a group: “${text}”`, () => {
      assert.deepEqual(named({ text }), found);
    });
  }

  it('are those first whom the rule lets answer anyway, and nobody whom it excludes', () => {
    const rule = { ...DEFAULT_RULE, eligible: { principals: ['zoe'], groups: ['on-call'] } };
    const found = candidates({ rule }).candidates;
    assert.deepEqual(
      found.map(({ principal, may_answer }) => [principal, may_answer]),
      [
        ['ana', true],
        ['zoe', true],
        ['emil', false],
      ],
    );
    assert.deepEqual(named({ rule: { ...rule, excluded: ['zoe'] } }), ['ana', 'emil']);
    assert.deepEqual(named({ rule: { ...rule, eligible: { roles: ['operator'] } } }), [
      'ana',
      'emil',
      'zoe',
    ]);
  });

  it('are no more than asked for, and it says whether there are more', () => {
    const two = candidates({ limit: 2 });
    assert.deepEqual([two.candidates.length, two.more], [2, true]);
    const three = candidates({ limit: 3 });
    assert.deepEqual([three.candidates.length, three.more], [3, false]);
  });

  it('keep their order where two have one name', () => {
    const people = { b: person('Same'), a: person('same'), c: person('Another') };
    assert.deepEqual(named({ here: { ...LISTED, directory: { people, groups: {} } } }), [
      'c',
      'b',
      'a',
    ]);
  });

  it('are not those in whose name it was asked', () => {
    assert.deepEqual(named({ asked_as: 'zoe' }), ['ana', 'emil']);
    const { groups } = candidates({ asked_as: 'ana' });
    assert.deepEqual(
      groups.map(({ group }) => group),
      ['finance'],
    );
  });
});

describe('the groups to which a question may be delegated', () => {
  const groupsFound = (asked: Asked = {}) =>
    candidates(asked).groups.map(({ group, members }) => [group, members]);

  it('are those with people here whom the delegation would let answer', () => {
    const groups = {
      ...DIRECTORY.groups,
      own: ['alice'],
      makers: ['alice', 'bot'],
      far: ['xena'],
      half: ['alice', 'xena', 'zoe'],
    };
    const here = { ...LISTED, directory: { ...DIRECTORY, groups } };
    assert.deepEqual(groupsFound({ here }), [
      ['finance', 2],
      ['half', 2],
      ['on-call', 1],
    ]);
    const rule = { ...DEFAULT_RULE, excluded: ['ana'] };
    assert.deepEqual(groupsFound({ rule }), [['finance', 2]]);
    assert.deepEqual(groupsFound({ here: { ...LISTED, mute: new Set(['zoe', 'ana']) } }), [
      ['finance', 1],
    ]);
  });

  it('are those that people sign in with, where there is no directory, and both count', () => {
    assert.deepEqual(groupsFound({ here: SIGNED_IN }), [
      ['eu', 1],
      ['us', 1],
    ]);
    const known = knownPeople(SPACE, [
      { space: SPACE, principal: 'zoe', groups: ['on-call', 'other'] },
      { space: SPACE, principal: 'stranger', groups: ['on-call'] },
    ]);
    assert.deepEqual(groupsFound({ here: { ...LISTED, known } }), [
      ['finance', 2],
      ['on-call', 2],
    ]);
    assert.deepEqual(groupsFound({ here: { ...SIGNED_IN, known: undefined } }), []);
  });

  it('are found by the beginnings of words, those first whom the rule lets answer', () => {
    assert.deepEqual(groupsFound({ text: 'FIN' }), [['finance', 2]]);
    assert.deepEqual(groupsFound({ text: 'call' }), [['on-call', 1]]);
    assert.deepEqual(groupsFound({ text: 'zoe' }), []);
    const rule = { ...DEFAULT_RULE, eligible: { groups: ['on-call'] } };
    assert.deepEqual(candidates({ rule }).groups, [
      { group: 'on-call', members: 1, may_answer: true },
      { group: 'finance', members: 2, may_answer: false },
    ]);
    const byName = { ...DEFAULT_RULE, eligible: { principals: ['ana'] } };
    assert.ok(candidates({ rule: byName }).groups.every(({ may_answer }) => !may_answer));
  });

  it('are no more than asked for, and it says whether there are more', () => {
    const one = candidates({ limit: 1, text: 'on' });
    assert.deepEqual([one.groups.length, one.more], [1, false]);
    const people = { zoe: person() };
    const here = { ...LISTED, directory: { people, groups: { a: ['zoe'], b: ['zoe'] } } };
    const found = candidates({ here, limit: 1 });
    assert.deepEqual([found.candidates.length, found.groups.length, found.more], [1, 1, true]);
  });
});
