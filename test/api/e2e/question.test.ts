import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { readFresh } from '../../support/fresh-reads.js';
import { RealStack } from '../../support/real-stack.js';

const REFUND = {
  question: 'Should we refund order #12345?',
  choices: [
    { value: 'approve', label: 'Approve refund', description: 'Issue full refund' },
    { value: 'deny', label: 'Deny refund' },
  ],
};

describe('a question over HTTP', () => {
  let stack: RealStack;
  before(async () => {
    stack = await RealStack.start();
  });
  after(() => stack.close());

  it('is asked, answered once, and shown to everyone [R25-01, R25-03, R25-06, R25-73, R25-74]', async () => {
    const created = await stack.post('/v1/intents', 'agent', { title: 'Refund', status: 'active' });
    assert.equal(created.status, 201);
    const intent = `/v1/intents/${created.body.id}`;
    const asked = await stack.post(`${intent}/suspend`, 'agent', REFUND);
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    const suspended = await stack.get(intent);
    assert.equal(suspended.body.status, 'suspended_awaiting_input');
    const answer = { suspension_id: asked.body.id, value: 'approve' };
    const answered = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    assert.equal(answered.body.choice_label, 'Approve refund');
    const resumed = await stack.get(intent);
    assert.equal(resumed.body.status, 'active');
    const { events } = await readFresh<{ events: IntentEvent[] }>(stack, `${intent}/events`);
    assert.deepEqual(
      events.map(({ event_type }) => event_type),
      ['intent.resumed', 'intent.suspended', 'intent_created'],
    );
    const again = await stack.post(`${intent}/suspend/respond`, 'operator', answer);
    assert.equal(again.status, 409, JSON.stringify(again.body));
  });
});
