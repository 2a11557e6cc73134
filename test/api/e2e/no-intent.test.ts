import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { SuspensionView, InboxEntry } from '../../../contracts/suspension/view.js';
import { REFUND, RealStack, ask, createIntent, type KeyName } from '../../support/real-stack.js';

const LADDER = { max_attempts: 2, interval_seconds: 3_600 };

const LIMITED = {
  reason: 'rate_limit',
  resume_signal: 'rate_limit_cleared',
  timeout_seconds: 3_600,
  metadata: { retry_after: 60 },
};
const CLEARED = { resume_signal: 'rate_limit_cleared', data: { remaining: 500 } };

describe('a suspension that holds up no intent', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function open(body: object = REFUND): Promise<{ view: SuspensionView; path: string }> {
    const asked = await stack.post('/v1/suspensions', 'agent', body);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    const path = `/v1/suspensions/${asked.body.id}`;
    await stack.delivered(asked.body.id);
    return { view: asked.body as SuspensionView, path };
  }

  it('is waited for, answered once, and kept', async () => {
    const { view, path } = await open({ ...REFUND, retry_policy: LADDER });
    assert.equal(view.intent_id, null);
    assert.equal(view.max_attempts, 2);
    const waited = stack
      .get(`${path}/wait?timeout_seconds=20`)
      .then(({ body }) => body as SuspensionView);
    const answer = { value: 'approve' };
    const key = { 'Idempotency-Key': randomUUID() };
    const answered = await stack.post(`${path}/respond`, 'operator', answer, key);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    assert.equal(answered.body.intent_id, null);
    assert.equal(answered.body.choice_label, 'Approve refund');
    assert.equal((await waited).record.response, 'approve');
    const again = await stack.post(`${path}/respond`, 'operator', answer, key);
    assert.deepEqual([again.status, again.body], [200, answered.body]);
    const other = await stack.post(`${path}/respond`, 'operator', { value: 'deny' });
    assert.deepEqual([other.status, other.body.code], [409, 'suspension_settled']);
    assert.equal(other.body.state.value, 'approve');
    await stack.client.workflow.getHandle(workflowIdOf('suspension', view.id)).result();
    const stored = await stack.get(path);
    assert.equal(stored.body.record.responded_by, 'alice');
    assert.equal(stored.body.intent_id, null);
  });

  it('shares its routes with the suspensions of intents', async () => {
    const intent = await createIntent(stack);
    const view = await ask(stack, intent);
    const path = `/v1/suspensions/${view.id}`;
    const answered = await stack.post(`${path}/respond`, 'operator', { value: 'approve' });
    assert.equal(answered.body.intent_id, view.intent_id);
    assert.equal((await stack.get(intent)).body.status, 'active');
    const { id } = await ask(stack, intent);
    const cancelled = await stack.post(`/v1/suspensions/${id}/cancel`, 'admin', {});
    assert.equal(cancelled.body.settled_by, 'admin');
    assert.equal((await stack.get(intent)).body.status, 'active');
  });

  async function pause(fields: object = {}): Promise<{ view: SuspensionView; path: string }> {
    const { status, body } = await stack.post('/v1/suspensions', 'agent', {
      ...LIMITED,
      ...fields,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return { view: body as SuspensionView, path: `/v1/suspensions/${body.id}` };
  }

  async function refusedWith(path: string, as: KeyName, body: object) {
    const reply = await stack.post(path, as, body);
    return [reply.status, reply.body.code] as const;
  }

  async function listed(query: string, as: KeyName): Promise<string[]> {
    const { body } = await stack.get(`/v1/suspensions?${query}`, as);
    return (body.suspensions as InboxEntry[]).map(({ id }) => id);
  }

  it('for another reason is resumed by its id alone, once under a key [JC-46] [JC-51] [JC-52] [JC-53] [TM-19]', async () => {
    const { view, path } = await pause();
    const waited = stack.get(`${path}/wait?timeout_seconds=20`);
    const key = { 'Idempotency-Key': randomUUID() };
    const resumed = await stack.post(`${path}/resume`, 'agent', CLEARED, key);
    assert.equal(resumed.status, 200, JSON.stringify(resumed.body));
    assert.deepEqual(
      [resumed.body.suspension_id, resumed.body.intent_id, resumed.body.value],
      [view.id, null, { remaining: 500 }],
    );
    assert.deepEqual((await waited).body.record.response, { remaining: 500 });
    const again = await stack.post(`${path}/resume`, 'agent', CLEARED, key);
    assert.deepEqual([again.status, again.body], [200, resumed.body]);
    const other = { ...CLEARED, data: 1 };
    const reused = await stack.post(`${path}/resume`, 'agent', other, key);
    assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency_key_reused']);
    assert.deepEqual(await refusedWith(`${path}/resume`, 'agent', CLEARED), [
      409,
      'suspension_settled',
    ]);
    const isAbout = (text: string) => text.includes(view.id.slice(0, 8));
    assert.ok(!stack.notified.some(isAbout));
  });

  it('for another reason is in no inbox, but in the lists of those who look for its reason [JC-50]', async () => {
    const { view, path } = await pause();
    const seen = await listed('text=rate_limit_cleared', 'operator');
    assert.deepEqual(seen, []);
    const { body: counts } = await stack.get('/v1/suspensions/counts', 'operator');
    assert.equal(counts.pending, 0);
    assert.ok((await listed('reason=rate_limit', 'admin')).includes(view.id));
    assert.ok((await listed('reason=rate_limit', 'agent')).includes(view.id));
    assert.deepEqual(await listed('reason=rate_limit', 'agent2'), []);
    const refused = await stack.get('/v1/suspensions?reason=rate_limit', 'operator');
    assert.deepEqual([refused.status, refused.body.code], [403, 'forbidden']);
    assert.equal((await stack.get(path, 'operator')).body.id, view.id);
  });
});
