import { ApplicationFailure } from '@temporalio/common';
import { PUMP } from '../../contracts/constants/names.js';
import { keepPumpingSignal, type PumpInput } from '../../workflows/pump/workflow.js';
import { endSubscriptionSignal } from '../../workflows/subscription/messages.js';
import { openSubscription, startFeedWorker } from '../workflows/support/observers.js';
import type { World } from '../workflows/support/world.js';
import type { Scene } from './scenes.js';
import { caller } from '../support/callers.js';

const gone = () => ApplicationFailure.nonRetryable('gone', 'endpoint_gone');

/** A scene with a worker for deliveries. */
function withDeliveries(play: Scene): Scene {
  return async (world: World) => {
    const worker = await startFeedWorker(world);
    const histories = await play(world);
    await worker.stop();
    return histories;
  };
}

/** Ends of a webhook subscription, and of the pump of all. */
export const SUBSCRIPTIONS: Readonly<Record<string, Scene>> = {
  'subscription-given-up-by-its-receiver': withDeliveries(async (world) => {
    world.activities.deliverTo = ({ after }) =>
      after < 6 ? Promise.resolve({ after: after + 1, more: true }) : Promise.reject(gone());
    const { handle } = await openSubscription(world);
    await handle.result();
    return { 'subscription-given-up-by-its-receiver': handle };
  }),
  'subscription-expired': withDeliveries(async (world) => {
    world.activities.deliverTo = () => Promise.reject(new Error('busy'));
    const expires_at = new Date((await world.now()) + 60_000).toISOString();
    const { handle } = await openSubscription(world, { expires_at });
    await world.sleep('61 s');
    await handle.result();
    return { 'subscription-expired': handle };
  }),
  'subscription-in-two-runs': withDeliveries(async (world) => {
    world.activities.deliverTo = ({ after }) =>
      after < 10 ? Promise.resolve({ after: after + 1, more: true }) : Promise.reject(gone());
    const { handle } = await openSubscription(world, {}, { history_limit: 30 });
    await handle.result();
    const first = world.client.getHandle(handle.workflowId, handle.firstExecutionRunId);
    const last = world.client.getHandle(handle.workflowId);
    return { 'subscription-in-two-runs-1': first, 'subscription-in-two-runs-2': last };
  }),
  'subscription-deleted': withDeliveries(async (world) => {
    const { handle } = await openSubscription(world);
    while (world.activities.subscribed.length === 0) await new Promise(setImmediate);
    await handle.signal(endSubscriptionSignal, { by: caller('agent-1') });
    await handle.result();
    return { 'subscription-deleted': handle };
  }),
  'pump-of-no-subscription': withDeliveries(async (world) => {
    const handle = await startPump(world);
    await handle.result();
    return { 'pump-of-no-subscription': handle };
  }),
  'pump-that-was-kept': withDeliveries(async (world) => {
    let looks = 0;
    world.activities.wakeSubscriptions = async () => {
      looks += 1;
      if (looks === 1) await world.client.getHandle(PUMP.id).signal(keepPumpingSignal);
      return { after: looks, idle: true };
    };
    const handle = await startPump(world);
    await handle.result();
    return { 'pump-that-was-kept': handle };
  }),
  'pump-cancelled': withDeliveries(async (world) => {
    world.activities.wakeSubscriptions = async ({ after }) => {
      await world.client.getHandle(PUMP.id).cancel();
      return { after: after ?? 1, idle: false };
    };
    const handle = await startPump(world);
    await handle.result();
    return { 'pump-cancelled': handle };
  }),
  'pump-in-two-runs': withDeliveries(async (world) => {
    let looks = 0;
    world.activities.wakeSubscriptions = async () => {
      looks += 1;
      return { after: looks, idle: looks === 12 };
    };
    const handle = await startPump(world, { history_limit: 30 });
    await handle.result();
    const first = world.client.getHandle(handle.workflowId, handle.firstExecutionRunId);
    const last = world.client.getHandle(handle.workflowId);
    return { 'pump-in-two-runs-1': first, 'pump-in-two-runs-2': last };
  }),
};

function startPump(world: World, input: PumpInput = {}) {
  return world.client.start(PUMP.type, {
    workflowId: PUMP.id,
    taskQueue: world.taskQueue,
    args: [input],
  });
}
