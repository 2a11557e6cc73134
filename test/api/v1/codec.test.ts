import assert from 'node:assert/strict';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { describe, it } from 'mocha';
import type { Browsers } from '../../../api/sign-in/start.js';
import { createSignIn } from '../../../api/sign-in/sign-in.js';
import { KeyRing } from '../../../api/sign-in/key-ring.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { emptyFeed } from '../../support/events.js';
import { KEYS, createRig } from '../support/harness.js';

const UI = 'https://temporal.example.com';
const APP = 'https://app.example.com';
const CONFIG = { codec: { origin: UI }, cors_origins: [APP] };
const COOKIE = 'holdpoint_session_4000=admins-session';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A codec that puts each payload into one with its name. It cannot take apart what another has made. */
function wrapping(name: string): PayloadCodec {
  const encoding = Buffer.from(`binary/${name}`);
  return {
    encode: async (payloads) =>
      payloads.map((payload) => ({
        metadata: { encoding, inner: payload.metadata?.['encoding'] ?? new Uint8Array() },
        data: Buffer.concat([Buffer.from(`${name}:`), payload.data ?? Buffer.of()]),
      })),
    decode: async (payloads) => payloads.map((payload) => unwrapped(payload, name)),
  };
}

function unwrapped({ metadata, data }: Payload, name: string): Payload {
  const text = Buffer.from(data ?? []).toString();
  if (!text.startsWith(`${name}:`)) throw new Error(`not mine: ${text}`);
  const encoding = metadata?.['inner'] ?? new Uint8Array();
  return { metadata: { encoding }, data: Buffer.from(text.slice(name.length + 1)) };
}

/** Whoever brings the cookie is signed in as an admin. */
const browsers = {
  sessions: {
    find: async (token: string) =>
      token === 'admins-session'
        ? {
            caller: { space: 'default', principal: 'root', roles: ['admin'], groups: [] },
            session: { csrf: 'csrf' },
            holds: () => true,
          }
        : undefined,
  },
} as unknown as Browsers;

function rigWith(config: object = CONFIG) {
  const codecs = [wrapping('packed'), wrapping('sealed')];
  const ring = new KeyRing([
    { key: KEYS.admin, principal: 'root', roles: ['admin'] },
    { key: KEYS.auditor, principal: 'carol', roles: ['auditor'] },
    { key: KEYS.operator, principal: 'alice', roles: ['operator'] },
  ]);
  const more = { browsers, ...('codec' in config && { codecs }) };
  return createRig({}, config, emptyFeed(), undefined, createSignIn(ring), more);
}

const PLAIN = {
  payloads: [
    { metadata: { encoding: base64('json/plain') }, data: base64('"Refund?"') },
    { metadata: { encoding: base64('binary/null') }, data: '' },
  ],
};
const TWICE = {
  payloads: [
    {
      metadata: { encoding: base64('binary/sealed'), inner: base64('binary/packed') },
      data: base64('sealed:packed:"Refund?"'),
    },
  ],
};

describe('the codec', () => {
  const post = (what: string, rig = rigWith()) => rig.send('admin', 'post', `/v1/codec/${what}`);

  it('encodes through every codec in its order', async () => {
    const { status, body } = await post('encode').send(PLAIN);
    assert.equal(status, 200);
    assert.deepEqual(body.payloads[0], TWICE.payloads[0]);
    assert.equal(body.payloads.length, 2);
  });

  it('decodes through them the other way round', async () => {
    const { status, body } = await post('decode').send(TWICE);
    assert.equal(status, 200);
    const [decoded] = body.payloads as { metadata: object; data: string }[];
    assert.equal(decoded?.data, base64('"Refund?"'));
  });

  it('takes payloads as Temporal writes them, with nothing left out or in', async () => {
    const { status, body } = await post('encode')
      .set('X-Namespace', 'default')
      .send({ payloads: [{ data: base64('x'), externalPayloads: [] }, { metadata: null }] });
    assert.deepEqual([status, body.payloads.length], [200, 2]);
  });

  it('takes an empty list, which the command line of Temporal leaves out', async () => {
    for (const sent of [{}, { payloads: null }, { payloads: [] }]) {
      const { status, body } = await post('decode').send(sent);
      assert.deepEqual([status, body], [200, { payloads: [] }]);
    }
  });

  it('is not there unless the configuration has it', async () => {
    for (const what of ['encode', 'decode']) {
      const { status, body } = await post(what, rigWith({})).send(PLAIN);
      assert.deepEqual([status, body.code], [422, 'codec_not_configured']);
    }
  });

  it('says of payloads that it cannot take apart only that it cannot', async () => {
    const { status, body } = await post('decode').send(PLAIN);
    assert.deepEqual([status, body.code], [422, 'payloads_unreadable']);
    assert.doesNotMatch(JSON.stringify(body), /Refund|not mine/);
  });

  for (const [what, sent, field] of [
    ['no list', { payloads: {} }, 'payloads'],
    ['no base64', { payloads: [{ data: 'ä' }] }, 'payloads[0].data'],
    [
      'half of base64',
      { payloads: [{ metadata: { encoding: 'abc' } }] },
      'payloads[0].metadata.encoding',
    ],
    ['too many payloads', { payloads: Array(LIMITS.payloads + 1).fill({}) }, 'payloads'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { status, body } = await post('decode').send(sent);
      assert.deepEqual([status, body.code, body.field], [422, 'invalid_request', field]);
      assert.ok(JSON.stringify(body).length < 4_096);
    });
  }

  it('takes what no other route takes, and refuses more', async () => {
    const sized = (bytes: number) => ({ payloads: [{ data: 'A'.repeat(bytes - (bytes % 4)) }] });
    assert.equal((await post('encode').send(sized(2_000_000))).status, 200);
    const { status, body } = await post('encode').send(sized(LIMITS.codecBytes));
    assert.deepEqual([status, body.accepted], [413, `at most ${LIMITS.codecBytes} bytes`]);
  });
});

describe('a page of Temporal', () => {
  const ask = (origin: string, what = 'decode') =>
    rigWith().send(undefined, 'post', `/v1/codec/${what}`).set({
      Host: '127.0.0.1:4000',
      Cookie: COOKIE,
      Origin: origin,
      'Sec-Fetch-Site': 'same-site',
    });

  it('reads the codec by the session of the person who has it open', async () => {
    const { status, headers } = await ask(UI).send(TWICE);
    assert.equal(status, 200);
    assert.equal(headers['access-control-allow-origin'], UI);
    assert.equal(headers['access-control-allow-credentials'], 'true');
  });

  it('is asked for by browsers with the headers that it sends', async () => {
    const { status, headers } = await rigWith()
      .send(undefined, 'options' as 'get', '/v1/codec/decode')
      .set({
        Origin: UI,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-namespace,content-type',
      });
    assert.equal(status, 204);
    assert.equal(headers['access-control-allow-origin'], UI);
    assert.match(headers['access-control-allow-headers'] ?? '', /X-Namespace/);
  });

  it('is no other page, also none that may use the rest of the API', async () => {
    for (const origin of [APP, 'https://evil.example', `${UI}.evil.example`, 'null']) {
      const { status, body, headers } = await ask(origin).send(TWICE);
      assert.deepEqual([status, body.code], [403, 'cross_site'], origin);
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
    }
  });

  it('uses nothing else by a session', async () => {
    const { status, body } = await rigWith()
      .send(undefined, 'get', '/v1/suspensions')
      .set({ Host: '127.0.0.1:4000', Cookie: COOKIE, Origin: UI, 'Sec-Fetch-Site': 'same-site' });
    assert.deepEqual([status, body.code], [403, 'cross_site']);
  });
});
