import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { readFresh } from '../../support/fresh-reads.js';
import { lookUntil } from '../../support/looks.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

describe('answers over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  const respond = (
    intent: string,
    body: object,
    key?: string,
    as: 'operator' | 'admin' = 'operator',
  ) =>
    stack.post(
      `${intent}/suspend/respond`,
      as,
      body,
      key === undefined ? {} : { 'Idempotency-Key': key },
    );

  async function open(): Promise<{ intent: string; id: string }> {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    return { intent, id };
  }

  async function resumedIn(intent: string): Promise<readonly IntentEvent[]> {
    const log = `${intent}/events?event_type=intent.resumed`;
    return (await readFresh<{ events: IntentEvent[] }>(stack, log)).events;
  }

  it('lets exactly one of two concurrent answers count [R26-90]', async () => {
    const { intent, id } = await open();
    const replies = await Promise.all([
      respond(intent, { suspension_id: id, value: 'approve' }),
      respond(intent, { suspension_id: id, value: 'deny' }),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    const won = replies.find(({ status }) => status === 200);
    const read = await stack.get(intent);
    assert.equal(read.body.state._suspension.response, won?.body.value);
  });

  it('returns one result to both clients with one Idempotency-Key', async () => {
    const { intent, id } = await open();
    const body = { suspension_id: id, value: 'approve' };
    const replies = await Promise.all([respond(intent, body, 'k1'), respond(intent, body, 'k1')]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(replies[0].body, replies[1].body);
    assert.equal((await resumedIn(intent)).length, 1);
  });

  it('returns the stored result to the same key again, also once all is over', async () => {
    const { intent, id } = await open();
    const body = { suspension_id: id, value: 'approve' };
    const first = await respond(intent, body, 'k2');
    await stack.client.workflow.getHandle(`suspension-${id}`).result();
    const second = await respond(intent, body, 'k2');
    assert.equal(second.status, 200, JSON.stringify(second.body));
    assert.deepEqual(second.body, first.body);
  });

  it('refuses one key with another body, while open and when closed', async () => {
    const { intent, id } = await open();
    await respond(intent, { suspension_id: id, value: 'approve' }, 'k3').expect(200);
    const other = { suspension_id: id, value: 'deny' };
    const soon = await respond(intent, other, 'k3');
    await stack.client.workflow.getHandle(`suspension-${id}`).result();
    const later = await respond(intent, other, 'k3');
    for (const { status, body } of [soon, later]) {
      assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'], JSON.stringify(body));
    }
  });

  it('judges a corrected answer under the key of a refused one', async () => {
    const { intent, id } = await open();
    await respond(intent, { suspension_id: id, value: 'maybe' }, 'k4').expect(422);
    await respond(intent, { suspension_id: id, value: 'approve' }, 'k4').expect(200);
  });

  it('keeps both names if an admin answers for another', async () => {
    const { intent, id } = await open();
    const body = { suspension_id: id, value: 'approve', responded_by: 'bob' };
    const reply = await respond(intent, body, undefined, 'admin');
    assert.equal(reply.body.responded_by, 'bob');
    const [{ actor, payload } = assert.fail()] = await resumedIn(intent);
    const by = [actor, payload['responded_by'], payload['submitted_by']];
    assert.deepEqual(by, ['bob', 'bob', 'root']);
  });

  it('passes metadata of the channel on and keeps it [R25-97]', async () => {
    const { intent, id } = await open();
    const metadata = { channel: 'slack', thread: '17' };
    await respond(intent, { suspension_id: id, value: 'deny', metadata }).expect(200);
    const read = await stack.get(`/v1/suspensions/${id}`);
    assert.deepEqual(read.body.record.metadata, metadata);
  });

  it('shows every write in the reads that follow [R25-17, R25-54]', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { intent, id } = await open();
      await respond(intent, { suspension_id: id, value: 'approve' }).expect(200);
      const [read, log, list] = await Promise.all([
        stack.get(intent),
        readFresh<{ events: IntentEvent[] }>(stack, `${intent}/events`),
        readFresh<{ intents: Intent[] }>(stack, '/v1/intents?limit=5'),
      ]);
      assert.equal(read.body.status, 'active');
      assert.equal(read.body.state._suspension.resolution, 'responded');
      assert.equal(log.events[0]?.event_type, 'intent.resumed');
      const listed = list.intents.find(({ id: each }) => intent.endsWith(each));
      assert.equal(listed?.status, 'active');
    }
  });

  it('raises the version by two for an accepted answer', async () => {
    const { intent, id } = await open();
    const suspended = await stack.get(intent);
    await respond(intent, { suspension_id: id, value: 'approve' }).expect(200);
    const resumed = await stack.get(intent);
    assert.equal(resumed.body.version, (suspended.body as Intent).version + 2);
  });

  it('ends a long poll the moment the answer is in', async () => {
    const { intent, id } = await open();
    const waiting = Promise.all(
      Array.from({ length: 5 }, () => stack.get(`/v1/suspensions/${id}/wait?timeout_seconds=30`)),
    );
    await respond(intent, { suspension_id: id, value: 'deny' }).expect(200);
    for (const { status, body } of await waiting) {
      assert.deepEqual([status, body.state, body.record.response], [200, 'settled', 'deny']);
    }
  });

  it('returns the pending record when a long poll runs out', async () => {
    const { id } = await open();
    const reply = await stack.get(`/v1/suspensions/${id}/wait?timeout_seconds=1`);
    assert.deepEqual([reply.status, reply.body.state], [200, 'pending']);
  });

  it('cancels for the one who asked, and for nobody else', async () => {
    const { intent, id } = await open();
    const foreign = await stack.post(`${intent}/suspend/cancel`, 'agent2', {});
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'forbidden']);
    const reply = await stack.post(`${intent}/suspend/cancel`, 'agent', { reason: 'solved' });
    assert.deepEqual(
      [reply.status, reply.body.resolution],
      [200, 'cancelled'],
      JSON.stringify(reply.body),
    );
    const read = await stack.get(intent);
    assert.equal(read.body.status, 'active');
    const late = await respond(intent, { suspension_id: id, value: 'approve' });
    assert.deepEqual([late.status, late.body.state.resolution], [409, 'cancelled']);
  });

  it('re-attaches the same request_key and asks nobody twice', async () => {
    const intent = await createIntent(stack);
    const body = { question: 'Go?', response_type: 'confirm', request_key: 'step-1' };
    const [first, second] = await Promise.all([
      stack.post(`${intent}/suspend`, 'agent', body),
      stack.post(`${intent}/suspend`, 'agent', body),
    ]);
    assert.deepEqual([first.status, second.status].sort(), [200, 201]);
    assert.equal(first.body.id, second.body.id);
    await respond(intent, { suspension_id: first.body.id, value: 'yes' }).expect(200);
    const again = await stack.post(`${intent}/suspend`, 'agent', body);
    assert.deepEqual([again.status, again.body.state], [200, 'settled']);
    assert.equal(again.body.record.response, 'yes');
    const changed = await stack.post(`${intent}/suspend`, 'agent', {
      ...body,
      question: 'Really?',
    });
    assert.deepEqual([changed.status, changed.body.code], [422, 'request_key_reused']);
  });

  it('gives the outcome to the same request_key whatever became of the intent', async () => {
    const body = { question: 'Go?', response_type: 'confirm', request_key: 'step-1' };
    const answered = await createIntent(stack);
    const { id } = await ask(stack, answered, body);
    await stack.post(`${answered}/suspend/respond`, 'operator', { suspension_id: id, value: 'no' });
    // What the intent hears of its question meanwhile raises its version.
    await lookUntil(async () => {
      const { version } = (await stack.get(answered)).body;
      const done = { status: 'completed' };
      const ifMatch = { 'If-Match': String(version) };
      const closed = await stack.post(`${answered}/status`, 'agent', done, ifMatch);
      if (closed.status !== 409) assert.equal(closed.status, 200, JSON.stringify(closed.body));
      return closed.status === 200;
    }, 'the intent cannot be closed');
    const expired = await createIntent(stack);
    const late = { ...body, timeout_seconds: 1, fallback_policy: 'fail' };
    const view = await ask(stack, expired, late);
    await stack.get(`/v1/suspensions/${view.id}/wait?timeout_seconds=10`);

    for (const intent of [answered, expired]) {
      await stack.client.workflow.getHandle(intent.replace('/v1/intents/', 'intent-')).result();
    }
    const reply = await stack.post(`${answered}/suspend`, 'agent', body);
    assert.deepEqual([reply.status, reply.body.id, reply.body.record.response], [200, id, 'no']);
    const again = await stack.post(`${expired}/suspend`, 'agent', late);
    assert.deepEqual([again.status, again.body.record.resolution], [200, 'expired']);
    assert.equal((await stack.get(expired)).body.status, 'abandoned');

    const other = await stack.post(`${expired}/suspend`, 'agent', { ...late, question: 'Stop?' });
    assert.deepEqual([other.status, other.body.code], [422, 'request_key_reused']);
    const fresh = await stack.post(`${expired}/suspend`, 'agent', { ...late, request_key: 'new' });
    assert.deepEqual([fresh.status, fresh.body.code], [409, 'intent_closed']);
  });

  it('creates one intent for one Idempotency-Key', async () => {
    const body = { title: 'Once' };
    const create = (input: object) =>
      stack.post('/v1/intents', 'agent', input, { 'Idempotency-Key': 'create-1' });
    const [first, second] = await Promise.all([create(body), create(body)]);
    assert.equal(first.body.id, second.body.id);
    const other = await create({ title: 'Twice' });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });
});
