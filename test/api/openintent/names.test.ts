import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AppendEventInput } from '../../../workflows/intent/messages.js';
import { createRig, rigOver } from '../support/harness.js';
import { EVENT, INTENT_ID } from '../support/records.js';

const PATH = `/api/v1/intents/${INTENT_ID}`;

/** What the SDK sends of an agent that has no id. */
const SENT: readonly (readonly [path: string, name: string, body: object])[] = [
  ['/api/v1/intents', 'created_by', { title: 'Refund' }],
  [`${PATH}/events`, 'actor', { event_type: 'intent.suspended', payload: {} }],
  [`${PATH}/escalations`, 'escalated_by', { reason: 'stuck' }],
  [`${PATH}/approvals`, 'requested_by', { action: 'refund' }],
];

describe('an agent without an id', () => {
  for (const [path, name, body] of SENT) {
    it(`goes by the principal of its key as ${name}`, async () => {
      for (const empty of ['', null, undefined]) {
        const rig = createRig();
        const request = rig.send('agent', 'post', path).set('X-Agent-ID', '');
        const reply = await request.send({ ...body, [name]: empty });
        assert.equal(reply.status, 200, reply.text);
        assert.equal(reply.body[name], 'refund-agent');
      }
    });
  }

  it('is never cut: a header that is too long is refused', async () => {
    const rig = createRig();
    const at = (length: number) =>
      rig.send('agent', 'get', '/api/v1/intents').set('X-Agent-ID', 'a'.repeat(length));
    assert.equal((await at(200)).status, 200);
    const { status, text } = await at(201);
    assert.equal(status, 422);
    assert.match(text, /X-Agent-ID is too long/);
  });

  it('resolves no escalation, and an operator does under the same name', async () => {
    const asked = { ...EVENT, event_type: 'escalation_requested', payload: { reason: 'stuck' } };
    const rig = rigOver({ store: { listEvents: async () => ({ rows: [asked], more: false }) } });
    const path = `/api/v1/escalations/${INTENT_ID}.${EVENT.id}/resolve`;
    const body = { resolution: 'done', notes: '', resolved_by: '' };
    assert.equal((await rig.send('agent', 'post', path).send(body)).status, 403);
    assert.equal((await rig.send('operator', 'post', path).send(body)).status, 200);
    const [sent] = rig.sent.find(({ name }) => name === 'appendEvent')?.args ?? [];
    assert.equal((sent as AppendEventInput).payload['resolved_by'], 'alice');
  });

  it('is still refused for a name that is too long', async () => {
    const body = { title: 'Refund', created_by: 'x'.repeat(201) };
    const reply = await createRig().send('agent', 'post', '/api/v1/intents').send(body);
    assert.deepEqual([reply.status, reply.body.detail[0].loc], [422, ['body', 'created_by']]);
  });
});
