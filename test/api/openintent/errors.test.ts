import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refused } from '../../../api/parts/refusals.js';
import { ERRORS, type ErrorCode } from '../../../contracts/constants/errors.js';
import { createRig, rigOver, type Rig } from '../support/harness.js';
import { INTENT_ID } from '../support/records.js';

const PATH = `/api/v1/intents/${INTENT_ID}`;
const read = (rig: Rig, path: string) => rig.send('agent', 'get', path);
const post = (rig: Rig, path: string, body: object, headers: Record<string, string> = {}) =>
  rig.send('agent', 'post', path).set(headers).send(body);

describe('errors of the OpenIntent API', () => {
  it('demands a key before anything else [R25-71, R25-79]', async () => {
    for (const path of ['/api/v1/intents', `${PATH}/status`, '/api/v1/nothing']) {
      const reply = await createRig().send(undefined, 'post', path).send({ title: 7 });
      const accepted = 'X-API-Key: <your key>';
      const body = { detail: 'Invalid or missing API key', code: 'unauthenticated', accepted };
      assert.deepEqual([reply.status, reply.body], [401, body]);
      assert.equal(reply.headers['www-authenticate'], 'ApiKey header="X-API-Key"');
    }
  });

  it('knows no other route and no other method', async () => {
    const unknown = await read(createRig(), '/api/v1/nothing');
    assert.deepEqual(
      [unknown.status, unknown.body],
      [404, { detail: 'Not Found', code: 'not_found' }],
    );
    const method = await createRig().send('agent', 'patch', `${PATH}/state`).send({});
    const body = { detail: 'Method Not Allowed', code: 'method_not_allowed' };
    assert.deepEqual([method.status, method.body], [405, body]);
  });

  it('names each field at fault as FastAPI does', async () => {
    const reply = await post(createRig(), '/api/v1/intents', { description: 7 });
    assert.equal(reply.status, 422);
    const { detail } = reply.body;
    assert.deepEqual(detail[0], {
      type: 'missing',
      loc: ['body', 'title'],
      msg: 'Field required',
      input: { description: 7 },
    });
    assert.deepEqual([detail[1].loc, detail[1].input], [['body', 'description'], 7]);
  });

  it('refuses what is no JSON with an object', async () => {
    const test = createRig().send('agent', 'post', '/api/v1/intents');
    const reply = await test.set('Content-Type', 'application/json').send('{');
    assert.deepEqual([reply.status, reply.body.detail[0].type], [422, 'json_invalid']);
    const list = await post(createRig(), '/api/v1/intents', []);
    assert.equal(typeof list.body.detail, 'string');
  });

  it('demands If-Match before it looks for the intent', async () => {
    for (const header of [{}, { 'If-Match': 'three' }]) {
      const path = '/api/v1/intents/unknown/status';
      const reply = await post(createRig(), path, { status: 'active' }, header);
      const body = { detail: 'If-Match header required', code: 'precondition_required' };
      assert.deepEqual([reply.status, reply.body], [400, body]);
    }
    const reply = await post(
      createRig(),
      '/api/v1/intents/unknown/status',
      { status: 'active' },
      {
        'If-Match': '1',
      },
    );
    assert.deepEqual(
      [reply.status, reply.body],
      [404, { detail: 'Intent not found', code: 'intent_not_found' }],
    );
  });

  it('returns the current version with a conflict', async () => {
    const state = { current_version: 4, intent_status: 'active' };
    const conflict = refused('version_conflict', 'late', { state });
    const rig = rigOver({ answers: { setStatus: () => Promise.reject(conflict) } });
    const reply = await post(rig, `${PATH}/status`, { status: 'active' }, { 'If-Match': '3' });
    const body = { detail: 'Version conflict', code: 'version_conflict', current_version: 4 };
    assert.deepEqual([reply.status, reply.body], [409, body]);
  });

  it('has the word lease in no conflict but that of leases', async () => {
    const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code][0] === 409);
    for (const code of codes) {
      const detail = code === 'lease_held' ? ERRORS[code][2] : 'The agent "release-bot" has it.';
      const error = refused(code, detail, { state: { intent_status: 'active' } });
      const rig = rigOver({ answers: { setStatus: () => Promise.reject(error) } });
      const reply = await post(rig, `${PATH}/status`, { status: 'active' }, { 'If-Match': '3' });
      assert.equal(reply.status, 409);
      assert.equal(/lease/i.test(reply.text), code === 'lease_held', reply.text);
    }
  });

  it('asks for the suspension_id before it looks for the intent', async () => {
    const path = '/api/v1/intents/unknown/suspend/respond';
    const reply = await createRig().send('operator', 'post', path).send({ value: 'yes' });
    const body = { detail: 'suspension_id is required', code: 'missing_suspension_id' };
    assert.deepEqual([reply.status, reply.body], [422, body]);
  });

  it('reveals nothing of what failed unexpectedly', async () => {
    const rig = rigOver({ answers: { intent: () => Promise.reject(new Error('secret cause')) } });
    const reply = await read(rig, PATH);
    assert.equal(reply.status, 500);
    assert.deepEqual(Object.keys(reply.body), ['detail', 'code']);
    assert.ok(!reply.text.includes('secret cause'));
  });
});
