import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import {
  endSubscriptionSignal,
  goBackSignal,
  wakeSignal,
} from '../../../workflows/subscription/messages.js';
import { lookUntil } from '../../support/looks.js';
import type { RunningWorker } from '../../support/temporal.js';
import { openSubscription, startFeedWorker } from '../support/observers.js';
import { World } from '../support/world.js';
import { caller } from '../../support/callers.js';

describe('subscription', () => {
  let world: World;
  let feedWorker: RunningWorker;
  before(async () => {
    world = await World.start();
    feedWorker = await startFeedWorker(world);
  });
  const waiting = () => world.activities.deliverTo;
  let first: ReturnType<typeof waiting>;
  before(() => (first = waiting()));
  afterEach(() => {
    world.activities.deliverTo = first;
  });
  after(async () => {
    await feedWorker.stop();
    await world.close();
  });

  const rowsOf = (id: string) =>
    world.activities.rows.flatMap((row) =>
      row.kind === 'subscription' && row.subscription.id === id ? [row.subscription] : [],
    );
  const placesOf = (id: string) =>
    world.activities.subscribed
      .filter((request) => request.subscription.id === id)
      .map(({ after }) => after);

  it('is over where its receiver wants no more', async () => {
    world.activities.deliverTo = () =>
      Promise.reject(ApplicationFailure.nonRetryable('gone', 'endpoint_gone'));
    const { handle, id } = await openSubscription(world);
    await handle.result();
    assert.equal(rowsOf(id).at(-1)?.end_reason, 'endpoint_gone');
  });

  it('expires at its instant, although its receiver is away', async () => {
    world.activities.deliverTo = () => Promise.reject(new Error('busy'));
    const expires_at = new Date((await world.now()) + 3_600_000).toISOString();
    const { handle, id } = await openSubscription(world, { expires_at });
    await world.sleep('3590 s');
    assert.equal(rowsOf(id).length, 1);
    await world.sleep('20 s');
    await handle.result();
    const last = rowsOf(id).at(-1);
    assert.deepEqual([last?.active, last?.end_reason], [false, 'expired']);
    assert.ok((last?.ended_at ?? '') >= expires_at);
  });

  it('goes on in a new run, and writes its beginning once', async () => {
    world.activities.deliverTo = ({ after }) => {
      const gone = ApplicationFailure.nonRetryable('gone', 'endpoint_gone');
      return after < 40 ? Promise.resolve({ after: after + 1, more: true }) : Promise.reject(gone);
    };
    const { handle, id } = await openSubscription(world, {}, { history_limit: 40 });
    await handle.result();
    const { status } = await handle.describe();
    assert.equal(status.name, 'COMPLETED');
    assert.deepEqual(
      placesOf(id),
      Array.from({ length: 38 }, (_, index) => index + 3),
    );
    assert.deepEqual(
      rowsOf(id).map(({ active }) => active),
      [true, false],
    );
  });

  it('goes back with the feed, also while it delivers, and sleeps where that ends', async () => {
    const turns: ((after: number) => void)[] = [];
    world.activities.deliverTo = () =>
      new Promise((resolve) => turns.push((after) => resolve({ after })));
    const { handle, id } = await openSubscription(world);
    const begun = async (count: number) =>
      lookUntil(async () => turns.length >= count, `turn ${count} does not begin`);
    await begun(1);
    turns[0]?.(100);
    await handle.signal(wakeSignal, 101);
    await begun(2);
    await handle.signal(goBackSignal, 95);
    turns[1]?.(101);
    await begun(3);
    turns[2]?.(97);
    await handle.signal(wakeSignal, 98);
    await begun(4);
    turns[3]?.(98);
    await handle.signal(goBackSignal, 90);
    await begun(5);
    assert.deepEqual(placesOf(id), [3, 100, 95, 97, 90]);
    await handle.signal(endSubscriptionSignal, { by: caller('alice', 'admin') });
    turns[4]?.(98);
    await handle.result();
  });

  it('delivers turn after turn, each from where the last one came to', async () => {
    world.activities.deliverTo = async ({ after }) => {
      if (after < 6) return { after: after + 1, more: true };
      return first({} as never);
    };
    const { handle, id } = await openSubscription(world);
    await world.sleep('1 s');
    await handle.signal(endSubscriptionSignal, { by: caller('agent-1') });
    await handle.result();
    assert.deepEqual(placesOf(id).slice(0, 4), [3, 4, 5, 6]);
    assert.deepEqual(
      rowsOf(id).map(({ active, end_reason }) => [active, end_reason]),
      [
        [true, null],
        [false, 'deleted'],
      ],
    );
  });
});
