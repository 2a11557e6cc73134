import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import {
  historyOf,
  openDelivered,
  respond,
  timelineOf,
  type Opened,
} from '../support/suspensions.js';
import { World } from '../support/world.js';

describe('suspension answer keys', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  /** The store is away in every test, so that the workflow is there for what comes second. */
  async function finish(opened: Opened) {
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    return opened.handle.result();
  }
  afterEach(() => {
    world.activities.storeIsDown = false;
  });
  after(() => world.close());

  async function open() {
    const opened = await openDelivered(world);
    world.activities.storeIsDown = true;
    return opened;
  }

  it('gives two clients with one key one result [AM-47]', async () => {
    const opened = await open();
    const answer = await world.answer(opened.view, 'deny', 'r:one');
    const [first, second] = await Promise.all([
      respond(opened, answer, 'r:one'),
      respond(opened, answer, 'r:one'),
    ]);
    assert.deepEqual(first, second);
    const accepted = (await historyOf(opened)).filter(
      (event) => event.workflowExecutionUpdateAcceptedEventAttributes,
    );
    assert.equal(accepted.length, 1);
    assert.equal((await finish(opened)).response, 'deny');
  });

  it('records nothing when a Signal repeats an Update [AM-47]', async () => {
    const opened = await open();
    const answer = await world.answer(opened.view, 'deny', 'r:two');
    await respond(opened, answer, 'r:two');
    const before = await timelineOf(opened);
    await opened.handle.signal(operatorResponseSignal, answer);
    assert.deepEqual(await timelineOf(opened), before);
    assert.equal((await finish(opened)).response, 'deny');
  });

  it('answers an Update run after its own Signal with what counted [AM-47]', async () => {
    const opened = await open();
    const answer = await world.answer(opened.view, 'deny', 'r:three');
    await opened.handle.signal(operatorResponseSignal, answer);
    const later = { ...answer, received_at: new Date((await world.now()) + 5_000).toISOString() };
    const receipt = await respond(opened, later, 'r:three');
    assert.equal(receipt.body_hash, answer.answer.body_hash);
    assert.equal(receipt.result.responded_at, answer.received_at);
    assert.equal(receipt.result.value, 'deny');
    assert.equal((await timelineOf(opened, 'answer_rejected')).length, 0);
    await finish(opened);
  });
});
