import assert from 'node:assert/strict';
import type { Me } from '../../../contracts/people/session.js';
import { createRig, type KeyName } from '../support/harness.js';

describe('who calls', () => {
  it('is told its space, principal, roles and groups', async () => {
    const reply = await createRig().send('operator', 'get', '/v1/me');
    const { may: _may, ...who } = reply.body;
    assert.equal(reply.status, 200);
    assert.deepEqual(who, {
      space: 'default',
      principal: 'alice',
      roles: ['operator'],
      groups: [],
      temporal_ui: null,
    });
  });

  it('is told where the pages of Temporal are, if it sees every question', async () => {
    const temporalUi = 'http://127.0.0.1:8233/namespaces/default';
    const rig = createRig({}, {}, undefined, undefined, undefined, { temporalUi });
    const told = async (key: KeyName) => {
      const { body } = await rig.send(key, 'get', '/v1/me');
      return (body as Me).temporal_ui;
    };
    assert.equal(await told('operator'), temporalUi);
    assert.equal(await told('agent'), null);
  });

  it('is told for whom it may ask, if for anybody', async () => {
    const reply = await createRig().send('agent', 'get', '/v1/me');
    assert.deepEqual(reply.body.acts_for, ['ursula']);
  });

  for (const [key, does, doesNot] of [
    ['agent', 'suspend', 'respond'],
    ['operator', 'respond', 'suspend'],
    ['auditor', 'listSuspensions', 'respond'],
    ['user', 'respond', 'listSuspensions'],
  ] as const) {
    it(`with the role ${key} is told that it may ${does}`, async () => {
      const { body } = await createRig().send(key, 'get', '/v1/me');
      const { may } = body as Me;
      assert.ok(may.includes(does));
      assert.ok(!may.includes(doesNot));
      assert.ok(!may.includes('health'), 'what needs no key is left out');
    });
  }

  it('is nobody without a key', async () => {
    const reply = await createRig().send(undefined, 'get', '/v1/me');
    assert.deepEqual([reply.status, reply.body.code], [401, 'unauthenticated']);
  });
});
