import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OperatorAnswer } from '../../../workflows/suspension/messages.js';
import { refusalOf } from '../support/intents.js';
import {
  LADDER,
  awaitOutcome,
  historyOf,
  openDelivered,
  respond,
  settledRecord,
  type Opened,
} from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

/** What Temporal keeps of it, by which it is paid; so a server counts. */
describe('suspension cost', () => {
  let world: World;
  perSuite(World, (one) => (world = one), { on: 'dev server' });

  function openAtRest(): Promise<Opened> {
    return openDelivered(world, { retry_policy: LADDER });
  }

  it('costs eight events beside its workflow tasks', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const handle = world.suspension(view.id);
    await respond({ handle }, await world.answer(view));
    await handle.result();
    const kinds = (await historyOf({ handle })).map((event) =>
      Object.keys(event).find((key) => key.endsWith('Attributes')),
    );
    assert.equal(kinds.length, 8, kinds.join());
  });

  it('refuses by code and leaves no event [R25-86, TM-04]', async () => {
    const opened = await openAtRest();
    const answer = await world.answer(opened.view);
    const before = await historyOf(opened);
    const other = await refusalOf(respond(opened, { ...answer, intent_id: 'other' }));
    const label = await refusalOf(respond(opened, { ...answer, value: 'approve refund' }));
    const none = await refusalOf(respond(opened, {} as OperatorAnswer));
    assert.deepEqual(await historyOf(opened), before);
    assert.equal(other.code, 'suspension_mismatch');
    assert.equal(JSON.stringify(other).includes(opened.id), false);
    assert.equal(label.code, 'invalid_value');
    assert.deepEqual(label.valid_choices, ['approve', 'deny']);
    assert.equal(none.code, 'invalid_request');
    await respond(opened, answer);
    await opened.handle.result();
  });

  it('tells many waiters at the price of one event', async () => {
    const opened = await openAtRest();
    const waiting = await Promise.all(Array.from({ length: 30 }, () => awaitOutcome(opened)));
    await respond(opened, await world.answer(opened.view));
    const outcomes = await Promise.all(waiting.map((waiter) => waiter.result()));
    const record = await settledRecord(opened.handle);
    for (const outcome of outcomes) {
      assert.ok(!outcome.moved);
      assert.deepEqual(outcome.view.record, record);
      assert.equal(outcome.view.state, 'settled');
    }
    const accepted = (await historyOf(opened)).filter(
      (event) => event.workflowExecutionUpdateAcceptedEventAttributes,
    );
    assert.equal(accepted.length, 2);
  });
});
