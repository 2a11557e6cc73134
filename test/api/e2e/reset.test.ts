import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { ChainBreak } from '../../../contracts/intent/event.js';
import { RealStack, createIntent } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

describe('an intent whose workflow was reset', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start({}, onServer());
  });
  after(() => stack.close());

  /** Resets the workflow to its beginning, as `temporal workflow reset` does. */
  async function reset(workflowId: string): Promise<void> {
    const { events } = await stack.client.workflow.getHandle(workflowId).fetchHistory();
    const first = events?.find((event) => event.workflowTaskCompletedEventAttributes);
    assert.ok(first?.eventId);
    await stack.client.workflowService.resetWorkflowExecution({
      namespace: stack.client.options.namespace,
      workflowExecution: { workflowId },
      reason: 'a test',
      workflowTaskFinishEventId: first.eventId,
      requestId: randomUUID(),
    });
  }

  it('writes on, ends, and does not hide what the store refused', async () => {
    const intent = await createIntent(stack);
    const id = intent.replace('/v1/intents/', '');
    const note = (text: string) =>
      stack.post(`${intent}/events`, 'agent', { event_type: 'note', payload: { text } });
    await note('before');
    await reset(workflowIdOf('intent', id));
    await note('after');
    await note('after that');
    const done = { status: 'completed' };
    const ended = await stack.post(`${intent}/status`, 'agent', done, { 'If-Match': '1' });
    assert.equal(ended.status, 200, JSON.stringify(ended.body));
    await stack.client.workflow.getHandle(workflowIdOf('intent', id)).result();

    const report = await stack.get(`${intent}/events/verify`);
    assert.equal(report.body.chain_valid, false);
    const refused = (report.body.breaks as ChainBreak[]).filter(({ kind }) => kind === 'refused');
    assert.ok(refused.length > 0, JSON.stringify(report.body));
    assert.equal((await stack.get(intent)).body.status, 'completed');
  });
});
