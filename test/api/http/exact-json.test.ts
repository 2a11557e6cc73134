import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Response } from 'supertest';
import type { Binding } from '../../../api/http/route.js';
import { OPENINTENT_ROUTES } from '../../../api/openintent/index.js';
import { V1_ROUTES } from '../../../api/v1/index.js';
import { KEYS, createRig, sentIn, type KeyName, type Rig } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

/** JSON of which something would be lost, with the field that is at fault. */
const LOSSY: readonly (readonly [body: string, field: string])[] = [
  ['{"a":{"id":9007199254740993}}', 'a.id'],
  ['{"a":[0,1e-400]}', 'a[1]'],
  ['{"a":1e400}', 'a'],
  ['{"amount":1234567890.123456789}', 'amount'],
  ['{"a":{"to":"me","\\u0074o":"them"}}', 'a.to'],
];
/** What loses nothing, though it is written otherwise than it would be here. */
const KEPT = '{"a":[0.1,1.50,1E+2,-0,-0.0,9007199254740992,1e16,1.7976931348623157e+308,5e-324]}';

type Method = Binding['method'];

function post(rig: Rig, key: KeyName | undefined, method: Method, path: string, body: string) {
  return rig.send(key, method, path).set('Content-Type', 'application/json').send(body);
}

/** With the first key that has the right to it. */
async function sent(rig: Rig, method: Method, path: string, body: string): Promise<Response> {
  for (const key of Object.keys(KEYS) as KeyName[]) {
    const reply = await post(rig, key, method, path, body);
    if (reply.status !== 403) return reply;
  }
  return assert.fail(`no key may ${method} ${path}`);
}

const APIS = [
  ['/v1', V1_ROUTES],
  ['/api/v1', OPENINTENT_ROUTES],
] as const;

describe('JSON that could not be kept as it is', () => {
  for (const [api, routes] of APIS) {
    it(`is refused by every operation of ${api} that takes a body`, async () => {
      const rig = createRig();
      const taking = routes.filter(({ takesBody }) => takesBody);
      assert.ok(taking.length > 20);
      for (const { method, path } of taking) {
        const at = api + path.replace(/:\w+/g, INTENT_ID);
        const { status, body } = await sent(rig, method, at, '{"x":{"n":9007199254740993}}');
        assert.deepEqual([status, body.code], [422, 'invalid_request'], `${method} ${at}`);
      }
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    });
  }

  it('is refused with its path, and what to do, under /v1', async () => {
    const rig = createRig();
    for (const [body, field] of LOSSY) {
      const reply = await post(rig, 'agent', 'post', '/v1/intents', body);
      assert.deepEqual([reply.status, reply.body.field], [422, field], body);
      assert.match(reply.body.detail as string, /send it as text|stands twice/);
    }
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  it('is refused as no JSON, with its path, in the form of the OpenIntent API', async () => {
    const rig = createRig();
    const reply = await post(
      rig,
      'agent',
      'post',
      '/api/v1/intents',
      '{"title":"x","state":{"rows":[{"id":9007199254740993}]}}',
    );
    assert.equal(reply.status, 422);
    const [fault, ...more] = reply.body.detail as Record<string, unknown>[];
    assert.deepEqual(more, []);
    assert.equal(fault?.['type'], 'json_invalid');
    assert.deepEqual(fault['loc'], ['body', 'state', 'rows', 0, 'id']);
    assert.match(String(fault['msg']), /send it as text/);
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  it('is refused from a model', async () => {
    const rig = createRig();
    const call =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_human","arguments":{"question":"Pay?","request_key":"k","context":{"account":9007199254740993}}}}';
    const reply = await post(rig, 'agent', 'post', '/mcp', call).set(
      'Accept',
      'application/json, text/event-stream',
    );
    assert.deepEqual([reply.status, reply.body.field], [422, 'params.arguments.context.account']);
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  it('is all else taken as it is', async () => {
    const state = JSON.parse(KEPT) as object;
    for (const [path, body] of [
      ['/v1/intents', `{"title":"x","state":${KEPT}}`],
      ['/api/v1/intents', `{"title":"x","state":${KEPT}}`],
    ] as const) {
      const rig = createRig();
      const reply = await post(rig, 'agent', 'post', path, body);
      assert.ok(reply.status < 300, reply.text);
      const { intent } = sentIn(rig, 'intent');
      assert.deepEqual((intent as { state: unknown }).state, state);
    }
  });

  it('is not made of the numbers of a query', async () => {
    const rig = createRig();
    const lists = ['/v1/intents', '/api/v1/intents', '/v1/suspensions'];
    for (const limit of ['10.000000000000001', '1.0000000000000000001', '9007199254740993']) {
      for (const list of lists) {
        const reply = await rig.send('operator', 'get', `${list}?limit=${limit}`);
        assert.equal(reply.status, 422, `${list} ${limit}`);
      }
      const wait = `/v1/suspensions/${SUSPENSION_ID}/wait?after_attempt=${limit}`;
      assert.equal((await rig.send('operator', 'get', wait)).status, 422, limit);
    }
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });
});
