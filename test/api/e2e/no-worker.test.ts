import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { eventKinds } from '../../workflows/support/histories.js';
import { RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

describe('the API while no worker is there', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  /** How many tasks of an intent a worker has carried out. */
  async function tasksOf(intent: string): Promise<number> {
    const workflowId = workflowIdOf('intent', intent.split('/').at(-1) ?? '');
    const kinds = await eventKinds(stack.client.workflow.getHandle(workflowId));
    return kinds.filter((kind) => kind === 'workflowTaskCompleted').length;
  }

  it('hands an answer over that counts once a worker is back', async () => {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    await stack.stopWorker();
    const body = { suspension_id: id, value: 'approve' };
    const key = { 'Idempotency-Key': 'late' };
    const handed = await stack.post(`${intent}/suspend/respond`, 'operator', body, key);
    assert.equal(handed.status, 202, JSON.stringify(handed.body));
    assert.equal(handed.headers['location'], `/v1/suspensions/${id}`);
    await stack.startWorker();
    const waited = await stack.get(`/v1/suspensions/${id}/wait?timeout_seconds=30`);
    assert.equal(waited.body.record.response, 'approve');
    const again = await stack.post(`${intent}/suspend/respond`, 'operator', body, key);
    assert.deepEqual(
      [again.status, again.body.value],
      [200, 'approve'],
      JSON.stringify(again.body),
    );
    const log = await stack.get(`${intent}/events?event_type=intent.resumed`);
    assert.equal(log.body.events.length, 1);
  });

  it('creates an intent, which a worker takes up later', async () => {
    const begun = await createIntent(stack);
    const tasks = await tasksOf(begun);
    assert.ok(tasks > 0, 'while a worker is there, the reply comes with the first task');
    await stack.stopWorker();
    const intent = await createIntent(stack);
    assert.equal(await tasksOf(intent), 0);
    await stack.startWorker();
    const write = await stack.post(`${intent}/events`, 'agent', { event_type: 'note' });
    assert.equal(write.status, 201, JSON.stringify(write.body));
  });

  it('reads from the store and says so, and refuses writes with 503', async () => {
    const intent = await createIntent(stack);
    const fresh = await stack.get(`${intent}/events`);
    assert.equal(fresh.body.events.length, 1);
    await stack.stopWorker();
    const read = await stack.get(intent);
    assert.deepEqual([read.status, read.headers['holdpoint-stale']], [200, 'true']);
    const write = await stack.post(`${intent}/events`, 'agent', { event_type: 'note' });
    assert.deepEqual([write.status, write.body.code], [503, 'workflow_unavailable']);
    assert.equal(write.headers['retry-after'], '1');
    const ready = await stack.get('/v1/ready');
    assert.equal(ready.status, 503);
    const { temporal, worker, store } = ready.body.dependencies;
    assert.deepEqual([temporal.ok, worker.ok, store.ok], [true, false, true]);
    await stack.startWorker();
  });
});
