import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { defineSearchAttributeKey } from '@temporalio/common';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';

const SUBJECT = defineSearchAttributeKey('HoldpointSubject', 'KEYWORD');
const ASKED_BY = defineSearchAttributeKey('HoldpointAskedBy', 'KEYWORD');
const LADDER = { max_attempts: 2, interval_seconds: 3_600 };

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

  it('names who asked, and no workflow that waits, in the list of workflows', async () => {
    const { view } = await open();
    const question = stack.client.workflow.getHandle(workflowIdOf('suspension', view.id));
    const { typedSearchAttributes } = await question.describe();
    assert.equal(typedSearchAttributes.get(ASKED_BY), view.asked_by);
    assert.equal(typedSearchAttributes.get(SUBJECT), undefined);
  });

  it('returns the stored answer to the same key once its workflow is gone', async () => {
    const { view, path } = await open();
    const key = { 'Idempotency-Key': randomUUID() };
    const first = await stack.post(`${path}/respond`, 'operator', { value: 'deny' }, key);
    await stack.client.workflow.getHandle(workflowIdOf('suspension', view.id)).result();
    const again = await stack.post(`${path}/respond`, 'operator', { value: 'deny' }, key);
    assert.deepEqual([again.status, again.body], [200, first.body]);
    const reused = await stack.post(`${path}/respond`, 'operator', { value: 'approve' }, key);
    assert.equal(reused.body.code, 'idempotency_key_reused');
    const late = await stack.post(`${path}/respond`, 'operator', { value: 'approve' });
    assert.deepEqual([late.status, late.body.code], [409, 'suspension_settled']);
  });

  it('is asked once under a request_key', async () => {
    const request_key = randomUUID();
    const { view } = await open({ ...REFUND, request_key });
    const again = await stack.post('/v1/suspensions', 'agent', { ...REFUND, request_key });
    assert.deepEqual([again.status, again.body.id], [200, view.id]);
    const others = await stack.post('/v1/suspensions', 'agent2', { ...REFUND, request_key });
    assert.equal(others.status, 201);
    assert.notEqual(others.body.id, view.id);
    const changed = { ...REFUND, question: 'Another?', request_key };
    const refused = await stack.post('/v1/suspensions', 'agent', changed);
    assert.deepEqual([refused.status, refused.body.code], [422, 'request_key_reused']);
  });

  it('is named by its request_key where a library puts a new Idempotency-Key on each request', async () => {
    const request_key = randomUUID();
    const headers = () => ({ 'Idempotency-Key': randomUUID() });
    const [first, once] = [headers(), { ...REFUND, request_key }];
    const asked = await stack.post('/v1/suspensions', 'agent', once, first);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    for (const header of [first, headers()]) {
      const again = await stack.post('/v1/suspensions', 'agent', once, header);
      assert.deepEqual([again.status, again.body.id], [200, asked.body.id]);
      const other = { ...once, question: 'Another?' };
      const refused = await stack.post('/v1/suspensions', 'agent', other, header);
      assert.deepEqual([refused.status, refused.body.code], [422, 'request_key_reused']);
    }
    const alone = await stack.post('/v1/suspensions', 'agent', REFUND, first);
    assert.notEqual(alone.body.id, asked.body.id);
  });

  it('is withdrawn by who asked, or an admin, alone', async () => {
    const { path } = await open();
    const foreign = await stack.post(`${path}/cancel`, 'agent2', {});
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'forbidden']);
    const own = await stack.post(`${path}/cancel`, 'agent', { reason: 'found out' });
    assert.deepEqual([own.status, own.body.settled_by], [200, 'agent']);
    assert.equal(own.body.reason, 'found out');
    const late = await stack.post(`${path}/respond`, 'operator', { value: 'approve' });
    assert.deepEqual([late.status, late.body.state.resolution], [409, 'cancelled']);
    const twice = await stack.post(`${path}/cancel`, 'admin', {});
    assert.deepEqual([twice.status, twice.body.code], [409, 'suspension_settled']);
  });

  it('is not reached through an intent', async () => {
    const { view, path } = await open();
    const intent = await createIntent(stack);
    await ask(stack, intent);
    const answer = { suspension_id: view.id, value: 'approve' };
    const reply = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.deepEqual([reply.status, reply.body.code], [409, 'suspension_mismatch']);
    assert.equal((await stack.get(path)).body.state, 'pending');
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

  it('is unknown under another id', async () => {
    const path = `/v1/suspensions/${randomUUID()}`;
    const answered = await stack.post(`${path}/respond`, 'operator', { value: 'approve' });
    const cancelled = await stack.post(`${path}/cancel`, 'admin', {});
    const codes = [answered.body.code, cancelled.body.code];
    assert.deepEqual(codes, ['suspension_not_found', 'suspension_not_found']);
  });
});
