import assert from 'node:assert/strict';
import { directorySchema } from '../../../contracts/people/directory.js';
import { checkPressSuffices, personPressing } from '../../../domain/directory/links.js';

const DIRECTORY = directorySchema.parse({
  people: { ana: { slack: 'U1' }, kim: { slack: 'U3', space: 'team-b' }, cy: {} },
});

describe('who presses a button in Slack', () => {
  it('is the person with this member id, in the space of the question', () => {
    const ruling = personPressing(DIRECTORY, 'U1', 'default');
    assert.equal(ruling.ok && ruling.value.principal, 'ana');
    const other = personPressing(DIRECTORY, 'U3', 'team-b');
    assert.equal(other.ok && other.value.principal, 'kim');
  });

  const TEAMS = directorySchema.parse({
    people: { ana: { slack: 'U1' }, bo: { slack: 'T2/U2' }, di: { slack: 'T2/U1X' } },
  });
  for (const [what, member, teams, who] of [
    ['a member of the workspace of the bot', 'U1', { team: 'T1', own: 'T1' }, 'ana'],
    ['the same id in another workspace', 'U1', { team: 'T2', own: 'T1' }, undefined],
    ['an id without a workspace', 'U1', { own: 'T1' }, undefined],
    ['an id where the bots are of several workspaces', 'U1', { team: 'T1', own: null }, undefined],
    [
      'a member of another workspace that the directory names',
      'U2',
      { team: 'T2', own: 'T1' },
      'bo',
    ],
    ['the same with bots of several', 'U2', { team: 'T2', own: null }, 'bo'],
    ['that id in the workspace of the bot', 'U2', { team: 'T1', own: 'T1' }, undefined],
    ['an id that holds the team', 'T2/U2', { team: 'T1', own: 'T1' }, undefined],
  ] as const) {
    it(`is ${who ?? 'nobody'} for ${what}`, () => {
      const ruling = personPressing(TEAMS, member, 'default', teams);
      assert.equal(ruling.ok ? ruling.value.principal : undefined, who);
    });
  }

  for (const [what, directory, member, space] of [
    ['an unknown member', DIRECTORY, 'U9', 'default'],
    ['a person by its name', DIRECTORY, 'cy', 'default'],
    ['a member of another space', DIRECTORY, 'U3', 'default'],
    ['anybody without a directory', undefined, 'U1', 'default'],
  ] as const) {
    it(`is nobody for ${what}, and no name is told`, () => {
      const ruling = personPressing(directory, member, space);
      assert.ok(!ruling.ok);
      assert.equal(ruling.refusal.code, 'not_answered_for');
      assert.equal(ruling.refusal.field, 'user');
      assert.doesNotMatch(JSON.stringify(ruling), /ana|kim|team-b/);
    });
  }
});

describe('a press of a button in Slack', () => {
  const approval = {} as never;
  it('suffices for a question, and for an approval where the channel may decide those', () => {
    assert.ok(checkPressSuffices({}, {}, { approvals: false }).ok);
    assert.ok(checkPressSuffices({ approval }, { choice: 0 }, { approvals: true }).ok);
  });

  it('needs a sign-in for an approval otherwise', () => {
    for (const ruling of [
      checkPressSuffices({ approval }, { choice: 0 }, { approvals: false }),
      // Its message does not show the whole proposal.
      checkPressSuffices({ approval }, {}, { approvals: true }),
    ]) {
      assert.equal(!ruling.ok && ruling.refusal.code, 'sign_in_needed');
    }
  });
});
