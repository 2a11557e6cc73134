import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { after, afterEach, before, describe, it } from 'mocha';
import {
  HOUR,
  type instantAfter,
  LADDER,
  openSuspension,
  respond,
} from '../support/suspensions.js';
import { World } from '../support/world.js';

describe('suspension delivery', () => {
  let world: World;
  let deliver: World['activities']['deliver'];
  before(async () => {
    world = await World.start();
    ({ deliver } = world.activities);
  });
  afterEach(() => {
    world.activities.deliver = deliver;
  });
  after(() => world.close());

  function stored(id: string, ...kinds: string[]) {
    return world.activities.timelineOf(id).filter(({ kind }) => kinds.includes(kind));
  }

  it('keeps its instants although every delivery fails', async () => {
    world.activities.deliver = () => Promise.reject(new Error('the channel is down'));
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('10802 s');
    assert.equal((await opened.handle.result()).resolution, 'expired');
    const acts = stored(opened.id, 'attempt', 'expired');
    assert.deepEqual(
      acts.map(({ at }, index) => Math.floor((Date.parse(at) - openedAt(opened)) / HOUR) - index),
      [0, 0, 0, 0],
    );
    const ended = stored(opened.id, 'delivered', 'delivery_failed', 'delivery_superseded');
    assert.deepEqual(ended.map(({ detail }) => detail['attempt']).sort(), [1, 2, 3]);
    assert.ok(ended.every(({ kind }) => kind !== 'delivered'));
    assert.equal(ended[0]?.kind, 'delivery_failed');
    assert.ok(ended[0].sequence < (acts[1]?.sequence ?? 0), 'attempt 1 is tried beside attempt 2');
  });

  it('tries one delivery again under one id until it goes out', async () => {
    let tries = 0;
    world.activities.deliver = () => {
      tries += 1;
      const receipt = { channel: 'slack', reference: 'message-7' };
      return tries < 4 ? Promise.reject(new Error('busy')) : Promise.resolve(receipt);
    };
    const opened = await openSuspension(world, { channel_hint: 'slack', retry_policy: LADDER });
    await world.sleep('60 s');
    assert.deepEqual(
      world.activities.notified
        .filter(({ suspension_id }) => suspension_id === opened.id)
        .map(({ delivery_id }) => delivery_id),
      Array.from({ length: 4 }, () => `${opened.id}:1`),
    );
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
    assert.deepEqual(
      stored(opened.id, 'delivered').map(({ detail }) => [detail['channel'], detail['reference']]),
      [['slack', 'message-7']],
    );
  });

  for (const code of ['recipient_not_allowed', 'channel_not_configured']) {
    it(`notes ${code} and climbs on [R26-88]`, async () => {
      world.activities.deliver = ({ attempt }) =>
        attempt === 2
          ? Promise.reject(ApplicationFailure.nonRetryable('not on the list', code))
          : Promise.resolve({ channel: 'console' });
      const opened = await openSuspension(world, { retry_policy: LADDER });
      await world.sleep('7210 s');
      assert.deepEqual(world.activities.attemptsOf(opened.id), [1, 2, 3]);
      await respond(opened, await world.answer(opened.view));
      await opened.handle.result();
      assert.deepEqual(
        stored(opened.id, 'delivery_failed').map(({ detail }) => [
          detail['attempt'],
          detail['error'],
          detail['message'],
        ]),
        [[2, code, 'not on the list']],
      );
    });
  }

  it('leaves a hanging channel behind at the answer', async () => {
    world.activities.deliver = world.activities.hang;
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('1 s');
    assert.deepEqual(world.activities.attemptsOf(opened.id), [1]);
    await respond(opened, await world.answer(opened.view));
    assert.equal((await opened.handle.result()).resolution, 'responded');
    assert.equal(stored(opened.id, 'delivery_superseded').length, 1);
  });

  function openedAt({ view }: Parameters<typeof instantAfter>[0]): number {
    return Date.parse(view.record.suspended_at);
  }
});
