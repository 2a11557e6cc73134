import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { respondUpdate } from '../../workflows/suspension/messages.js';
import { World } from '../support/world.js';

const LADDER = {
  max_attempts: 3,
  interval_seconds: 3_600,
  escalation_ladder: [
    { attempt: 2, channel_hint: 'email' },
    { attempt: 3, channel_hint: 'pagerduty', notify_to: 'supervisor@example.com' },
  ],
};

describe('suspension ladder', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('reminds at each instant and resumes with the answer [R26-44, R25-14]', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent, { channel_hint: 'slack', retry_policy: LADDER });
    await world.env.sleep('5400 s');
    const receipt = await world
      .suspension(view.id)
      .executeUpdate(respondUpdate, { args: [await world.answer(view)] });
    assert.equal(receipt.result.choice_label, 'Approve refund');
    await world.suspension(view.id).result();
    const { intent: record } = await world.snapshot(intent);
    assert.equal(record.status, 'active');
    assert.deepEqual(world.activities.attemptsOf(view.id), [1, 2]);
    assert.deepEqual(
      world.activities.eventsOf(record.id).map(({ event_type }) => event_type),
      [
        'intent_created',
        'intent.suspended',
        'intent.suspension_renotified',
        'intent.suspension_escalated',
        'intent.resumed',
      ],
    );
  });
});
