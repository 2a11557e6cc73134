import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'mocha';
import { gateSignal } from '../../../workflows/task/messages.js';
import { refusalOf } from '../support/intents.js';
import { openSubscription } from '../support/observers.js';
import { openTask } from '../support/plans.js';
import { beat, coordinate } from '../support/portfolios.js';
import { World } from '../support/world.js';

const LIMIT = 30;
const LOOKS = 50;

/** What the copies of the run loop and of the senders did differently, before there was one of each. */
describe('a run that hands over', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  afterEach(() => {
    world.activities.storeIsDown = false;
  });
  after(() => world.close());

  it('keeps the cancellation of a subscription that came meanwhile', async () => {
    const carried = { after: 3, unwritten: [], cancel_requested: true } as const;
    const { handle, id } = await openSubscription(world, {}, { carried });
    await handle.result();
    const ends = world.activities.rows.flatMap((row) =>
      row.kind === 'subscription' && row.subscription.id === id
        ? [row.subscription.end_reason]
        : [],
    );
    assert.deepEqual(ends, ['deleted']);
  });

  it('refuses heartbeats of a coordinator until what it carries fits', async () => {
    const intent = await world.openIntent();
    const holds = { held: [], turns: 0 };
    const nothing = { notes: [], wishes: [], unwritten: [], holds, last_heard: [] };
    const carried = { ...nothing, escalated: ['x'.repeat(1_850 * 1_024)] };
    const handle = await coordinate(world, intent, {}, { history_limit: 1, carried });
    const { runId } = await handle.describe();
    assert.equal((await refusalOf(beat(handle))).code, 'moving');
    assert.equal((await handle.describe()).runId, runId);
    await handle.terminate();
  });

  it('does not wait for the read of a task from a store that is away', async () => {
    const intent = await world.openIntent();
    world.activities.storeIsDown = true;
    const input = { history_limit: LIMIT };
    const handle = await openTask(world, intent, { depends_on: [randomUUID()] }, input);
    const { runId } = await handle.describe();
    for (let sent = 0; sent <= LIMIT; sent += 1) {
      await handle.signal(gateSignal, { revision: 0, open: true });
    }
    let moved = false;
    for (let look = 0; look < LOOKS && !moved; look += 1) {
      await world.sleep('2 s');
      moved = (await handle.describe()).runId !== runId;
    }
    assert.ok(moved, 'it stays in its run');
    await handle.terminate();
  });
});
