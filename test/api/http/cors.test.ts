import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import { createRig } from '../support/harness.js';
import { INTENT, INTENT_ID } from '../support/records.js';

const APP = 'https://app.example.com';
const OTHERS = ['https://evil.example', 'http://app.example.com', `${APP}.evil.example`, 'null'];
const NAMED = { cors_origins: [APP, 'http://localhost:5173'] };
const PATH = `/v1/intents/${INTENT_ID}`;

/** What a browser asks before it lets a page send a key. */
function preflight(rig: ReturnType<typeof createRig>, origin: string, path = PATH) {
  return rig
    .send(undefined, 'options' as 'get', path)
    .set('Origin', origin)
    .set('Access-Control-Request-Method', 'PATCH')
    .set('Access-Control-Request-Headers', 'x-api-key,if-match');
}

const grants = (headers: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('pages of other origins', () => {
  it('may do nothing unless the configuration names them', async () => {
    const rig = createRig();
    for (const origin of [APP, ...OTHERS]) {
      assert.deepEqual(grants((await preflight(rig, origin)).headers), []);
      const reply = await rig.send('agent', 'get', PATH).set('Origin', origin);
      assert.deepEqual([reply.status, grants(reply.headers)], [200, []]);
    }
  });

  it('may call with a key where they are named', async () => {
    const rig = createRig({}, NAMED);
    const asked = await preflight(rig, APP);
    assert.equal(asked.status, 204);
    assert.equal(asked.headers['access-control-allow-origin'], APP);
    assert.match(asked.headers['access-control-allow-methods'] ?? '', /PATCH/);
    for (const name of ['X-API-Key', 'Authorization', 'If-Match', 'Last-Event-ID']) {
      assert.ok(asked.headers['access-control-allow-headers']?.includes(name), name);
    }
    const reply = await rig.send('agent', 'get', PATH).set('Origin', APP);
    assert.deepEqual([reply.status, reply.body.id], [200, INTENT.id]);
    assert.equal(reply.headers['access-control-allow-origin'], APP);
    assert.match(reply.headers['vary'] ?? '', /Origin/);
    assert.match(reply.headers['access-control-expose-headers'] ?? '', /ETag/);
  });

  it('read why they are refused, too', async () => {
    const rig = createRig({}, NAMED);
    const reply = await rig.send(undefined, 'get', PATH).set('Origin', APP);
    assert.deepEqual(
      [reply.status, reply.body.code, reply.headers['access-control-allow-origin']],
      [401, 'unauthenticated', APP],
    );
  });

  it('get nothing where they are others', async () => {
    const rig = createRig({}, NAMED);
    for (const origin of OTHERS) {
      const asked = await preflight(rig, origin);
      assert.equal(asked.headers['access-control-allow-origin'], undefined, origin);
      const reply = await rig.send('agent', 'get', PATH).set('Origin', origin);
      assert.equal(reply.headers['access-control-allow-origin'], undefined, origin);
    }
  });

  it('bring no cookie, and get to no session, page or other API', async () => {
    const rig = createRig({}, NAMED);
    for (const path of [PATH, '/session', '/inbox', '/api/v1/intents', '/mcp', '/docs']) {
      const { headers } = await preflight(rig, APP, path);
      assert.equal(headers['access-control-allow-credentials'], undefined, path);
      if (path !== PATH) assert.deepEqual(grants(headers), [], path);
    }
    const reply = await rig.send('agent', 'get', PATH).set('Origin', APP);
    assert.equal(reply.headers['access-control-allow-credentials'], undefined);
  });

  it('are named by whole origins', () => {
    for (const good of [APP, 'http://localhost:5173', 'https://[::1]:8443']) {
      assert.ok(serverConfigSchema.safeParse({ cors_origins: [good] }).success, good);
    }
    const bad = ['*', 'null', `${APP}/`, `${APP}/path`, 'app.example.com', 'https://*.example.com'];
    for (const one of [
      ...bad,
      'HTTPS://app.example.com',
      'https://app.example.com:443',
      'file://',
    ]) {
      const { error } = serverConfigSchema.safeParse({ cors_origins: [one] });
      assert.deepEqual(error?.issues[0]?.path, ['cors_origins', 0], one);
    }
  });
});
