import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InputCancelledError, Operator } from '../../client/index.js';
import { agentOf, withServer } from './support/harness.js';
import { pending, SUSPENSION_ID } from './support/samples.js';

const OPENING = 'POST /v1/suspensions';
const RESUMING = `POST /v1/suspensions/${SUSPENSION_ID}/resume`;
const LIMITED = { reason: 'rate_limit', resume_signal: 'rate_limit_cleared' } as const;
const CLEARED = { resume_signal: 'rate_limit_cleared', data: { remaining: 500 } };
const RESULT = { intent_id: null, suspension_id: SUSPENSION_ID, resolution: 'responded' };

/** A pause that ended like this. */
function ended(settlement: object) {
  const view = pending();
  const pause = { ...LIMITED, resumable_by: [], timeout_outcome: 'skip', metadata: {} };
  return { ...view, state: 'settled', record: { ...view.record, pause, ...settlement } };
}

describe('a pause of an agent', () => {
  it('is opened once, and ends with the data of its signal', () =>
    withServer(async (server, pauses) => {
      const body = ended({ resolution: 'responded', response: { remaining: 500 } });
      server.on(OPENING, 'cut', { body });

      const end = await agentOf(server, pauses).pause(LIMITED);

      assert.deepEqual(end, { outcome: 'resumed', data: { remaining: 500 } });
      const keys = server
        .requests(OPENING)
        .map((seen) => (seen.body as { request_key: string }).request_key);
      assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
    }));

  it('ends with its timeout_outcome', () =>
    withServer(async (server, pauses) => {
      server.on(OPENING, { body: ended({ resolution: 'expired' }) });

      const end = await agentOf(server, pauses).pause({ ...LIMITED, request_key: 'limit-1' });

      assert.deepEqual(end, { outcome: 'skip', data: null });
      const [request] = server.requests(OPENING);
      assert.deepEqual(request?.body, { ...LIMITED, request_key: 'limit-1' });
    }));

  it('throws where it is withdrawn', () =>
    withServer(async (server, pauses) => {
      server.on(OPENING, { body: ended({ resolution: 'cancelled', reason: 'no need' }) });
      await assert.rejects(agentOf(server, pauses).pause(LIMITED), InputCancelledError);
    }));
});

describe('one call to resume for every reason', () => {
  it('repeats under one Idempotency-Key [JC-51]', () =>
    withServer(async (server, pauses) => {
      server.on(RESUMING, 'cut', { body: RESULT });

      const receipt = await agentOf(server, pauses).resume(SUSPENSION_ID, CLEARED);

      assert.deepEqual(receipt, { accepted: true, result: RESULT });
      const requests = server.requests(RESUMING);
      assert.deepEqual(
        requests.map(({ body }) => body),
        [CLEARED, CLEARED],
      );
      assert.equal(new Set(requests.map((seen) => seen.headers['idempotency-key'])).size, 1);
    }));

  it('answers a question, and tells what was handed over [JC-51]', () =>
    withServer(async (server, pauses) => {
      server.on(RESUMING, { status: 202, body: { status: 'handed_over' } });
      const timers = { pause: pauses.pause };
      const operator = new Operator({ baseUrl: server.url, apiKey: 'operator-key', timers });

      const answer = { value: 'approve' };
      const receipt = await operator.resume(SUSPENSION_ID, answer, { idempotencyKey: 'click-1' });

      assert.deepEqual(receipt, { accepted: false, suspension_id: SUSPENSION_ID });
      const [request] = server.requests(RESUMING);
      assert.deepEqual([request?.body, request?.headers['idempotency-key']], [answer, 'click-1']);
    }));
});
