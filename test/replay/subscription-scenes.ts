import { ApplicationFailure } from '@temporalio/common';
import { endSubscriptionSignal } from '../../workflows/subscription/messages.js';
import { openSubscription, startFeedWorker } from '../support/observers.js';
import type { World } from '../support/world.js';
import type { Scene } from './scenes.js';

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

/** Ends of a webhook subscription. */
export const SUBSCRIPTIONS: Readonly<Record<string, Scene>> = {
  'subscription-given-up-by-its-receiver': withDeliveries(async (world) => {
    world.activities.deliverTo = ({ after }) =>
      after < 6 ? Promise.resolve({ after: after + 1 }) : Promise.reject(gone());
    const { handle } = await openSubscription(world);
    await handle.result();
    return { 'subscription-given-up-by-its-receiver': handle };
  }),
  'subscription-expired': withDeliveries(async (world) => {
    world.activities.deliverTo = () => Promise.reject(new Error('busy'));
    const expires_at = new Date((await world.now()) + 60_000).toISOString();
    const { handle } = await openSubscription(world, { expires_at });
    await world.env.sleep('61 s');
    await handle.result();
    return { 'subscription-expired': handle };
  }),
  'subscription-in-two-runs': withDeliveries(async (world) => {
    world.activities.deliverTo = ({ after }) =>
      after < 10 ? Promise.resolve({ after: after + 1 }) : Promise.reject(gone());
    const { handle } = await openSubscription(world, {}, { history_limit: 30 });
    await handle.result();
    const first = world.client.getHandle(handle.workflowId, handle.firstExecutionRunId);
    const last = world.client.getHandle(handle.workflowId);
    return { 'subscription-in-two-runs-1': first, 'subscription-in-two-runs-2': last };
  }),
  'subscription-deleted': withDeliveries(async (world) => {
    const { handle } = await openSubscription(world);
    while (world.activities.subscribed.length === 0) await new Promise(setImmediate);
    await handle.signal(endSubscriptionSignal);
    await handle.result();
    return { 'subscription-deleted': handle };
  }),
};
