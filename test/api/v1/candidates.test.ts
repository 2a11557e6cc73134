import assert from 'node:assert/strict';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { rigOver } from '../support/harness.js';
import type { KeyName } from '../support/harness.js';
import { SUSPENSION_ID, VIEW } from '../support/records.js';

const PATH = `/v1/suspensions/${SUSPENSION_ID}/candidates`;
const SPACE = 'default';
const person = (name?: string, space = SPACE) => ({
  ...(name !== undefined && { name }),
  space,
  answers_by_link: true,
});
const DIRECTORY = {
  people: {
    alice: person(),
    ana: person('Ana Ruiz'),
    'refund-agent': person(),
    emil: person('Émil Zóla'),
    xena: person('Xena', 'elsewhere'),
    zoe: person(),
  },
  groups: { finance: ['zoe', 'emil'], 'on-call': ['ana'] },
};

/** A rig in which this question is open. */
function rigWith(view: Partial<SuspensionView> = {}, config: object = { directory: DIRECTORY }) {
  const answering = [
    { space: SPACE, principal: 'alice', groups: [] },
    { space: SPACE, principal: 'kim', groups: ['eu'] },
  ];
  return rigOver({
    answers: { record: () => ({ ...VIEW, ...view }) },
    config,
    deps: { peopleIn: () => knownPeople(SPACE, answering) },
  });
}

async function namesOf(rig: ReturnType<typeof rigWith>, query = '', key: KeyName = 'operator') {
  const reply = await rig.send(key, 'get', `${PATH}${query}`);
  assert.equal(reply.status, 200, reply.text);
  const { candidates } = reply.body as { candidates: readonly { principal: string }[] };
  return candidates.map(({ principal }) => principal);
}

describe('the people to whom a question may be delegated', () => {
  it('are those of the directory in this space, without the caller and the asker', async () => {
    assert.deepEqual(await namesOf(rigWith()), ['ana', 'emil', 'zoe']);
    const reply = await rigWith().send('operator', 'get', `${PATH}?text=ruiz`);
    const ana = { principal: 'ana', name: 'Ana Ruiz', groups: ['on-call'], may_answer: true };
    assert.deepEqual(reply.body, { candidates: [ana], groups: [], more: false });
  });

  it('are not those in whose name it was asked', async () => {
    assert.deepEqual(await namesOf(rigWith({ asked_as: 'zoe' })), ['ana', 'emil']);
  });

  it('come with the groups that have people here', async () => {
    const { body } = await rigWith().send('operator', 'get', `${PATH}?text=fin`);
    assert.deepEqual(body.groups, [{ group: 'finance', members: 2, may_answer: true }]);
    const known = await rigWith({}, {}).send('operator', 'get', PATH);
    assert.deepEqual(known.body.groups, [{ group: 'eu', members: 1, may_answer: true }]);
  });

  it('are those who can sign in, where there is no directory', async () => {
    const rig = rigWith({}, {});
    assert.deepEqual(await namesOf(rig), ['kim']);
    assert.deepEqual(await namesOf(rig, '?text=eu'), ['kim']);
  });

  for (const [text, found] of [
    ['AN', ['ana']],
    ['ru an', ['ana']],
    ['emil%20zola', ['emil']],
    ['finance', ['emil', 'zoe']],
    ['call', ['ana']],
    ['uiz', []],
  ] as const) {
    it(`are found by the beginnings of words: ${text}`, async () => {
      assert.deepEqual(await namesOf(rigWith(), `?text=${text}`), found);
    });
  }

  it('come with those first whom the rule lets answer anyway, and without the excluded', async () => {
    const rule = {
      eligible: { groups: ['finance'], principals: ['alice'] },
      excluded: ['zoe'],
      quorum: 1,
      denials: [],
      veto: true,
    };
    const record = { ...VIEW.record, decision_rule: rule };
    assert.deepEqual(await namesOf(rigWith({ rule, record })), ['emil', 'ana']);
  });

  it('are no more than asked for, and it says if there are more', async () => {
    const { body } = await rigWith().send('operator', 'get', `${PATH}?limit=2`);
    assert.deepEqual([body.candidates.length, body.more], [2, true]);
    const far = await rigWith().send('operator', 'get', `${PATH}?limit=101`);
    assert.deepEqual([far.status, far.body.field], [422, 'limit']);
    const long = await rigWith().send('operator', 'get', `${PATH}?text=${'a'.repeat(201)}`);
    assert.deepEqual([long.status, long.body.field], [422, 'text']);
  });

  it('are not named to those who could not delegate the question', async () => {
    for (const key of ['agent', 'auditor'] as const) {
      assert.equal((await rigWith().send(key, 'get', PATH)).status, 403, key);
    }
    const others = { eligible: { principals: ['zoe'] }, excluded: [], denials: [], veto: true };
    for (const [rule, code] of [
      [{ ...others, quorum: 1 }, 'not_eligible'],
      [{ ...others, eligible: {}, quorum: 2 }, 'delegation_not_allowed'],
    ] as const) {
      const { body } = await rigWith({ rule }).send('operator', 'get', PATH);
      assert.deepEqual([body.code, body.candidates], [code, undefined]);
    }
    const record = {
      ...VIEW.record,
      resolution: 'cancelled',
      settled_by: 'agent',
      settled_at: '2026-11-20T11:00:00.000Z',
    } as const;
    const { body } = await rigWith({ record }).send('operator', 'get', PATH);
    assert.equal(body.code, 'suspension_settled');
  });
});
