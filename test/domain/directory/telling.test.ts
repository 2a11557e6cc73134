import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { tellingHere, tellingWarnings } from '../../../domain/directory/audience.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';

const PEOPLE = {
  directory: {
    people: {
      alice: { email: 'alice@example.com' },
      bob: { email: 'bob@example.com' },
      carol: { slack: 'U1' },
      nadia: {},
    },
    groups: { leads: ['alice', 'bob'] },
  },
};
const MAIL = {
  type: 'email',
  smtp: 'smtp://127.0.0.1:25',
  from: 'a@example.com',
  allow_plain: true,
};
const CHAT = { type: 'slack', bot_token: 'xoxb-1' };
const config = (more: object = {}, channels: object = { mail: { ...MAIL, to: 'alice' } }) =>
  serverConfigSchema.parse({
    ...PEOPLE,
    notifications: { channels, default_channel: Object.keys(channels)[0] },
    ...more,
  });

type Rungs = NonNullable<SuspensionDraft['retry_policy']>['escalation_ladder'];
interface Question {
  readonly rule?: Partial<typeof DEFAULT_RULE>;
  readonly rungs?: Rungs;
  readonly of?: ReturnType<typeof config>;
  readonly askers?: readonly string[];
  readonly known?: ReturnType<typeof knownPeople>;
}

function warned({ rule = {}, rungs = [], of = config(), askers = ['bot'], known }: Question) {
  const asked = {
    decision_rule: { ...DEFAULT_RULE, ...rule },
    timeout_seconds: 60,
    retry_policy: {
      max_attempts: 2,
      interval_seconds: 60,
      strategy: 'fixed',
      final_fallback_policy: 'fail',
      escalation_ladder: rungs,
    },
  } as const;
  return tellingWarnings(asked, askers, tellingHere(of, 'default', known)).join(' ');
}
const rung = (notify_to: string | null, more: Partial<Rungs[number]> = {}) => ({
  attempt: 2,
  channel_hint: '',
  notify_to,
  ...more,
});
const only = (...principals: string[]) => ({ eligible: { principals } });

describe('the warnings of whom a question tells', () => {
  for (const [title, question, expected] of [
    ['none where the channel tells somebody who may answer', {}, ''],
    ['none where the rule names people who can be reached', { rule: only('bob') }, ''],
    [
      'that a rung notifies a person who may not',
      { rule: only('alice'), rungs: [rung('bob')] },
      'The ladder notifies bob at attempt 2, who may not answer.',
    ],
    [
      'the same of somebody excluded',
      { rule: { excluded: ['bob'] }, rungs: [rung('bob')] },
      'The ladder notifies bob at attempt 2, who may not answer.',
    ],
    [
      'none where the rung makes him eligible',
      { rule: only('alice'), rungs: [rung('bob', { eligible: { principals: ['bob'] } })] },
      '',
    ],
    [
      'that some of a group may not, without their names',
      { rule: { excluded: ['bob'] }, rungs: [rung('leads')] },
      'The ladder notifies leads at attempt 2, of whom some may not answer.',
    ],
    [
      'that nobody of a group may',
      { rule: only('carol'), of: config({}, { mail: MAIL, chat: CHAT }), rungs: [rung('leads')] },
      'The ladder notifies leads at attempt 2, of whom nobody may answer.',
    ],
    [
      'none of roles, which nobody knows',
      { rule: { eligible: { roles: ['admin'] } }, rungs: [rung('bob')] },
      '',
    ],
    [
      'that the asker is told where duties are separate',
      {
        of: config({ suspension: { separation_of_duties: true } }),
        askers: ['bob'],
        rungs: [rung('bob')],
      },
      'The ladder notifies bob at attempt 2, who may not answer.',
    ],
    ['none of the asker where duties are not', { askers: ['bob'], rungs: [rung('bob')] }, ''],
    [
      'that nobody who may answer has an address',
      { rule: only('nadia') },
      'No channel reaches anybody who may answer at attempt 1.',
    ],
    [
      'that the rule names strangers alone',
      { rule: only('zed') },
      'No channel reaches anybody who may answer at attempt 1.',
    ],
    [
      'that a channel has nobody of its own',
      { of: config({}, { mail: MAIL }) },
      'No channel reaches anybody who may answer at attempt 1.',
    ],
    [
      'none where another channel reaches the person',
      { rule: only('carol'), of: config({}, { mail: MAIL, chat: CHAT }) },
      '',
    ],
    [
      'none of a channel with one place for all',
      { rule: only('zed'), of: config({}, { log: { type: 'console' } }) },
      '',
    ],
    [
      'none of reach without a directory',
      { rule: only('zed'), of: config({ directory: undefined }, { log: { type: 'console' } }) },
      '',
    ],
  ] as const satisfies readonly (readonly [string, Question, string])[]) {
    it(`are ${title}`, () => {
      assert.equal(warned(question), expected);
    });
  }

  it('know keys where there is no directory', () => {
    const known = knownPeople('default', [
      { space: 'default', principal: 'alice', groups: [] },
      { space: 'default', principal: 'bob', groups: ['leads'] },
    ]);
    const of = config({ directory: undefined }, { log: { type: 'console' } });
    const question = { rule: only('alice'), of, known };
    assert.match(warned({ ...question, rungs: [rung('bob')] }), /bob at attempt 2, who may not/);
    assert.match(warned({ ...question, rungs: [rung('leads')] }), /leads at .* nobody may answer/);
    assert.equal(warned({ ...question, rungs: [rung('+49 30 1')] }), '');
  });

  it('leave the number of the attempt out where there is one', () => {
    const asked = { decision_rule: { ...DEFAULT_RULE, ...only('zed') } };
    const here = tellingHere(config(), 'default', undefined);
    assert.deepEqual(tellingWarnings(asked, [], here), [
      'No channel reaches anybody who may answer.',
    ]);
  });
});
