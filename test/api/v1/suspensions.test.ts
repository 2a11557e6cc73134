import assert from 'node:assert/strict';
import { READ_MS } from '../../../api/parts/calls/deadline.js';
import type { SuspendInput } from '../../../workflows/intent/messages.js';
import { ManualClock, hanging, type FakeCall } from '../support/fakes.js';
import { createRig, rigOver, sentIn } from '../support/harness.js';
import { openedIn } from '../support/questions.js';
import { knowingIntent } from '../support/parts.js';
import { CANCELLED, INTENT_ID, SUSPENDED, SUSPENSION_ID, VIEW } from '../support/records.js';

const SUSPEND = `/v1/intents/${INTENT_ID}/suspend`;
const GO = { question: 'Go?', response_type: 'text' };
const LOCATION = `/v1/suspensions/${SUSPENSION_ID}`;

describe('asking', () => {
  it('returns 201 with the view and its Location [AM-33]', async () => {
    const rig = createRig();
    const body = { question: 'Go?', response_type: 'text', retry_policy: null, request_key: 'r-1' };
    const reply = await rig.send('agent', 'post', SUSPEND).send(body);
    assert.deepEqual([reply.status, reply.headers['location']], [201, LOCATION]);
    assert.deepEqual(reply.body, VIEW);
    const { draft, request } = sentIn(rig, 'suspend') as unknown as SuspendInput;
    assert.deepEqual(draft, { question: 'Go?', response_type: 'text', fallback_policy: 'fail' });
    assert.equal(request?.key, 'r-1');
  });

  it('is named by the request_key, else by the Idempotency-Key', async () => {
    for (const [body, name] of [
      [{ ...GO, request_key: 'r-1' }, 'r-1'],
      [GO, 'k-1'],
    ] as const) {
      const rig = createRig();
      const sent = rig.send('agent', 'post', SUSPEND).set('Idempotency-Key', 'k-1').send(body);
      assert.equal((await sent).status, 201);
      assert.equal((sentIn(rig, 'suspend') as unknown as SuspendInput).request?.key, name);
    }
  });

  it('takes choices as texts', async () => {
    const rig = createRig();
    const body = { question: 'Refund?', choices: ['refund', 'keep'] };
    const reply = await rig.send('agent', 'post', SUSPEND).send(body);
    assert.equal(reply.status, 201, reply.text);
    const { draft } = sentIn(rig, 'suspend') as unknown as SuspendInput;
    assert.deepEqual(draft.choices, [
      { value: 'refund', label: 'refund' },
      { value: 'keep', label: 'keep' },
    ]);
  });

  it('returns 200 if the question was asked before', async () => {
    const rig = createRig({ suspend: () => ({ suspension_id: SUSPENSION_ID, reattached: true }) });
    const reply = await rig.send('agent', 'post', SUSPEND).send(GO);
    assert.deepEqual([reply.status, reply.headers['location']], [200, LOCATION]);
  });

  it('passes warnings on', async () => {
    const rig = createRig();
    const reply = await rig.send('agent', 'post', SUSPEND).send({ ...GO, channel_hint: 'pager' });
    assert.deepEqual(reply.body.warnings, [
      'The channel pager is not configured, so it notifies nobody; configured: console.',
    ]);
  });

  it('takes a null for what is left out', async () => {
    const rig = rigOver({ answers: knowingIntent(SUSPENDED) });
    const left = { choices: null, context: null, channel_hint: null, timeout_seconds: null };
    const body = { question: 'Go?', response_type: 'text', fallback_value: null, ...left };
    const reply = await rig.send('agent', 'post', SUSPEND).send(body);
    assert.equal(reply.status, 201);
    const { draft } = sentIn(rig, 'suspend') as unknown as SuspendInput;
    const given = { question: 'Go?', response_type: 'text', fallback_value: null };
    assert.deepEqual(draft, { ...given, fallback_policy: 'fail' });
    const withdrawn = await rig.send('agent', 'post', `${SUSPEND}/cancel`).send({ reason: null });
    assert.deepEqual(
      [withdrawn.status, rig.calls[0]?.args[2]],
      [200, { suspension_id: SUSPENSION_ID }],
    );
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
    assert.deepEqual(sentIn(rig, 'engagement')['signals'], signals);
  });
});

describe('a suspension without an intent', () => {
  it('is opened with 201, its view and its Location', async () => {
    const rig = createRig();
    const reply = await rig.send('agent', 'post', '/v1/suspensions').send(GO);
    const { record, asked_by } = openedIn(rig);
    const { id, question, response_type } = record;
    assert.deepEqual([question, response_type, asked_by], ['Go?', 'text', 'refund-agent']);
    const location = `/v1/suspensions/${id}`;
    assert.deepEqual([reply.status, reply.headers['location']], [201, location]);
    assert.deepEqual([reply.body.intent_id, reply.body.record], [null, record]);
  });

  it('is answered by operators, by its own id', async () => {
    const rig = createRig();
    const answer = { value: 'yes' };
    const refused = await rig.send('agent', 'post', `${LOCATION}/respond`).send(answer);
    const reply = await rig.send('operator', 'post', `${LOCATION}/respond`).send(answer);
    assert.deepEqual([refused.status, reply.status], [403, 200]);
    const request = { suspension_id: SUSPENSION_ID, value: 'yes' };
    assert.deepEqual(rig.calls.length, 1);
    const [, intentId, given, updateId] = rig.calls[0]?.args ?? [];
    assert.deepEqual([intentId, given], [undefined, request]);
    assert.match(String(updateId), /^a:/);
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
});

describe('reading a suspension', () => {
  it('returns its view, stale if it may be', async () => {
    const clock = new ManualClock();
    const record = (call: FakeCall) => {
      void clock.advance(READ_MS);
      return hanging(call);
    };
    const rig = rigOver({
      clock,
      answers: { record },
      store: { findSuspension: async () => VIEW },
    });
    const reply = await rig.send('operator', 'get', LOCATION);
    assert.deepEqual([reply.body, reply.headers['holdpoint-stale']], [VIEW, 'true']);
  });

  it('waits 30 seconds by default', async () => {
    const view = { ...VIEW, attempt: 2, max_attempts: 2 };
    const rig = createRig({ getSuspension: async () => ({ value: view, stale: false }) });
    const waited = async (query: string) => {
      const began = rig.clock.now();
      const reply = await rig.send('agent', 'get', `${LOCATION}/wait${query}`);
      assert.deepEqual(reply.body, view);
      return rig.clock.now() - began;
    };
    assert.equal(await waited(''), 30_000);
    assert.equal(await waited('?timeout_seconds=60&after_attempt=2'), 60_000);
    assert.equal(await waited('?timeout_seconds=60&after_attempt=1'), 0);
  });

  for (const query of ['timeout_seconds=61', 'timeout_seconds=0', 'timeout_seconds=soon']) {
    it(`refuses to wait with ${query}`, async () => {
      const rig = createRig();
      const reply = await rig.send('agent', 'get', `${LOCATION}/wait?${query}`);
      assert.deepEqual([reply.status, reply.body.field], [422, 'timeout_seconds']);
      assert.deepEqual(rig.sent, []);
    });
  }
});
