import assert from 'node:assert/strict';
import { createRig } from './harness.js';
import { CANCELLED, INTENT_ID, SUSPENSION_ID, VIEW } from './records.js';

const SUSPEND = `/v1/intents/${INTENT_ID}/suspend`;
const LOCATION = `/v1/suspensions/${SUSPENSION_ID}`;

describe('asking', () => {
  it('returns 201 with the view and its Location', async () => {
    const rig = createRig();
    const body = { question: 'Go?', response_type: 'text', retry_policy: null, request_key: 'r-1' };
    const reply = await rig.send('agent', 'post', SUSPEND).send(body);
    assert.deepEqual([reply.status, reply.headers['location']], [201, LOCATION]);
    assert.deepEqual(reply.body, VIEW);
    assert.deepEqual(rig.calls[0]?.args.slice(1), [
      INTENT_ID,
      { ...body, inherit_retry_policy: true },
    ]);
  });

  it('returns 200 where the question was asked before', async () => {
    const outcome = { created: false, view: VIEW, warnings: [] };
    const rig = createRig({ suspend: () => Promise.resolve(outcome) });
    const reply = await rig.send('agent', 'post', SUSPEND).send({ question: 'Go?' });
    assert.deepEqual([reply.status, reply.headers['location']], [200, LOCATION]);
  });

  it('passes warnings on', async () => {
    const outcome = { created: true, view: VIEW, warnings: ['attempt 9 never fires'] };
    const rig = createRig({ suspend: () => Promise.resolve(outcome) });
    const reply = await rig.send('agent', 'post', SUSPEND).send({ question: 'Go?' });
    assert.deepEqual(reply.body.warnings, ['attempt 9 never fires']);
  });

  it('says which fields it does not know, and asks all the same', async () => {
    const rig = createRig();
    const choice = { value: 'a', label: 'A', colour: 'red' };
    const body = { question: 'Go?', choices: [choice], timeout_second: 60, confidance: null };
    const reply = await rig.send('agent', 'post', SUSPEND).send(body);
    assert.equal(reply.status, 201);
    assert.deepEqual(reply.body.warnings, [
      'choices[0].colour is not known here and was ignored.',
      'timeout_second is not known here and was ignored.',
    ]);
  });

  it('takes a null for what is left out', async () => {
    const rig = createRig();
    const left = { choices: null, context: null, channel_hint: null, timeout_seconds: null };
    const body = { question: 'Go?', response_type: 'text', fallback_value: null, ...left };
    const reply = await rig.send('agent', 'post', SUSPEND).send(body);
    assert.equal(reply.status, 201);
    assert.deepEqual(rig.calls[0]?.args[2], {
      ...{ question: 'Go?', response_type: 'text', inherit_retry_policy: true },
      fallback_value: null,
    });
    const withdrawn = await rig.send('agent', 'post', `${SUSPEND}/cancel`).send({ reason: null });
    assert.deepEqual([withdrawn.status, rig.calls[1]?.args[2]], [200, {}]);
  });

  it('withdraws with a reason', async () => {
    const rig = createRig();
    const body = { suspension_id: SUSPENSION_ID, reason: 'obsolete' };
    const reply = await rig.send('agent', 'post', `${SUSPEND}/cancel`).send(body);
    assert.deepEqual([reply.status, reply.body], [200, CANCELLED]);
    assert.deepEqual(rig.calls[0]?.args.slice(1), [INTENT_ID, body]);
  });

  it('fills in the signals that are missing [R25-70]', async () => {
    const rig = createRig();
    const path = `/v1/intents/${INTENT_ID}/engagement`;
    const reply = await rig.send('agent', 'post', path).send({ risk: 0.4 });
    const signals = { confidence: 1, risk: 0.4, reversibility: 1, context: {} };
    assert.equal(reply.body.mode, 'autonomous');
    assert.deepEqual(rig.calls[0]?.args.slice(1), [INTENT_ID, signals]);
  });
});

describe('reading a suspension', () => {
  it('returns its view, stale where it may be', async () => {
    const rig = createRig({ getSuspension: () => Promise.resolve({ value: VIEW, stale: true }) });
    const reply = await rig.send('operator', 'get', LOCATION);
    assert.deepEqual([reply.body, reply.headers['holdpoint-stale']], [VIEW, 'true']);
  });

  it('waits 30 seconds unless told otherwise', async () => {
    const rig = createRig();
    assert.deepEqual((await rig.send('agent', 'get', `${LOCATION}/wait`)).body, VIEW);
    await rig.send('agent', 'get', `${LOCATION}/wait?timeout_seconds=60&after_attempt=2`);
    const options = rig.calls.map(({ args }) => {
      const { signal: _, ...rest } = args[1] as { signal: AbortSignal };
      return rest;
    });
    assert.deepEqual(options, [{ timeoutSeconds: 30 }, { timeoutSeconds: 60, afterAttempt: 2 }]);
  });

  for (const query of ['timeout_seconds=61', 'timeout_seconds=0', 'timeout_seconds=soon']) {
    it(`refuses to wait with ${query}`, async () => {
      const rig = createRig();
      const reply = await rig.send('agent', 'get', `${LOCATION}/wait?${query}`);
      assert.deepEqual([reply.status, reply.body.field], [422, 'timeout_seconds']);
      assert.deepEqual(rig.calls, []);
    });
  }
});
