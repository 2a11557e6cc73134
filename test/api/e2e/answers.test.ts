import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import { readFresh } from '../../support/fresh-reads.js';
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
});
