import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import type { KeyName } from '../../support/real-stack.js';

/** Agents that have nothing to do with what the first one makes. */
const OTHERS = ['agent2', 'assistant'] as const;

describe('where agents read only their own', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({ authorization: { agents_read: 'own' } });
  });
  after(() => stack.close());

  async function assertForbidden(paths: readonly string[], keys: readonly KeyName[]) {
    for (const path of paths) {
      for (const key of keys) {
        const { status, body } = await stack.get(path, key);
        assert.deepEqual([status, body.code], [403, 'forbidden'], `${key} ${path}`);
      }
    }
  }

  /** A question of the first agent that holds up no intent. */
  async function openAlone(body: object = REFUND): Promise<string> {
    const { status, body: view } = await stack.post('/v1/suspensions', 'agent', body);
    assert.equal(status, 201, JSON.stringify(view));
    return `/v1/suspensions/${view.id}`;
  }

  it('keeps a question of no intent to who asked and who answers', async () => {
    const path = await openAlone();
    const reads = ['', '/blocks', '/wait?timeout_seconds=1', '/timeline/verify'];
    await assertForbidden(
      reads.map((read) => `${path}${read}`),
      OTHERS,
    );
    for (const key of ['agent', 'operator'] as const) {
      const { status, body } = await stack.get(path, key);
      assert.deepEqual([status, body.record.question], [200, REFUND.question], key);
    }
  });

  it('lets an agent named in a pause read what it may resume', async () => {
    const path = await openAlone({
      reason: 'custom',
      resume_signal: 'go',
      resumable_by: ['agent-2'],
    });
    assert.equal((await stack.get(path, 'agent2')).status, 200);
    await assertForbidden([path], ['assistant']);
  });

  it('says how a question ended to nobody who may not act on it', async () => {
    const alone = await openAlone();
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    const asked = `/v1/suspensions/${id}`;
    for (const path of [alone, asked]) {
      const { status } = await stack.post(`${path}/respond`, 'operator', { value: 'approve' });
      assert.equal(status, 200);
      const workflowId = workflowIdOf('suspension', path.slice('/v1/suspensions/'.length));
      await stack.client.workflow.getHandle(workflowId).result();
      const answer = { value: 'deny' };
      const tries = {
        'agent comments': () => stack.post(`${path}/comments`, 'agent2', { text: 'So?' }),
        'agent withdraws': () => stack.post(`${path}/cancel`, 'agent2', {}),
        'user answers': () => stack.post(`${path}/respond`, 'user', answer),
        'user claims': () => stack.post(`${path}/claim`, 'user', {}),
        'user releases': () => stack.post(`${path}/release`, 'user', {}),
        'agent and user answers': () => stack.post(`${path}/respond`, 'assistant', answer),
      };
      for (const [name, attempt] of Object.entries(tries)) {
        const reply = await attempt();
        assert.deepEqual([reply.status, reply.body.code], [403, 'forbidden'], name);
        assert.ok(!JSON.stringify(reply.body).includes('approve'), name);
      }
      const own = await stack.post(`${path}/cancel`, 'agent', {});
      assert.deepEqual([own.status, own.body.code], [409, 'suspension_settled']);
      assert.equal(own.body.state.value, 'approve');
    }
    const through = await stack.post(`${intent}/suspend/cancel`, 'agent2', {});
    assert.deepEqual([through.status, through.body.code], [403, 'forbidden']);
    assert.equal(through.body.state?.intent_status, undefined);
  });
});
