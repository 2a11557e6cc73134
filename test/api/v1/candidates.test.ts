import assert from 'node:assert/strict';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { rigOver, type KeyName } from '../support/harness.js';
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
