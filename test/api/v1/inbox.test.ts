import assert from 'node:assert/strict';
import { createRig } from '../support/harness.js';

describe('reading the inbox', () => {
  it('shows what is open by urgency unless asked otherwise', async () => {
    const rig = createRig();
    const reply = await rig.send('operator', 'get', '/v1/suspensions');
    assert.deepEqual([reply.status, reply.body], [200, { suspensions: [], next_cursor: null }]);
    assert.deepEqual(rig.calls[0]?.args[1], { state: 'pending', sort: 'urgency', limit: 50 });
  });

  it('shows first what was settled last', async () => {
    const rig = createRig();
    await rig.send('operator', 'get', '/v1/suspensions?state=settled&limit=7');
    await rig.send('operator', 'get', '/v1/suspensions?resolution=expired&sort=oldest');
    assert.deepEqual(
      rig.calls.map(({ args }) => args[1]),
      [
        { state: 'settled', sort: 'settled', limit: 7 },
        { resolution: 'expired', state: 'settled', sort: 'oldest', limit: 50 },
      ],
    );
  });

  it('passes every filter on', async () => {
    const rig = createRig();
    const filter = {
      view: 'for_me',
      group: 'finance',
      channel: 'slack',
      recipient: 'lead',
      response_type: 'form',
      asked_by: 'agent-1',
      intent_id: '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d',
      text: 'refund 47',
      cursor: 'abc',
    };
    const query = new URLSearchParams(filter);
    await rig.send('operator', 'get', `/v1/suspensions?${query.toString()}`);
    const all = { ...filter, state: 'pending', sort: 'urgency', limit: 50 };
    assert.deepEqual(rig.calls[0]?.args[1], all);
  });

  it('counts, and says stale if it may be', async () => {
    const value = { pending: 3, responded: 0, expired: 0, cancelled: 0 };
    const rig = createRig({ countSuspensions: () => Promise.resolve({ value, stale: true }) });
    const reply = await rig.send('operator', 'get', '/v1/suspensions/counts?channel=slack');
    assert.deepEqual([reply.body, reply.headers['holdpoint-stale']], [value, 'true']);
    assert.deepEqual(rig.calls[0]?.args[1], { channel: 'slack' });
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
      assert.deepEqual(rig.calls, []);
    });
  }
});
