import assert from 'node:assert/strict';
import { KEYS, createRig, sentIn } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';
import { caller } from '../../support/callers.js';

const INTENT_PATH = `/v1/intents/${INTENT_ID}`;
const ANSWER = { suspension_id: SUSPENSION_ID, value: 'yes' };

const WRONG_KEYS = {
  'an empty key': '',
  'an unknown key': 'wrong-key-0123456789',
  'a key cut short': KEYS.agent.slice(0, -1),
  'a key with one character more': `${KEYS.agent}x`,
};

const SEND = 'X-API-Key: <your key>';

describe('keys', () => {
  for (const [name, key] of Object.entries(WRONG_KEYS)) {
    it(`refuses ${name} [R25-79]`, async () => {
      const rig = createRig();
      const reply = await rig.send(undefined, 'get', '/v1/intents').set('X-API-Key', key);
      assert.deepEqual([reply.status, reply.body.code], [401, 'unauthenticated']);
      assert.ok(reply.headers['www-authenticate']);
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    });
  }

  it('refuses a missing and a wrong key in different words, and every wrong key in the same', async () => {
    const said = async (headers: Readonly<Record<string, string>>) => {
      const reply = await createRig().send(undefined, 'get', '/v1/intents').set(headers);
      const { status, code, field, detail, accepted } = reply.body;
      assert.deepEqual([status, code], [401, 'unauthenticated']);
      return { field, detail, accepted };
    };
    const missing = { field: 'X-API-Key', detail: 'The request has no API key.', accepted: SEND };
    assert.deepEqual(await said({}), missing);
    assert.deepEqual(await said({ 'X-API-Key': '' }), missing);
    const wrong = Object.values(WRONG_KEYS).filter((key) => key !== '');
    const words = await Promise.all(wrong.map((key) => said({ 'X-API-Key': key })));
    for (const each of words) assert.deepEqual(each, words[0]);
    assert.equal(words[0]?.detail, 'The key in X-API-Key is not valid here.');
  });

  it('says where to send a key that came in another header', async () => {
    for (const authorization of [`Bearer ${KEYS.agent}`, `Basic ${KEYS.agent}`, KEYS.agent]) {
      for (const path of ['/v1/intents', '/api/v1/intents']) {
        const test = createRig().send(undefined, 'get', path).set('Authorization', authorization);
        const { status, body } = await test;
        assert.deepEqual([status, body.code, body.accepted], [401, 'unauthenticated', SEND]);
        if (path.startsWith('/v1')) assert.match(body.detail, /Send your API key as X-API-Key\./);
      }
    }
  });

  it('says that a session is over', async () => {
    const test = createRig().send(undefined, 'get', '/v1/intents');
    const { body } = await test.set('Cookie', 'holdpoint_session_4000=gone');
    assert.equal(body.detail, 'The session of this browser is over.');
  });

  it('refuses a missing key before an unknown route', async () => {
    assert.equal((await createRig().send(undefined, 'get', '/v1/nothing')).status, 401);
    const reply = await createRig().send('agent', 'get', '/v1/nothing');
    assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
  });

  it('refuses a missing key before an unknown intent', async () => {
    const path = '/v1/intents/none/suspend/respond';
    assert.equal((await createRig().send(undefined, 'post', path).send(ANSWER)).status, 401);
    const reply = await createRig().send('operator', 'post', path).send(ANSWER);
    assert.deepEqual([reply.status, reply.body.code], [404, 'intent_not_found']);
  });

  it('refuses a missing key before a broken body', async () => {
    const path = `${INTENT_PATH}/suspend/respond`;
    const test = createRig().send(undefined, 'post', path).set('Content-Type', 'application/json');
    assert.equal((await test.send('{')).status, 401);
  });

  it('refuses a missing role before a broken body', async () => {
    const path = `${INTENT_PATH}/suspend/respond`;
    assert.equal((await createRig().send('agent', 'post', path).send({})).status, 403);
  });

  it('binds a key to its principal and roles [R25-71]', async () => {
    const rig = createRig();
    await rig.send('both', 'post', `${INTENT_PATH}/children`).send({ title: 'x' });
    assert.deepEqual(sentIn(rig, 'createChild')['by'], caller('bob', 'agent', 'operator'));
  });
});
