import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { partWith } from '../../domain/approval/wires.js';
import { createRig, type KeyName } from '../support/harness.js';
import { SUSPENSION_ID, VIEW } from '../support/records.js';

/*
 * Under `authorization.agents_read: own`, questions that belong to no intent have no access list either: they are for who
 * asked, for who may settle them, and for those whom nothing narrows.
 */

const OWN = { authorization: { agents_read: 'own' } };
const PATH = `/v1/suspensions/${SUSPENSION_ID}`;
const READS = ['', '/blocks', '/wait?timeout_seconds=1', '/timeline/verify', '/timeline/export'];

/** An API with a question of no intent that somebody else has asked, for somebody. */
function rigFor(on_behalf_of = 'somebody', config: object = OWN, asked_by = 'somebody') {
  const record = { ...VIEW.record, approval: partWith({ on_behalf_of }) };
  const view = { ...VIEW, intent_id: null, asked_by, record };
  const read = () => Promise.resolve({ value: view, stale: false });
  return createRig({ getSuspension: read }, config);
}

async function statuses(rig: ReturnType<typeof rigFor>, key: KeyName): Promise<number[]> {
  const replies = READS.map(async (read) => (await rig.send(key, 'get', `${PATH}${read}`)).status);
  return Promise.all(replies);
}

const all = (status: number) => READS.map(() => status);

describe('a question of no intent, where agents read only their own', () => {
  it('is kept from other agents, also from one that is a user too', async () => {
    for (const key of ['agent', 'assistant'] as const) {
      const rig = rigFor();
      assert.deepEqual(await statuses(rig, key), all(403), key);
      assert.deepEqual(new Set(rig.sent.map(({ name }) => name)), new Set(['record']), key);
    }
    const { body } = await rigFor().send('agent', 'get', PATH);
    assert.equal(body.code, 'forbidden');
    assert.ok(!JSON.stringify(body).includes(VIEW.record.question));
  });

  it('is read by who asked, who may settle it, and whom nothing narrows', async () => {
    assert.deepEqual(await statuses(rigFor('x', OWN, 'refund-agent'), 'agent'), all(200));
    assert.deepEqual(await statuses(rigFor('ada'), 'assistant'), all(200));
    for (const key of ['operator', 'admin', 'auditor', 'both'] as const) {
      assert.deepEqual(await statuses(rigFor(), key), all(200), key);
    }
  });

  it('is read by every agent where they read all', async () => {
    assert.deepEqual(await statuses(rigFor('x', {}), 'agent'), all(200));
  });
});
