import assert from 'node:assert/strict';
import { cursorOf } from '../../../api/usecases/suspension/inbox.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { ManualClock } from '../support/fakes.js';
import { SUSPENSION_ID } from '../support/records.js';
import { askedOf, createRig, rigOver } from '../support/harness.js';

describe('reading the inbox', () => {
  it('shows what is open by urgency unless asked otherwise', async () => {
    const rig = createRig();
    const reply = await rig.send('operator', 'get', '/v1/suspensions');
    assert.deepEqual([reply.status, reply.body], [200, { suspensions: [], next_cursor: null }]);
    assert.deepEqual(askedOf(rig, 'listSuspensions'), [
      { state: 'pending', sort: 'urgency', limit: 50, after: undefined },
    ]);
  });

  it('shows first what was settled last', async () => {
    const rig = createRig();
    await rig.send('operator', 'get', '/v1/suspensions?state=settled&limit=7');
    await rig.send('operator', 'get', '/v1/suspensions?resolution=expired&sort=oldest');
    const after = undefined;
    assert.deepEqual(
      rig.asked.map(({ args }) => args[0]),
      [
        { state: 'settled', sort: 'settled', limit: 7, after },
        { resolution: 'expired', state: 'settled', sort: 'oldest', limit: 50, after },
      ],
    );
  });

  it('passes every filter on', async () => {
    const rig = createRig();
    const kept = {
      group: 'finance',
      recipient: 'lead',
      response_type: 'form',
      asked_by: 'agent-1',
      intent_id: '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d',
      text: 'refund 47',
    };
    const key = ['infinity', -1, '2026-01-01T00:00:00.000Z', 's2'];
    const cursor = cursorOf('urgency', key);
    const query = new URLSearchParams({ ...kept, view: 'for_me', channel: 'slack', cursor });
    await rig.send('operator', 'get', `/v1/suspensions?${query.toString()}`);
    const by = { space: DEFAULT_SPACE, principal: 'alice', roles: ['operator'], groups: [] };
    const view = { kind: 'for_me', by, separation_of_duties: false, as_initiator: false };
    const snoozed = { by: 'alice', now: '2026-01-01T00:00:00.000Z', are: 'left out' };
    const page = { state: 'pending', sort: 'urgency', limit: 50, after: key };
    assert.deepEqual(askedOf(rig, 'listSuspensions'), [
      { ...kept, channels: ['slack'], view, snoozed, ...page },
    ]);
  });

  it('counts, and says stale if it may be', async () => {
    const value = { pending: 3, responded: 0, expired: 0, cancelled: 0 };
    const clock = new ManualClock();
    const rig = rigOver({
      clock,
      store: {
        countSuspensions: async () => value,
        idsNotInState: async () => {
          await clock.advance(2_000);
          return [SUSPENSION_ID];
        },
      },
    });
    await rig.send('agent', 'post', `/v1/suspensions/${SUSPENSION_ID}/cancel`).send({});
    const reply = await rig.send('operator', 'get', '/v1/suspensions/counts?channel=slack');
    assert.deepEqual([reply.body, reply.headers['holdpoint-stale']], [value, 'true']);
    assert.deepEqual(askedOf(rig, 'countSuspensions'), [{ channels: ['slack'] }]);
  });

  for (const [query, field] of [
    ['state=open', 'state'],
    ['resolution=pending', 'resolution'],
    ['sort=age', 'sort'],
    ['limit=201', 'limit'],
    ['text=', 'text'],
    ['text=a+b+c+d+e+f+g+h+i+j+k', 'text'],
    ['view=mine', 'view'],
    ['group=', 'group'],
    ['intent_id=7', 'intent_id'],
    ['response_type=poll', 'response_type'],
    ['channel=a&channel=b', 'channel'],
  ] as const) {
    it(`refuses ${query}`, async () => {
      const rig = createRig();
      const reply = await rig.send('operator', 'get', `/v1/suspensions?${query}`);
      assert.deepEqual([reply.status, reply.body.field], [422, field]);
      assert.ok(reply.body.accepted, 'says what is accepted');
      assert.deepEqual(rig.asked, []);
    });
  }
});
