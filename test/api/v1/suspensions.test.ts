import assert from 'node:assert/strict';
import { createRig } from '../support/harness.js';
import { CANCELLED, INTENT_ID, SUSPENSION_ID, VIEW } from '../support/records.js';

const SUSPEND = `/v1/intents/${INTENT_ID}/suspend`;
const LOCATION = `/v1/suspensions/${SUSPENSION_ID}`;

describe('asking', () => {
  it('returns 201 with the view and its Location [AM-33]', async () => {
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

  it('returns 200 if the question was asked before', async () => {
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

  it('takes a null for what is left out', async () => {
    const rig = createRig();
    const left = { choices: null, context: null, channel_hint: null, timeout_seconds: null };
    const body = { question: 'Go?', response_type: 'text', fallback_value: null, ...left };
    const reply = await rig.send('agent', 'post', SUSPEND).send(body);
    assert.equal(reply.status, 201);
    assert.deepEqual(rig.calls[0]?.args[2], {
      question: 'Go?',
      response_type: 'text',
      inherit_retry_policy: true,
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

describe('a suspension without an intent', () => {
  it('is opened with 201, its view and its Location', async () => {
    const rig = createRig();
    const body = { question: 'Go?', response_type: 'text' };
    const reply = await rig.send('agent', 'post', '/v1/suspensions').send(body);
    assert.deepEqual([reply.status, reply.headers['location']], [201, LOCATION]);
    assert.equal(reply.body.intent_id, null);
    assert.deepEqual(rig.calls[0]?.args[1], {
      question: 'Go?',
      response_type: 'text',
      inherit_retry_policy: true,
    });
  });

  it('is opened by agents, not by operators', async () => {
    const rig = createRig();
    const reply = await rig.send('operator', 'post', '/v1/suspensions').send({ question: 'Go?' });
    assert.deepEqual([reply.status, rig.calls], [403, []]);
  });

  it('is answered by operators, by its own id', async () => {
    const rig = createRig();
    const answer = { value: 'yes' };
    const refused = await rig.send('agent', 'post', `${LOCATION}/respond`).send(answer);
    const reply = await rig.send('operator', 'post', `${LOCATION}/respond`).send(answer);
    assert.deepEqual([refused.status, reply.status], [403, 200]);
    const request = { suspension_id: SUSPENSION_ID, value: 'yes' };
    assert.deepEqual(rig.calls.length, 1);
    assert.deepEqual(rig.calls[0]?.args.slice(1), [undefined, request, undefined]);
  });

  it('says where to look for an answer that was handed over', async () => {
    const outcome = { accepted: false, suspension_id: SUSPENSION_ID } as const;
    const rig = createRig({ respond: () => Promise.resolve(outcome) });
    const reply = await rig.send('operator', 'post', `${LOCATION}/respond`).send({ value: 'yes' });
    assert.deepEqual([reply.status, reply.headers['location']], [202, LOCATION]);
    assert.equal(reply.body.intent_id, null);
  });

  it('is withdrawn by its own id', async () => {
    const rig = createRig();
    const reply = await rig.send('agent', 'post', `${LOCATION}/cancel`).send({ reason: 'done' });
    assert.equal(reply.status, 200);
    const request = { suspension_id: SUSPENSION_ID, reason: 'done' };
    assert.deepEqual(rig.calls[0]?.args.slice(1), [undefined, request]);
  });

  for (const [path, body] of [
    ['respond', { value: 'yes' }],
    ['cancel', {}],
  ] as const) {
    it(`is not found for ${path} where the path holds no id`, async () => {
      const rig = createRig();
      const route = `/v1/suspensions/nonsense/${path}`;
      const reply = await rig.send('admin', 'post', route).send(body);
      assert.deepEqual([reply.status, reply.body.code], [404, 'suspension_not_found']);
    });
  }
});

describe('reading a suspension', () => {
  it('returns its view, stale if it may be', async () => {
    const rig = createRig({ getSuspension: () => Promise.resolve({ value: VIEW, stale: true }) });
    const reply = await rig.send('operator', 'get', LOCATION);
    assert.deepEqual([reply.body, reply.headers['holdpoint-stale']], [VIEW, 'true']);
  });

  it('waits 30 seconds by default', async () => {
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
