import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refused } from '../../../api/parts/refusals.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { TOKEN } from '../../support/secrets.js';
import type { RefusedAskInput } from '../../../workflows/intent/messages.js';
import { createRig, rigOver, type Rig } from '../support/harness.js';
import { INTENT_ID, SUSPENSION_ID } from '../support/records.js';

const PATH = `/api/v1/intents/${INTENT_ID}/state`;
const RECORD = { id: SUSPENSION_ID, question: 'Go?', response_type: 'confirm' };
const asking = (fields: object = {}) => ({
  patches: [{ op: 'set', path: '_suspension', value: { ...RECORD, ...fields } }],
});
const rejecting = (error: Error) =>
  rigOver({ answers: { patchState: () => Promise.reject(error) } });

async function post(rig: Rig, body: object | string, headers: Record<string, string> = {}) {
  const test = rig.send('agent', 'post', PATH).set({ 'If-Match': '3', ...headers });
  return test.set('Content-Type', 'application/json').send(body);
}

const endings = (rig: Rig) =>
  rig.sent
    .filter(({ name }) => name === 'endRefusedAsk')
    .map(({ workflowId, args }) => ({ workflowId, ...(args[0] as RefusedAskInput) }));

describe('a question that the OpenIntent API refuses', () => {
  const text = (fields: string) => JSON.stringify(asking()).replace('"Go?"', `"Go?",${fields}`);
  const REFUSED: readonly (readonly [what: string, body: object | string])[] = [
    ['a record with a credential', asking({ context: { token: TOKEN } })],
    ['a number that is not kept', text('"context":{"n":9007199254740993}')],
    ['a name that comes twice', text('"question":"Stop?"')],
    ['half of a pair', text(String.raw`"context":{"a":"\ud800"}`)],
    ['what is no JSON', '{"patches":['],
    ['no object', '[]'],
    ['too large a body', asking({ context: { a: 'x'.repeat(LIMITS.bodyBytes) } })],
    ['patches of no form', { patches: [{ op: 'put', path: '/_suspension/id', value: 1 }] }],
    ['patches and a state', { ...asking(), state: { _suspension: RECORD } }],
    ['a state with a key of no step', { state: { _suspension: RECORD, 'a/b': 1 } }],
  ];
  for (const [what, body] of REFUSED) {
    it(`lets its intent wait no longer: ${what}`, async () => {
      const rig = createRig();
      const reply = await post(rig, body);
      assert.ok(reply.status >= 400 && reply.status < 500, reply.text);
      const [ended, ...more] = endings(rig);
      const { workflowId, by, if_match, reason } = ended ?? {};
      assert.deepEqual(
        [by?.principal, workflowId, if_match],
        ['refund-agent', `intent-${INTENT_ID}`, 3],
      );
      assert.match(String(reason), /^The question was refused: \S/);
      assert.ok(!String(reason).includes(TOKEN));
      assert.deepEqual(more, []);
      const { detail } = reply.body as { detail: unknown };
      if (typeof detail === 'string') assert.match(detail, / The intent is no longer suspended\.$/);
    });
  }

  for (const code of ['invalid_patch', 'state_too_large', 'suspension_id_taken'] as const) {
    it(`lets its intent wait no longer, and says so: ${code}`, async () => {
      const rig = rejecting(refused(code, 'It is none.'));
      const reply = await post(rig, asking());
      const detail = 'It is none. The intent is no longer suspended.';
      assert.deepEqual(reply.body, { detail, code });
      assert.equal(endings(rig)[0]?.reason, 'The question was refused: It is none.');
    });
  }

  it('is refused as it is where its intent does not wait for it', async () => {
    const refusal = refused('invalid_patch', 'It is none.');
    for (const failure of [refused('forbidden', 'No.'), new Error('away')]) {
      const rig = rigOver({
        answers: {
          patchState: () => Promise.reject(refusal),
          endRefusedAsk: () => Promise.reject(failure),
        },
      });
      const reply = await post(rig, asking());
      assert.deepEqual(reply.body, { detail: 'It is none.', code: 'invalid_patch' });
    }
  });

  it('leaves the intent as it is where it may still be taken, or is none', async () => {
    const conflict = refused('version_conflict', 'Late.', { state: { current_version: 4 } });
    for (const error of [conflict, refused('workflow_unavailable', 'Away.'), new Error('odd')]) {
      const rig = rejecting(error);
      await post(rig, asking());
      assert.deepEqual(endings(rig), []);
    }
    const other = rejecting(refused('invalid_patch', 'It is none.'));
    await post(other, { patches: [{ op: 'set', path: 'note/_suspension', value: 1 }] });
    await post(other, { state: { note: 1 } });
    await post(other, asking(), { 'If-Match': 'three' });
    await other.send(undefined, 'post', PATH).set('If-Match', '3').send(asking());
    await other.send('operator', 'post', PATH).set('If-Match', '3').send(asking());
    assert.deepEqual(endings(other), []);
  });
});
