import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Response } from 'supertest';
import { createRig } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

/** U+0000; half of a surrogate pair, as UTF-8 would write it; and bytes that are no text at all. */
const UNSOUND = ['%00', 'a%00b', '%ED%A0%80', '%ED%BF%BF', '%FF', '%'];
const DIALECTS = ['/v1', '/api/v1'];
const INTENT = `/intents/${INTENT_ID}`;

function assertRefused({ status, body }: Response, field?: string): void {
  assert.deepEqual([status, body.code], [400, 'invalid_text'], JSON.stringify(body));
  if (field !== undefined && body.field !== undefined) assert.equal(body.field, field);
}

describe('text that cannot be kept', () => {
  for (const api of DIALECTS) {
    it(`is refused in paths of ${api}`, async () => {
      const rig = createRig();
      for (const text of UNSOUND) {
        for (const path of [`/intents/${text}`, `${INTENT}/leases/${text}`]) {
          const verb = path.includes('leases') ? 'delete' : 'get';
          assertRefused(await rig.send('agent', verb, api + path), 'path');
        }
        assertRefused(await rig.send('agent', 'get', `${api}/agents/${text}/subscribe`));
      }
      assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
    });

    it(`is refused in queries of ${api}, known or not`, async () => {
      const rig = createRig();
      for (const text of UNSOUND) {
        for (const query of [`created_by=${text}`, `limit=2&x=${text}`, `${text}=1`]) {
          assertRefused(await rig.send('agent', 'get', `${api}/portfolios?${query}`));
        }
        assertRefused(await rig.send(undefined, 'get', `${api}/server/config?x=${text}`));
      }
      assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
    });

    it(`is refused in texts and names of bodies of ${api}`, async () => {
      const rig = createRig();
      const bodies: readonly (readonly [string, object])[] = [
        ['title', { title: 'a\0b' }],
        ['state.note', { title: 'x', state: { note: '\ud800' } }],
        ['state.list[1].deep', { title: 'x', state: { list: [1, { deep: 'a\udc00' }] } }],
        ['state["\\u0000"]', { title: 'x', state: { '\0': 1 } }],
        ['state["\\ud800"]', { title: 'x', state: { '\ud800': 1 } }],
      ];
      for (const [field, body] of bodies) {
        assertRefused(await rig.send('agent', 'post', `${api}/intents`).send(body), field);
      }
      const answer = { suspension_id: SUSPENSION_ID, value: '\udbff' };
      const path = `${api}${INTENT}/suspend/respond`;
      assertRefused(await rig.send('operator', 'post', path).send(answer), 'value');
      assert.deepEqual([rig.calls, rig.sent, rig.asked], [[], [], []]);
    });

    it(`is no JSON where ${api} gets bytes that are not UTF-8`, async () => {
      const rig = createRig();
      const bytes = Buffer.concat([
        Buffer.from('{"title":"'),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]);
      const test = rig.send('agent', 'post', `${api}/intents`);
      const reply = await test
        .set('Content-Type', 'application/json')
        .send(bytes.toString('latin1'));
      assert.equal(reply.status < 400, true, 'the same as UTF-8 is a text');
      const raw = rig
        .send('agent', 'post', `${api}/intents`)
        .set('Content-Type', 'application/json');
      raw.write(bytes);
      assert.equal((await raw).body.code, 'malformed_json');
    });

    it(`is any other text in ${api}`, async () => {
      const title = 'é 😀 \ufffd \ufdd0 \u0001';
      const reply = await createRig().send('agent', 'post', `${api}/intents`).send({ title });
      assert.ok(reply.status < 300);
      const query = `created_by=${encodeURIComponent('zoé 😀+ 1')}`;
      const list = await createRig().send('agent', 'get', `${api}/portfolios?${query}`);
      assert.equal(list.status, 200);
    });
  }
});
