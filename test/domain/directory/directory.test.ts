import assert from 'node:assert/strict';
import { directorySchema } from '../../../contracts/people/directory.js';
import {
  checkDelegate,
  checkRecipients,
  groupsOf,
  personNamed,
  recipientsNamed,
} from '../../../domain/directory/directory.js';
import { granted, refused } from '../samples.js';

const DIRECTORY = directorySchema.parse({
  people: {
    ana: { name: 'Ana Ruiz', email: 'ana@example.com' },
    bo: { email: 'bo@example.com' },
    kim: { email: 'kim@example.com', space: 'team-b' },
  },
  groups: { finance: ['ana', 'bo', 'kim'], night: ['kim'] },
});
const named = (name: string, space = 'default') =>
  recipientsNamed(DIRECTORY, name, space).map(({ principal }) => principal);

describe('the directory', () => {
  it('finds a person by its principal, in its own space alone', () => {
    assert.equal(personNamed(DIRECTORY, 'ana', 'default')?.name, 'Ana Ruiz');
    assert.equal(personNamed(DIRECTORY, 'ana', 'team-b'), undefined);
    assert.equal(personNamed(undefined, 'ana', 'default'), undefined);
  });

  it('takes a group for those of its people who are in the space', () => {
    assert.deepEqual(named('finance'), ['ana', 'bo']);
    assert.deepEqual(named('finance', 'team-b'), ['kim']);
    assert.deepEqual(named('bo'), ['bo']);
    assert.deepEqual(named('night'), []);
    assert.deepEqual(recipientsNamed(undefined, 'ana', 'default'), []);
  });

  it('refuses to pass a question on to whom it does not know', () => {
    granted(checkDelegate(DIRECTORY, { to: 'ana' }, 'default'));
    granted(checkDelegate(undefined, { to: 'eve' }, 'default'));
    for (const [to, space] of [
      ['eve', 'default'],
      ['kim', 'default'],
      ['finance', 'default'],
    ] as const) {
      const { code, field } = refused(checkDelegate(DIRECTORY, { to }, space));
      assert.deepEqual([code, field], ['unknown_recipient', 'to'], to);
    }
  });

  it('knows a group where it has people, and says which one was meant', () => {
    granted(checkDelegate(DIRECTORY, { to_group: 'finance' }, 'default'));
    granted(checkDelegate(undefined, { to_group: 'nobody' }, 'default'));
    const unknown = (to_group: string, space = 'default') =>
      refused(checkDelegate(DIRECTORY, { to_group }, space));
    for (const name of ['ana', 'night', 'constructor', 'financ']) {
      assert.deepEqual(
        [unknown(name).code, unknown(name).field],
        ['unknown_recipient', 'to_group'],
        name,
      );
    }
    assert.match(unknown('financ').detail, / Did you mean finance\?$/);
    assert.match(unknown('financ').accepted ?? '', /^a group of the directory/);
    const asPerson = refused(checkDelegate(DIRECTORY, { to: 'finance' }, 'default'));
    assert.match(asPerson.accepted ?? '', /`to_group`/);
  });

  it('says whom it probably means, of the people of the space', () => {
    const detailOf = (to: string) => refused(checkDelegate(DIRECTORY, { to }, 'default')).detail;
    assert.match(detailOf('anna'), /does not know anna, .* Did you mean ana\?$/);
    assert.doesNotMatch(detailOf('kimm'), /mean/);
    assert.doesNotMatch(detailOf('zacharias'), /mean/);
  });

  it('does not take for a name what every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString']) assert.deepEqual(named(name), []);
  });

  it('knows the groups of a person', () => {
    assert.deepEqual(groupsOf(DIRECTORY, 'kim'), ['finance', 'night']);
    assert.deepEqual(groupsOf(DIRECTORY, 'nobody'), []);
  });
});

describe('the recipients of a ladder', () => {
  const check = (names: readonly (string | null | undefined)[], space = 'default') =>
    checkRecipients(
      DIRECTORY,
      names.map((notify_to) => ({ notify_to })),
      space,
    );

  it('are refused where the directory does not know one, and nobody is named', () => {
    const refused = check(['ana', null, 'stranger']);
    assert.ok(!refused.ok);
    assert.equal(refused.refusal.code, 'unknown_recipient');
    assert.equal(refused.refusal.field, 'retry_policy.escalation_ladder[2].notify_to');
    assert.doesNotMatch(JSON.stringify(refused.refusal), /ana|finance/);
  });

  it('are refused where nobody of the space is meant', () => {
    assert.equal(check(['night']).ok, false);
    assert.equal(check(['night'], 'team-b').ok, true);
  });

  it('pass where they are people, groups or nobody', () => {
    assert.equal(check(['ana', 'finance', null, undefined]).ok, true);
  });

  it('are left to the channels without a directory', () => {
    assert.equal(checkRecipients(undefined, [{ notify_to: 'anyone' }], 'default').ok, true);
  });
});
