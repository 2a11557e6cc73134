import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { after, before, describe, it } from 'mocha';
import type { BulkOutcome } from '../../../api/usecases/suspension/respond-to-many.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { BulkAnswers } from '../../../contracts/suspension/view.js';
import { KEYS, createRig } from '../support/harness.js';
import { outcomesOf } from '../support/questions.js';

/*
 * Errors that are summed up, or that repeat what somebody sent in a header, an address, a compressed body or a message of MCP.
 */

const REPLY_BYTES = 64 * 1024;

const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

describe('the reply to many answers that are refused', () => {
  const answers = Array.from({ length: LIMITS.bulkAnswers }, (_, index) => ({
    suspension_id: idOf(index),
  }));

  /** The reply where each of 100 answers is refused. */
  async function replied(refusal: (index: number) => Refusal, ids = answers) {
    const outcomes: readonly BulkOutcome[] = ids.map(({ suspension_id }, index) => ({
      suspension_id,
      outcome: 'refused',
      refusal: refusal(index),
    }));
    const rig = createRig({ respond: outcomesOf(outcomes) });
    const reply = await rig
      .send('operator', 'post', '/v1/suspensions/respond')
      .set('X-Request-Id', 'r'.repeat(128))
      .send({ answers: ids, value: 'nowhere' });
    assert.equal(reply.status, 200);
    const { results } = reply.body as BulkAnswers;
    assert.equal(results.length, answers.length);
    return { results, bytes: Buffer.byteLength(reply.text) };
  }

  const choices = Array.from({ length: LIMITS.choices }, (_, index) => `${index}`.padEnd(900, 'x'));
  const wrong: Refusal = {
    code: 'invalid_value',
    detail: 'The value is none of the valid choices.',
    field: 'value',
    accepted: 'one of valid_choices',
    valid_choices: choices,
  };

  it('says the choices of all of them once, and of the others where they stand', async () => {
    const { results, bytes } = await replied((index) =>
      index % 2 === 0 ? wrong : { ...wrong, valid_choices: choices.toReversed() },
    );
    assert.ok(bytes < REPLY_BYTES + JSON.stringify(choices).length, `${bytes}`);
    assert.deepEqual(results[0]?.problem?.valid_choices, choices);
    for (const { problem } of results.slice(1)) {
      assert.equal(problem?.valid_choices, undefined);
      assert.equal(problem?.accepted, 'one of the valid_choices of results[0].problem');
    }
  });

  it('says the choices of each question that has others', async () => {
    const { results } = await replied((index) =>
      index === 7 ? { ...wrong, valid_choices: ['eu', 'us'] } : wrong,
    );
    assert.deepEqual(results[7]?.problem?.valid_choices, ['eu', 'us']);
    assert.equal(results[8]?.problem?.accepted, 'one of the valid_choices of results[0].problem');
  });

  it('keeps usual problems as they are', async () => {
    const state = { holder: 'alice', expires_at: '2026-11-20T10:00:00.000Z' };
    const claimed: Refusal = { code: 'claimed_by_other', detail: 'Alice has claimed it.', state };
    const { results } = await replied(() => claimed);
    for (const { problem } of results) {
      assert.deepEqual([problem?.detail, problem?.state], [claimed.detail, state]);
    }
  });

  it('is small whatever each of them says', async () => {
    const long = '\u0001'.repeat(9_000);
    const { results, bytes } = await replied((index) => ({
      code: index % 2 === 0 ? 'invalid_value' : 'claimed_by_other',
      detail: long,
      field: long,
      accepted: long,
      state: { holder: long },
    }));
    assert.ok(bytes < REPLY_BYTES, `${bytes}`);
    assert.match(String(results[99]?.problem?.detail), /…$/);
  });

  it('is small whatever stands in the place of ids', async () => {
    const ids = answers.map((_, index) => ({ suspension_id: '問'.repeat(190) + String(index) }));
    const missing = { code: 'suspension_not_found', detail: 'No suspension has this id.' } as const;
    const { bytes } = await replied(() => missing, ids);
    assert.ok(bytes < REPLY_BYTES, `${bytes}`);
  });
});

describe('an error that repeats what was sent', () => {
  const LONG = 'x'.repeat(14_000);
  const HUGE = 'x'.repeat(200_000);
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer(createRig().app).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const message = (params: object, rest: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...rest });
  const tool = (name: unknown, given: object = {}) => message({ name, arguments: given });
  const asked = { question: 'x', request_key: 'k' };
  const mcp = (body: string, headers: Readonly<Record<string, string>> = {}) => ({
    path: '/mcp',
    init: { method: 'POST', body, headers },
  });
  const posted = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => ({
    path: '/v1/intents',
    init: { method: 'POST', body, headers },
  });
  const gzipped = (text: string) =>
    posted(new Uint8Array(gzipSync(text)), { 'Content-Encoding': 'gzip' });
  const many = Array.from({ length: 20_000 }, (_, index) => [`name-${index}`, 1] as const);

  const SENT: Readonly<Record<string, { readonly path: string; readonly init: RequestInit }>> = {
    'a cursor': { path: `/v1/suspensions?cursor=${LONG}`, init: {} },
    'an unknown parameter': { path: `/v1/suspensions?${LONG}=1`, init: {} },
    'a number of the OpenIntent API': { path: `/api/v1/intents?limit=${LONG}`, init: {} },
    'an id in a path': { path: `/v1/intents/${LONG}`, init: {} },
    'a key of idempotency': posted('{"title":"x"}', { 'Idempotency-Key': LONG }),
    'a media type': posted('{}', { 'Content-Type': LONG }),
    'a charset': posted('{}', { 'Content-Type': `application/json; charset=${LONG}` }),
    'an encoding': posted('{}', { 'Content-Encoding': LONG }),
    'a packed body with many names': gzipped(JSON.stringify(Object.fromEntries(many))),
    'a packed body with a long name': gzipped(`{"${HUGE}":1}`),
    'a packed body that is far too large': gzipped(`"${HUGE.repeat(100)}"`),
    'the name of a tool': mcp(tool(HUGE)),
    'the name of a tool, in escapes': mcp(tool('\u0001'.repeat(40_000))),
    'a name of a tool that is no text': mcp(tool({ [HUGE]: 1 })),
    'the name of a prompt': mcp(message({ name: HUGE }, { method: 'prompts/get' })),
    'the id of a message': mcp(message({ name: 'ask_human', arguments: {} }, { id: HUGE })),
    'a method': mcp(message({}, { method: HUGE })),
    'a version of the protocol': mcp(tool('ask_human'), { 'MCP-Protocol-Version': LONG }),
    'an argument of a tool': mcp(tool('ask_human', { ...asked, response_type: HUGE })),
    'the name of an argument': mcp(tool('ask_human', { [HUGE]: 1 })),
    'many messages': mcp(JSON.stringify(Array.from({ length: 2_000 }, () => ({ id: 1 })))),
  };
  for (const [what, { path, init }] of Object.entries(SENT)) {
    it(`is small for ${what}`, async () => {
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'X-API-Key': KEYS.both,
        ...(init.headers as Record<string, string> | undefined),
      };
      const reply = await fetch(url + path, { ...init, headers });
      const text = await reply.text();
      assert.ok(Buffer.byteLength(text) < REPLY_BYTES, `${reply.status} ${text.length}`);
      assert.ok(reply.status < 500, text.slice(0, 300));
    });
  }
});
