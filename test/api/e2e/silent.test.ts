import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { workflowIdOf, type WorkflowType } from '../../../contracts/constants/names.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { storedQuestions } from '../../../workers/reconciliation.js';
import { respondUpdate, type OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { lookFrom } from '../../support/reconciler-look.js';
import { REFUND, RealStack, ask, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

describe('questions that tell nobody at first', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({ notifications: { default_channel: 'none' } }, onServer());
  });
  after(() => stack.close());

  async function asked(more: object = {}): Promise<string> {
    const { status, body } = await stack.post('/v1/suspensions', 'agent', { ...REFUND, ...more });
    assert.equal(status, 201, JSON.stringify(body));
    return (body as { id: string }).id;
  }

  async function stored(id: string): Promise<LiveView> {
    const found = await storedQuestions(stack.store.db).findSuspension(id, 'default');
    return found ?? assert.fail(`${id} is not stored`);
  }

  /** The activities that a workflow has started. */
  async function activitiesOf(type: WorkflowType, id: string): Promise<readonly string[]> {
    const { events } = await stack.client.workflow.getHandle(workflowIdOf(type, id)).fetchHistory();
    return (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: started }) => started?.activityType?.name ?? [],
    );
  }

  async function answer(id: string): Promise<void> {
    const answered = await stack.post(`/v1/suspensions/${id}/respond`, 'operator', {
      value: 'approve',
    });
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
  }

  function told({ timeline }: Pick<LiveView, 'timeline'>): readonly unknown[] {
    return timeline.map(({ kind, detail }) => [kind, detail['told'] ?? null]);
  }

  it('wait in the inbox, and start no activity from ask to answer', async () => {
    const id = await asked();
    const inbox = await stack.get('/v1/suspensions?state=pending', 'operator');
    const { suspensions } = inbox.body as { suspensions: { id: string }[] };
    assert.ok(
      suspensions.some((one) => one.id === id),
      JSON.stringify(inbox.body),
    );
    await answer(id);
    assert.deepEqual(await activitiesOf('suspension', id), []);
    const end = await stored(id);
    assert.equal(end.record.response, 'approve');
    assert.deepEqual(told(end), [
      ['opened', null],
      ['attempt', 'nobody'],
      ['answer_accepted', null],
    ]);
    assert.deepEqual(stack.notified, []);
  });

  it('hold up an intent, without an activity of either', async () => {
    const intent = await createIntent(stack);
    const { id } = await ask(stack, intent);
    await answer(id);
    await lookUntil(async () => {
      const { body } = await stack.get(intent);
      return (body as { status: string }).status === 'active';
    }, 'the intent does not go on');
    assert.deepEqual(await activitiesOf('suspension', id), []);
    assert.deepEqual(await activitiesOf('intent', intent.split('/').at(-1) ?? ''), []);
  });

  it('tell of a channel that is not configured, as any other question', async () => {
    const id = await asked({ channel_hint: 'pager' });
    await lookUntil(
      async () => (await activitiesOf('suspension', id)).includes('notify'),
      'nothing is delivered',
    );
    await answer(id);
  });

  it('are written from their result: API killed after the commit of the answer', async () => {
    const id = await asked();
    const sent: OperatorAnswer = {
      value: 'approve',
      responded_by: 'alice',
      by: caller('alice', 'operator'),
      received_at: new Date().toISOString(),
      answer: { key: 'a:1', body_hash: 'sha256:1' },
    };
    const handle = stack.client.workflow.getHandle(workflowIdOf('suspension', id));
    const receipt = await handle.executeUpdate(respondUpdate, { args: [sent], updateId: 'a:1' });
    assert.ok(receipt.rows && receipt.rows.length > 0);
    assert.equal((await stored(id)).state, 'pending');
    await lookFrom(stack, null, () => undefined);
    assert.equal((await stored(id)).record.response, 'approve');
    const verified = await stack.get(`/v1/suspensions/${id}/timeline/verify`, 'admin');
    assert.equal(
      (verified.body as { chain_valid: boolean }).chain_valid,
      true,
      JSON.stringify(verified.body),
    );
  });
});
