import assert from 'node:assert/strict';
import { REFUND, RealStack } from '../../support/real-stack.js';
import { onServer } from '../../support/stack-temporal.js';

const pollers = { least: 2, most: 20 };

describe('a worker that takes on what the machine bears', () => {
  let stack: RealStack;
  before(async () => {
    const worker = {
      resources: { cpu: 0.9, memory: 0.9 },
      workflow_tasks: { pollers },
      activities: { pollers },
      deliveries: { pollers },
      feed: { pollers },
    };
    stack = await RealStack.start({ worker }, onServer());
  });
  after(() => stack.close());

  it('notifies people of a question, and judges the answer', async () => {
    const { id } = (await stack.post('/v1/suspensions', 'agent', REFUND)).body as { id: string };
    await stack.delivered(id);
    const path = `/v1/suspensions/${id}/respond`;
    const { status } = await stack.post(path, 'operator', { value: 'approve' });
    assert.equal(status, 200);
  });
});
