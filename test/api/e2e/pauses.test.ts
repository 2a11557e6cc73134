import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'mocha';
import type { InboxEntry, SuspensionView } from '../../../contracts/suspension/view.js';
import { REFUND, RealStack, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

const LIMITED = {
  reason: 'rate_limit',
  resume_signal: 'rate_limit_cleared',
  timeout_seconds: 3_600,
  metadata: { retry_after: 60 },
};
const CLEARED = { resume_signal: 'rate_limit_cleared', data: { remaining: 500 } };

describe('a suspension for another reason, over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  async function open(fields: object = {}): Promise<{ view: SuspensionView; path: string }> {
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

  it('has the fields of the example [JC-48] [JC-49]', async () => {
    const { view, path } = await open();
    const { body } = await stack.get(path);
    const { id, pause, timeout_seconds, approval } = body.record;
    assert.deepEqual([id, timeout_seconds, approval], [view.id, 3_600, undefined]);
    assert.deepEqual(pause, {
      reason: 'rate_limit',
      resume_signal: 'rate_limit_cleared',
      resumable_by: [],
      timeout_outcome: 'timeout',
      metadata: { retry_after: 60 },
    });
  });

  it('is resumed by its id alone, once under a key [JC-46] [JC-51] [JC-52] [JC-53] [TM-19]', async () => {
    const { view, path } = await open();
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
    assert.deepEqual(stack.notified, []);
  });

  it('is opened once under a request_key', async () => {
    const request_key = randomUUID();
    const { view } = await open({ request_key });
    const again = await stack.post('/v1/suspensions', 'agent', { ...LIMITED, request_key });
    assert.deepEqual([again.status, again.body.id], [200, view.id]);
    const other = { ...LIMITED, resume_signal: 'job_done', request_key };
    assert.deepEqual(await refusedWith('/v1/suspensions', 'agent', other), [
      422,
      'request_key_reused',
    ]);
  });

  it('waits on after a wrong signal, a stranger and an answer [JC-50]', async () => {
    const { view, path } = await open({ resumable_by: ['agent-2'] });
    const wrong = { resume_signal: 'job_done' };
    assert.deepEqual(await refusedWith(`${path}/resume`, 'agent', wrong), [
      422,
      'resume_signal_mismatch',
    ]);
    assert.deepEqual(await refusedWith(`${path}/resume`, 'operator', CLEARED), [403, 'forbidden']);
    const answer = { value: 'yes' };
    for (const route of ['respond', 'resume']) {
      const refusal = await refusedWith(`${path}/${route}`, 'operator', answer);
      assert.deepEqual(refusal, [409, 'reason_mismatch'], route);
    }
    const elsewhere = await refusedWith(`${path}/resume`, 'peopleB', CLEARED);
    assert.deepEqual(elsewhere, [404, 'suspension_not_found']);
    const named = await stack.post(`${path}/resume`, 'agent2', CLEARED);
    assert.deepEqual([named.status, named.body.responded_by], [200, 'agent-2']);
    assert.equal((await stack.get(`/v1/suspensions/${view.id}`)).body.state, 'settled');
  });

  it('is in no inbox, but in the lists of those who look for its reason [JC-50]', async () => {
    const { view, path } = await open();
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

  it('leaves an intent as it is, which takes no such reason', async () => {
    const intent = await createIntent(stack);
    const refused = await stack.post(`${intent}/suspend`, 'agent', { ...REFUND, ...LIMITED });
    assert.deepEqual([refused.status, refused.body.code], [422, 'invalid_request']);
    await open({ metadata: { intent } });
    assert.equal((await stack.get(intent)).body.status, 'active');
  });

  it('is a question where the reason is human_input, which an agent never settles [JC-51]', async () => {
    const asked = { ...REFUND, reason: 'human_input' };
    const { body: view, status } = await stack.post('/v1/suspensions', 'agent', asked);
    assert.equal(status, 201, JSON.stringify(view));
    await stack.delivered(view.id);
    const path = `/v1/suspensions/${view.id}/resume`;
    assert.deepEqual(await refusedWith(path, 'agent', { value: 'approve' }), [403, 'forbidden']);
    assert.deepEqual(await refusedWith(path, 'agent', CLEARED), [403, 'forbidden']);
    assert.deepEqual(await refusedWith(path, 'operator', CLEARED), [409, 'reason_mismatch']);
    assert.deepEqual(await refusedWith(path, 'operator', { value: 'maybe' }), [
      422,
      'invalid_value',
    ]);
    const answered = await stack.post(path, 'operator', { value: 'approve' });
    assert.deepEqual([answered.status, answered.body.choice_label], [200, 'Approve refund']);
  });
});
