import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Deciders, Telling } from '../../../contracts/channel/notification.js';
import { directorySchema } from '../../../contracts/people/directory.js';
import { audienceOf, type AudienceHere } from '../../../domain/directory/audience.js';
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
