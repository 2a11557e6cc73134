import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { ManualClock } from '../support/fakes.js';
import { createRig, rigOver } from '../support/harness.js';
import { EVENT, INTENT, INTENT_ID } from '../support/records.js';

const PATH = `/api/v1/intents/${INTENT_ID}`;
const SOUGHT = [
  ['post', `/api/v1/escalations/${INTENT_ID}.${EVENT.id}/resolve`, 'Escalation'],
  ['delete', `${PATH}/agents/helper`, 'Assignment'],
] as const;

const verbOf = (path: string) => path.replaceAll(/[-0-9a-f]{36}/g, '…').slice(8);

describe('a record of an intent', () => {
  for (const [method, path, what] of SOUGHT) {
    it(`has no definite 404 by ${method} of ${verbOf(path)} while the store is behind`, async () => {
      const replies = [true, false].map((stale) => {
        const clock = new ManualClock();
        const silence = { position: () => clock.advance(4_000) };
        const rig = rigOver({
          clock,
          answers: stale ? silence : {},
          store: { findIntent: async () => INTENT },
        });
        return rig.send('both', method, path).send({ resolution: 'done' });
      });
      const [behind, caughtUp] = await Promise.all(replies);
      assert.equal(behind?.status, 503);
      const { status, body } = caughtUp ?? {};
      assert.deepEqual([status, body], [404, { detail: `${what} not found`, code: 'not_found' }]);
    });
  }

  it('is listed with those of all intents, however many there are', async () => {
    const asked = Array.from({ length: 1_001 }, (_, index): IntentEvent => ({
      ...EVENT,
      id: `event-${index}`,
      event_type: 'escalation_requested',
      payload: { reason: 'stuck' },
    }));
    const rig = rigOver({
      store: {
        findEvents: async (_types, { limit, offset }) => ({
          rows: asked.slice(offset, offset + limit),
          more: offset + limit < asked.length,
        }),
      },
    });
    const { body } = await rig.send('agent', 'get', '/api/v1/escalations');
    assert.equal(body.escalations.length, 1_001);
    assert.equal(body.escalations[0].id, `${INTENT_ID}.event-1000`);
  });

  it('tells when an access entry ends in UTC without a zone, however it was given', async () => {
    const entry = { principal_id: 'helper', expires_at: '2026-11-20T12:00:00+02:00' };
    for (const expires_at of [entry.expires_at, '2026-11-20T10:00:00', '2026-11-20T10:00:00Z']) {
      const body = { ...entry, expires_at };
      const added = await createRig().send('agent', 'post', `${PATH}/acl/entries`).send(body);
      assert.equal(added.body.expires_at, '2026-11-20T10:00:00.000000');
      const set = await createRig()
        .send('agent', 'put', `${PATH}/acl`)
        .send({ entries: [body] });
      assert.equal(set.body.entries[0].expires_at, '2026-11-20T10:00:00.000000');
    }
  });
});
