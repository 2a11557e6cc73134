import assert from 'node:assert/strict';
import { createRig, KEYS, rigOver, sentIn } from '../support/harness.js';
import type { KeyName } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import { INTENT, INTENT_ID, LEASE_ID, SUSPENDED, SUSPENSION_ID } from '../support/records.js';
import { caller } from '../../support/callers.js';

const INTENT_PATH = `/v1/intents/${INTENT_ID}`;
const SUSPENSION_PATH = `/v1/suspensions/${SUSPENSION_ID}`;
const ANSWER = { suspension_id: SUSPENSION_ID, value: 'yes' };

type Verb = 'get' | 'post' | 'patch' | 'delete';
type Row = readonly [verb: Verb, path: string, body: object];

const READS: readonly Row[] = [
  ['get', '/v1/intents', {}],
  ['get', INTENT_PATH, {}],
  ['get', `${INTENT_PATH}/events`, {}],
  ['get', `${INTENT_PATH}/leases`, {}],
  ['get', SUSPENSION_PATH, {}],
  ['get', `${SUSPENSION_PATH}/wait`, {}],
];
const AGENT_WRITES: readonly Row[] = [
  ['post', '/v1/intents', { title: 'x' }],
  ['post', `${INTENT_PATH}/status`, { status: 'active' }],
  ['post', `${INTENT_PATH}/state`, { state: { a: 1 } }],
  ['post', `${INTENT_PATH}/events`, { event_type: 'comment' }],
  ['post', `${INTENT_PATH}/leases`, { scope: 'a', duration_seconds: 60 }],
  ['patch', `${INTENT_PATH}/leases/${LEASE_ID}`, { duration_seconds: 60 }],
  ['delete', `${INTENT_PATH}/leases/${LEASE_ID}`, {}],
  ['post', `${INTENT_PATH}/suspend`, { question: 'Go?', response_type: 'text' }],
  ['post', `${INTENT_PATH}/suspend/cancel`, {}],
  ['post', `${INTENT_PATH}/engagement`, {}],
];
const ANSWERS: readonly Row[] = [['post', `${INTENT_PATH}/suspend/respond`, ANSWER]];

async function statusOf(key: KeyName | undefined, [verb, path, body]: Row): Promise<number> {
  // What is withdrawn is the question that the intent waits for.
  const intent = path.endsWith('/cancel') ? SUSPENDED : INTENT;
  const test = rigOver({ answers: knowingIntent(intent) })
    .send(key, verb, path)
    .set('If-Match', '3');
  return (await (verb === 'get' ? test : test.send(body))).status;
}

function allow(key: KeyName, rows: readonly Row[]): void {
  for (const row of rows) {
    it(`lets ${key} ${row[0]} ${row[1]} [R25-99]`, async () => {
      assert.match(String(await statusOf(key, row)), /^20[01]$/);
    });
  }
}

function forbid(key: KeyName, rows: readonly Row[]): void {
  for (const [verb, path, body] of rows) {
    it(`forbids ${key} to ${verb} ${path} [R25-99]`, async () => {
      const rig = createRig();
      const reply = await rig.send(key, verb, path).set('If-Match', '3').send(body);
      assert.deepEqual([reply.status, reply.body.code], [403, 'forbidden']);
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    });
  }
}

const WRONG_KEYS = {
  'an empty key': '',
  'an unknown key': 'wrong-key-0123456789',
  'a key cut short': KEYS.agent.slice(0, -1),
  'a key with one character more': `${KEYS.agent}x`,
};

const SEND = 'X-API-Key: <your key>';

describe('the roles', () => {
  allow('agent', [...READS, ...AGENT_WRITES]);
  allow('operator', [...READS, ...ANSWERS]);
  allow('admin', [...READS, ...AGENT_WRITES, ...ANSWERS]);
  allow('both', [...AGENT_WRITES, ...ANSWERS]);
  forbid('agent', ANSWERS);
  // Operators may abandon a suspended intent: only the intent knows whether it is one.
  forbid(
    'operator',
    AGENT_WRITES.filter(([, path]) => !path.endsWith('/status')),
  );
  allow('auditor', READS);
  forbid('auditor', [...AGENT_WRITES, ...ANSWERS]);
});

describe('keys', () => {
  for (const row of [...READS, ...AGENT_WRITES, ...ANSWERS]) {
    it(`refuses ${row[0]} ${row[1]} without a key [R25-98]`, async () => {
      assert.equal(await statusOf(undefined, row), 401);
    });
  }

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
