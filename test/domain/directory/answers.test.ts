import assert from 'node:assert/strict';
import { directorySchema } from '../../../contracts/people/directory.js';
import { personAnsweredFor } from '../../../domain/directory/links.js';
import { granted, refused } from '../samples.js';

const DIRECTORY = directorySchema.parse({
  people: { ana: {}, bo: {}, cy: {}, kim: { space: 'team-b' } },
  groups: { finance: ['ana', 'bo', 'kim'] },
});
const CHANNEL = { name: 'desk', people: ['cy', 'finance'] };

describe('whom a webhook answers for', () => {
  it('is a person that its channel names, alone or in a group, in the own space', () => {
    for (const [principal, space] of [
      ['cy', 'default'],
      ['ana', 'default'],
      ['bo', 'default'],
      ['kim', 'team-b'],
    ] as const) {
      const person = granted(personAnsweredFor(DIRECTORY, CHANNEL, principal));
      assert.deepEqual([person.principal, person.space], [principal, space]);
    }
  });

  for (const [what, directory, people, principal] of [
    ['a person that its channel does not name', DIRECTORY, ['cy'], 'ana'],
    ['anybody where its channel names nobody', DIRECTORY, [], 'ana'],
    ['somebody who is not in the directory', DIRECTORY, ['eve', 'finance'], 'eve'],
    ['a group', DIRECTORY, ['finance'], 'finance'],
    ['what every object has', DIRECTORY, ['constructor'], 'constructor'],
    ['anybody without a directory', undefined, ['ana'], 'ana'],
  ] as const) {
    it(`is not ${what}, and no name is told`, () => {
      const refusal = refused(personAnsweredFor(directory, { name: 'desk', people }, principal));
      assert.deepEqual([refusal.code, refusal.field], ['not_answered_for', 'person']);
      assert.doesNotMatch(JSON.stringify(refusal), /ana|bo\b|kim|team-b|finance/);
    });
  }
});
