import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { FaultStack } from './fault-stack.js';

const REMINDED_FOR_A_MINUTE = { retry_policy: { max_attempts: 3, interval_seconds: 30 } };

describe('a question on a real stack', () => {
  let world: FaultStack;
  before(async () => {
    world = await FaultStack.start();
  });
  after(() => world.close());

  it('reminds, is answered, and loses no row: store down for a minute meanwhile', async () => {
    const { intentId, view } = await world.ask(REMINDED_FOR_A_MINUTE);
    await world.stack.pause('store');
    for (const attempt of [2, 3]) {
      const reminded = await world.attemptAfter(view.id, attempt - 1);
      assert.equal(reminded.attempt, attempt);
    }
    const answer = { suspension_id: view.id, value: 'approve' };
    const receipt = await world.operator.respond(intentId, answer);
    assert.equal(receipt.accepted, true);
    await world.stack.resume('store');
    await world.stack.untilReady();
    assert.deepEqual(await world.types(intentId, 5), [
      'intent_created',
      'intent.suspended',
      'intent.suspension_renotified',
      'intent.suspension_renotified',
      'intent.resumed',
    ]);
    assert.deepEqual(await world.breaks(intentId), []);
  });
});
