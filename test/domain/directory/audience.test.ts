import assert from 'node:assert/strict';
import type { Deciders, Telling } from '../../../contracts/channel/notification.js';
import { directorySchema } from '../../../contracts/people/directory.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { SuspensionDraft } from '../../../contracts/suspension/suspension.js';
import {
  type AudienceHere,
  audienceOf,
  tellingHere,
  tellingWarnings,
} from '../../../domain/directory/audience.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import { ANYONE } from '../suspension/notification-samples.js';

const directory = directorySchema.parse({
  people: {
    alice: { email: 'alice@example.com' },
    bob: { email: 'bob@example.com' },
    carol: { email: 'carol@example.com' },
    dora: { email: 'dora@example.com' },
    far: { email: 'far@example.com', space: 'elsewhere' },
  },
  groups: { finance: ['alice', 'bob'], leads: ['bob', 'carol'] },
});
const HERE: AudienceHere = { directory, space: 'default', separate: false };

interface Asked {
  readonly to?: string | null;
  readonly by?: Partial<Deciders>;
  readonly telling?: Telling;
  readonly here?: Partial<AudienceHere>;
  readonly own?: string;
}

/** Whom a channel of alice tells; a name in brackets is only informed. */
function told({ to = null, by = {}, telling = {}, here = {}, own = 'alice' }: Asked): string {
  const deciders = { ...ANYONE, ...by };
  const people = audienceOf({ notify_to: to, deciders, telling }, own, { ...HERE, ...here });
  return people.map(({ principal, decides }) => (decides ? principal : `(${principal})`)).join(' ');
}

const eligible = (...principals: string[]) => ({ eligible: { principals } });

describe('whom a delivery tells', () => {
  for (const [title, asked, expected] of [
    ['the people of the channel where nobody is named', {}, 'alice'],
    ['whom the rung names, and nobody else', { to: 'finance' }, 'alice bob'],
    ['whom the rule names, and not the people of the channel', { by: eligible('carol') }, 'carol'],
    [
      'the members of a group of the rule',
      { by: { eligible: { groups: ['leads'] } } },
      'bob carol',
    ],
    [
      'each of them once',
      { by: { eligible: { groups: ['leads'], principals: ['bob'] } } },
      'bob carol',
    ],
    ['no person by the name of a group', { by: { eligible: { groups: ['dora'] } } }, 'alice'],
    [
      'the people of the channel where the rule names roles',
      { by: { eligible: { roles: ['admin'] } } },
      'alice',
    ],
    ['nobody of another space', { by: eligible('far', 'carol') }, 'carol'],
    ['nobody who is excluded', { by: { ...eligible('bob', 'carol'), excluded: ['bob'] } }, 'carol'],
    [
      'no asker where duties are separate',
      { by: { ...eligible('bob', 'carol'), askers: ['bob'] }, here: { separate: true } },
      'carol',
    ],
    ['an asker where duties are not', { by: { ...eligible('bob'), askers: ['bob'] } }, 'bob'],
    ['nobody who has voted', { by: { ...eligible('bob', 'carol'), done: ['bob'] } }, 'carol'],
    ['only those of a rung who have not voted', { to: 'finance', by: { done: ['alice'] } }, 'bob'],
    [
      'others who may decide where the rung tells somebody who may not',
      { to: 'bob', by: eligible('carol') },
      '(bob) carol',
    ],
    [
      'only the rung where enough of it may decide',
      { to: 'bob', by: { eligible: { groups: ['leads'] } } },
      'bob',
    ],
    [
      'others where too few of the rung may',
      { to: 'bob', by: { eligible: { groups: ['leads'] }, needed: 2 } },
      'bob carol',
    ],
    [
      'others where all of the rung have voted',
      { to: 'bob', by: { eligible: { groups: ['leads'] }, done: ['bob'] } },
      'carol',
    ],
    [
      'all whom a rung makes eligible',
      { to: 'bob', by: { eligible: { groups: ['leads'] } }, telling: { others: 'all' } },
      'bob carol',
    ],
    [
      'nobody besides where another delivery does',
      { to: 'bob', by: eligible('carol'), telling: { others: 'none' } },
      '(bob)',
    ],
    [
      'nobody whom another delivery tells',
      {
        to: 'bob',
        by: { eligible: { groups: ['leads'] }, needed: 2 },
        telling: { beside: ['carol'] },
      },
      'bob',
    ],
    [
      'nobody who was told before',
      { by: { eligible: { groups: ['leads'] } }, telling: { except: { principals: ['bob'] } } },
      'carol',
    ],
    [
      'all whom the rule names where they all were told before',
      {
        by: { eligible: { groups: ['leads'] } },
        telling: { except: { groups: ['leads'] } },
        own: 'dora',
      },
      'bob carol',
    ],
    [
      'nobody of the channel besides who is new',
      {
        by: { ...eligible('bob', 'carol'), needed: 2 },
        telling: { except: { principals: ['bob'] } },
      },
      'carol',
    ],
    [
      'nobody by a group that was told before',
      { by: eligible('bob', 'dora'), telling: { except: { groups: ['leads'] } } },
      'dora',
    ],
    [
      'the people of the channel, in vain, where the rule names strangers',
      { by: eligible('zed') },
      '(alice)',
    ],
    [
      'people who may be in a group that the directory does not list',
      { by: { eligible: { groups: ['board'] } } },
      'alice',
    ],
    [
      'people of the channel besides where more have to agree',
      {
        by: { ...eligible('bob'), needed: 2, eligible: { principals: ['bob'], roles: ['admin'] } },
      },
      'bob alice',
    ],
    [
      'those who may be notified',
      { by: eligible('bob', 'carol'), here: { allowed: ['carol'] } },
      'carol',
    ],
    [
      'members of a group that may be',
      { by: { eligible: { groups: ['leads'] } }, here: { allowed: ['leads'] } },
      'bob carol',
    ],
    ['nobody where all have voted', { by: { done: ['alice'] } }, ''],
    ['nobody without a directory', { by: eligible('carol'), here: { directory: undefined } }, ''],
  ] as const satisfies readonly (readonly [string, Asked, string])[]) {
    it(`is ${title}`, () => {
      assert.equal(told(asked), expected);
    });
  }

  it('is as before for an alert, which nobody decides', () => {
    const people = (notify_to: string | null) =>
      audienceOf({ notify_to }, 'dora', HERE).map(({ principal }) => principal);
    assert.deepEqual([people(null), people('leads')], [['dora'], ['bob', 'carol']]);
  });
});

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
