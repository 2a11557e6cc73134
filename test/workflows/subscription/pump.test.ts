import assert from 'node:assert/strict';
import type { Pumped } from '../../../activities/types.js';
import { PUMP } from '../../../contracts/constants/names.js';
import { endSubscriptionSignal, wakeSignal } from '../../../workflows/subscription/messages.js';
import { keepPumpingSignal } from '../../../workflows/pump/workflow.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import type { RunningWorker } from '../../support/temporal.js';
import { openSubscription, startFeedWorker } from '../support/observers.js';
import { World } from '../support/world.js';

describe('the pump of all subscriptions', () => {
  let world: World;
  let feedWorker: RunningWorker;
  let idle: World['activities']['wakeSubscriptions'];
  before(async () => {
    world = await World.start();
    feedWorker = await startFeedWorker(world);
    idle = world.activities.wakeSubscriptions;
  });
  afterEach(() => {
    world.activities.wakeSubscriptions = idle;
  });
  after(async () => {
    await feedWorker.stop();
    await world.close();
  });

  const handle = () => world.client.getHandle(PUMP.id);
  const ended = () =>
    lookUntil(
      async () => (await handle().describe()).status.name === 'COMPLETED',
      'the pump goes on',
    );

  it('runs once, from the first subscription until none is left', async () => {
    let left = 2;
    const asked: (number | null)[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world.activities.wakeSubscriptions = async ({ after }): Promise<Pumped> => {
      asked.push(after);
      await held;
      left -= 1;
      return { after: 7 + asked.length, idle: left < 0 };
    };
    const first = await openSubscription(world);
    const second = await openSubscription(world);
    await lookUntil(async () => world.activities.subscribed.length >= 2, 'they do not deliver');
    release();
    await ended();
    assert.deepEqual(asked, [null, 8, 9]);
    for (const { handle: one } of [first, second]) {
      await one.signal(endSubscriptionSignal, { by: caller('agent-1') });
      await one.result();
    }
  });

  it('looks again where a subscription came while it found none', async () => {
    let looks = 0;
    world.activities.wakeSubscriptions = async (): Promise<Pumped> => {
      looks += 1;
      if (looks === 1) await handle().signal(keepPumpingSignal);
      return { after: looks, idle: true };
    };
    await world.client.start(PUMP.type, {
      workflowId: PUMP.id,
      taskQueue: world.taskQueue,
      args: [{}],
    });
    await ended();
    assert.equal(looks, 2);
  });

  it('continues as new with what it has passed on', async () => {
    const asked: (number | null)[] = [];
    world.activities.wakeSubscriptions = async ({ after }): Promise<Pumped> => {
      asked.push(after);
      return { after: asked.length, idle: asked.length === 20 };
    };
    const started = await world.client.start(PUMP.type, {
      workflowId: PUMP.id,
      taskQueue: world.taskQueue,
      args: [{ history_limit: 30 }],
    });
    await ended();
    assert.deepEqual(asked, [null, ...Array.from({ length: 19 }, (_, index) => index + 1)]);
    assert.notEqual((await handle().describe()).runId, started.firstExecutionRunId);
  });

  it('lets a subscription sleep until it is woken for something new', async () => {
    world.activities.deliverTo = async ({ after }) => ({ after: after + 1 });
    const { handle: one, id } = await openSubscription(world);
    const places = () =>
      world.activities.subscribed
        .filter(({ subscription }) => subscription.id === id)
        .map(({ after }) => after);
    await lookUntil(async () => places().length === 1, 'it does not begin');
    await one.signal(wakeSignal, 4);
    await one.signal(wakeSignal, 6);
    await lookUntil(async () => places().length === 3, 'it is not woken');
    await one.signal(wakeSignal, 6);
    await one.signal(endSubscriptionSignal, { by: caller('agent-1') });
    await one.result();
    assert.deepEqual(places(), [3, 4, 5]);
  });
});
