import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, it } from 'mocha';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import { announcementSignal, observeSignal } from '../../../workflows/engine/messages.js';
import type { TaskRun } from '../../../workflows/task/entity.js';
import { gateSignal } from '../../../workflows/task/messages.js';
import { eventKinds } from '../support/histories.js';
import { NOTHING_CARRIED, patch, type IntentHandle } from '../support/intents.js';
import { idOf, openPlan, openTask, taskOnce } from '../support/plans.js';
import { stillObserver } from '../support/observers.js';
import { perSuite, perTest, World } from '../support/world.js';
import { lookUntil } from '../../support/looks.js';

const LIMIT = 50;

/** Waits until it is in another run; the error of one that stays has its latest events. */
async function moved(handle: WorkflowHandle, from: string): Promise<void> {
  const isMoved = async () => (await handle.describe()).runId !== from;
  const stays = async () => {
    const kinds = await eventKinds(handle);
    assert.fail(`it stays in its run: ${kinds.slice(-12).join(' ')}`);
  };
  await lookUntil(isMoved, '').catch(stays);
}

describe('an intent that gets nothing but announcements', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('goes on in a new run', async () => {
    const upstream = await world.openIntent();
    const depends_on = [idOf(upstream)];
    const handle = await world.openIntent({ depends_on, history_limit: LIMIT });
    const { runId } = await handle.describe();
    for (let index = 0; index < 30; index += 1) {
      await patch(upstream, [{ op: 'set', path: 'index', value: index }], index + 1);
    }
    await moved(handle, runId);
    await world.ask(upstream);
    const isBlocked = async () => world.activities.intentOf(idOf(handle)).status === 'blocked';
    await lookUntil(isBlocked, 'it is not blocked');
  });
});

describe('a workflow that continues as new', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  /**
   * A run that is to hand over waits a second for the store, which is away. Makes Signals arrive together with the end of
   * that second, and returns what the next run starts with.
   */
  async function handOver<T>(
    handle: WorkflowHandle,
    idle: () => Promise<void>,
    meanwhile: () => Promise<void>,
  ): Promise<T> {
    const { runId } = await handle.describe();
    await lookUntil(async () => {
      await idle();
      return (await eventKinds(handle)).includes('timerStarted');
    }, 'it does not wait for the store');
    await world.withoutWorker(async () => {
      await meanwhile();
      await world.sleep('2 s');
    });
    await moved(handle, runId);
    world.activities.storeIsDown = false;
    const { events } = await handle.fetchHistory();
    const { input } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    return defaultPayloadConverter.fromPayload<T>(input?.payloads?.[0] ?? {});
  }

  async function suspensionOf(intent: IntentHandle): Promise<Announcement> {
    const suspended_at = new Date(await world.now()).toISOString();
    return {
      intent_id: idOf(intent),
      version: 9,
      last_sequence: 9,
      holds: 1,
      held: true,
      status: 'suspended_awaiting_input',
      suspension: {
        suspension_id: randomUUID(),
        suspended_at,
        expires_at: null,
        attempt: 1,
        resolution: null,
        settled_at: null,
      },
    };
  }

  it('still owes an observer the news that was under way', async () => {
    const intent = await world.openIntent();
    world.activities.storeIsDown = true;
    const handle = await openTask(world, intent, {}, { history_limit: LIMIT });
    const follower = await stillObserver(world);
    await handle.signal(observeSignal, follower.workflowId);
    const announced = await suspensionOf(intent);
    const idle = () => handle.signal(gateSignal, { revision: 0, open: true });
    const { task, carried } = await handOver<TaskRun>(handle, idle, async () => {
      await follower.terminate();
      await handle.signal(announcementSignal, announced);
    });
    assert.equal(task.status, 'blocked');
    assert.deepEqual(carried?.observers.owed, [follower.workflowId]);
  });

  it('is cancelled if its last run was cancelled while it handed over', async () => {
    const handle = await world.openIntent({
      carried: { ...NOTHING_CARRIED, cancel_requested: true },
    });
    await handle.result();
    const { status } = world.activities.intentOf(idOf(handle));
    assert.equal(status, 'abandoned');
  });

  it('opens the gate of a task that starts late', async () => {
    const intent = await world.openIntent();
    const tasks = [{ name: 'review' }];
    const { task, children } = await openPlan(world, intent, { tasks }, { children: [] });
    await world.sleep('1 s');
    const [child = assert.fail()] = children;
    const { workflowId } = task('review');
    const { taskQueue } = world;
    await world.client.start('task', { workflowId, taskQueue, args: [child] });
    await world.sleep('10 s');
    await taskOnce(task('review'), ({ status }) => status === 'ready');
  });
});
