import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import pg from 'pg';
import { pino } from 'pino';
import supertest from 'supertest';
import { InvalidInputError, RefusalError } from '../../../api/errors.js';
import { handleErrors } from '../../../api/http/problem.js';
import type { Parts } from '../../../api/parts/index.js';
import { ERRORS, type ErrorCode } from '../../../contracts/constants/errors.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import { createRig, KEYS, rigOver } from '../support/harness.js';
import { knowingIntent } from '../support/parts.js';
import { INTENT, INTENT_ID, LEASE_ID } from '../support/records.js';

const PATH = `/v1/intents/${INTENT_ID}`;
/** Reads of intents fail so, whatever Temporal and the store say. */
const failing = (error: Error) => {
  const reads = { getIntent: () => Promise.reject(error) } as unknown as Parts['reads'];
  return rigOver({ instead: { reads } });
};
/** Whatever the error, and so also refusals that this route never gives. */
const read = (error: Error) =>
  supertest(failing(error).unchecked).get(PATH).set('X-API-Key', KEYS.agent);

/** By status: seconds after which it is worth trying again. */
const RETRY_AFTER: Readonly<Record<number, string>> = { 429: '10', 503: '1' };

describe('problem bodies', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    it(`renders ${code} as its table row says`, async () => {
      const reply = await read(new RefusalError({ code, detail: 'Because.' }));
      const [status, title] = ERRORS[code];
      assert.equal(reply.status, status);
      assert.equal(reply.type, 'application/problem+json');
      assert.deepEqual(JSON.parse(reply.text), {
        type: `urn:holdpoint:error:${code}`,
        title,
        status,
        detail: 'Because.',
        code,
        request_id: reply.headers['x-request-id'],
      });
      assert.equal(reply.headers['retry-after'], RETRY_AFTER[status]);
    });
  }

  it('passes nothing on that a refusal should not hold', async () => {
    const refusal = { code: 'lease_held', detail: 'x', stack: 'at secret', status: 200 } as Refusal;
    const reply = await read(new RefusalError(refusal));
    assert.equal(reply.body.status, 409);
    assert.equal(reply.body.stack, undefined);
  });

  it('reveals nothing of an unexpected error but the request id', async () => {
    const rig = failing(new TypeError('SELECT secret FROM intents'));
    const reply = await rig.send('agent', 'get', PATH).set('X-Request-Id', 'req-1');
    assert.deepEqual(JSON.parse(reply.text), {
      type: 'urn:holdpoint:error:internal',
      title: ERRORS.internal[1],
      status: 500,
      detail: ERRORS.internal[2],
      code: 'internal',
      request_id: 'req-1',
    });
    assert.match(rig.logged(), /"request_id":"req-1".*"name":"TypeError".*unexpected error/);
    assert.doesNotMatch(rig.logged(), /SELECT/);
  });

  it('says 500 and logs the code where the store refuses a statement for good', async () => {
    const error = new pg.DatabaseError('invalid input syntax: "a secret"', 1, 'error');
    const rig = failing(Object.assign(error, { code: '22P02' }));
    for (const path of [PATH, `/api${PATH}`]) {
      const reply = await rig.send('agent', 'get', path);
      assert.deepEqual([reply.status, reply.body.code], [500, 'internal']);
      assert.equal(reply.headers['retry-after'], undefined);
    }
    assert.match(rig.logged(), /"level":50.*"code":"22P02".*unexpected error/);
    assert.doesNotMatch(rig.logged(), /a secret/);
  });

  it('renders a refusal below another error', async () => {
    const cause = new RefusalError({ code: 'lease_not_found', detail: 'x' });
    assert.equal((await read(new Error('wrapped', { cause }))).status, 404);
  });
});

describe('routes and methods', () => {
  it('says 404 outside /v1, without a key [AM-16]', async () => {
    for (const path of ['/', '/intents', '/v2/intents', `/intents/${INTENT_ID}`]) {
      const reply = await createRig().send(undefined, 'get', path);
      assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
    }
  });

  it('says 400 for a path that cannot be decoded', async () => {
    const reply = await createRig().send('agent', 'get', '/v1/intents/%E0%A4%A');
    assert.deepEqual([reply.status, reply.body.code], [400, 'invalid_text']);
  });

  it('says 404 for an id that cannot be one', async () => {
    const rig = createRig();
    const cases = [
      ['get', '/v1/intents/..%2Fsecrets', 'intent_not_found'],
      ['get', '/v1/suspensions/1', 'suspension_not_found'],
      ['delete', `${PATH}/leases/1`, 'lease_not_found'],
    ] as const;
    for (const [verb, path, code] of cases) {
      assert.equal((await rig.send('agent', verb, path)).body.code, code);
    }
    assert.deepEqual([rig.sent, rig.asked], [[], []]);
  });

  const METHODS = [
    ['put', '/v1/intents', 'GET, HEAD, POST'],
    ['patch', `${PATH}/state`, 'POST'],
    ['post', `${PATH}/leases/${LEASE_ID}`, 'PATCH, DELETE'],
    ['post', '/v1/server/config', 'GET, HEAD'],
    ['put', '/v1/server/config', 'GET, HEAD'],
    ['patch', '/v1/server/config', 'GET, HEAD'],
    ['delete', '/v1/server/config', 'GET, HEAD'],
  ] as const;
  for (const [verb, path, allow] of METHODS) {
    it(`says 405 to ${verb} ${path} [R26-70]`, async () => {
      const rig = createRig();
      const reply = await rig.send('agent', verb, path);
      assert.deepEqual([reply.status, reply.body.code], [405, 'method_not_allowed']);
      assert.equal(reply.headers['allow'], allow);
      assert.deepEqual([rig.sent, rig.asked], [[], []]);
    });
  }

  it('keeps a sane request id and replaces any other', async () => {
    const send = (id: string) =>
      createRig().send(undefined, 'get', '/health').set('X-Request-Id', id);
    assert.equal((await send('abc-1')).headers['x-request-id'], 'abc-1');
    assert.match((await send('a b')).headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
    assert.match((await send('x'.repeat(129))).headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  });

  it('hides its make and forbids caching', async () => {
    const { headers } = await createRig().send(undefined, 'get', '/health');
    assert.equal(headers['x-powered-by'], undefined);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
  });
});

describe('a reply that cannot be made as it was meant', () => {
  /** What the server sends for the bytes of a request. */
  async function sent(bytes: string): Promise<string> {
    const server = createServer(createRig().unchecked).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(bytes);
      return await text(socket);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  const request = (target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

  it('is a problem where the URL cannot be read', async () => {
    const { NODE_ENV } = process.env;
    delete process.env['NODE_ENV'];
    try {
      for (const target of ['http://[', 'http://[::1', 'http://a:b:c/', '//', '/%ff', '/v1/%']) {
        const reply = await sent(request(target));
        assert.match(reply, /^HTTP\/1\.1 4\d\d /, target);
        assert.match(reply, /application\/problem\+json|"code":/, target);
        assert.doesNotMatch(reply, /<html|<pre|\bat .*:\d+:\d+/i, target);
      }
    } finally {
      if (NODE_ENV !== undefined) process.env['NODE_ENV'] = NODE_ENV;
    }
  });

  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  for (const [what, value] of [
    ['a value that leads to itself', circular],
    ['a number that JSON has not', 1n],
  ] as const) {
    for (const path of [`/v1/intents/${INTENT_ID}`, `/api/v1/intents/${INTENT_ID}`]) {
      it(`is a small 500 for ${what}, under ${path.slice(0, 5)}`, async () => {
        const intent = { ...INTENT, state: { value } };
        const rig = rigOver({ answers: knowingIntent(intent as never) });
        const reply = await rig.send('agent', 'get', path);
        assert.deepEqual([reply.status, JSON.parse(reply.text).code], [500, 'internal']);
        assert.ok(reply.text.length < 400, reply.text);
        assert.equal(reply.headers['etag'], undefined);
      });

      it(`is the refusal without ${what}, under ${path.slice(0, 5)}`, async () => {
        const state = { current_version: value } as unknown as Refusal['state'];
        const refusal = { code: 'intent_not_found', detail: 'Gone.', state } as Refusal;
        const rig = failing(new RefusalError(refusal));
        const reply = await rig.send('agent', 'get', path);
        assert.equal(reply.status, 404, reply.text);
      });
    }
  }

  it('is small whatever is thrown, and ends nothing', async () => {
    const loop = new Error('loop');
    loop.cause = loop;
    const unreadable = new Proxy(new Error('hidden'), {
      get() {
        throw new Error('unreadable');
      },
      has() {
        throw new Error('unreadable');
      },
    });
    for (const error of [loop, unreadable, Object.create(null), undefined, 'text', 7]) {
      const reply = await failing(error as Error).send('agent', 'get', PATH);
      assert.deepEqual([reply.status, JSON.parse(reply.text).code], [500, 'internal']);
    }
  });

  it('is cut where its texts are long, and names 20 fields at most', async () => {
    const long = 'é'.repeat(100_000);
    const issues = Array.from({ length: 9_000 }, () => ({
      field: long,
      detail: long,
      accepted: long,
    }));
    const state = { names: issues.map(() => long), [long]: long };
    const refusal = {
      code: 'invalid_plan',
      detail: long,
      field: long,
      accepted: long,
      state,
    } as const;
    const reply = await read(new InvalidInputError(refusal, issues));
    assert.equal(reply.status, 422);
    assert.ok(reply.text.length < 64 * 1024, String(reply.text.length));
    assert.equal(reply.body.errors.length, 20);
    assert.match(reply.body.detail, /^é+…$/);
  });

  it('keeps all valid choices', async () => {
    const valid_choices = Array.from({ length: 100 }, (_, index) => `${'c'.repeat(900)}${index}`);
    const refusal = { code: 'invalid_value', detail: 'No.', valid_choices } as const;
    const reply = await read(new RefusalError(refusal));
    assert.deepEqual(reply.body.valid_choices, valid_choices);
  });
});

describe('the log of a request', () => {
  it('ends nothing where its reader fails', async () => {
    const log = pino(
      {},
      {
        write: () => {
          throw new Error('the disk is full');
        },
      },
    );
    const handle = handleErrors(log);
    const app = express();
    app.use(() => {
      throw new Error('x');
    }, handle);
    const reply = await supertest(app).get('/');
    assert.deepEqual([reply.status, JSON.parse(reply.text).code], [500, 'internal']);
  });
});
