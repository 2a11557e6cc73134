import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refusalOf, writeStatus, type IntentHandle } from '../support/intents.js';
import {
  claimTask,
  idOf,
  openPlan,
  openTask,
  patchTask,
  readTask,
  taskOnce,
  type TaskHandle,
} from '../support/plans.js';
import { perSuite, World } from '../support/world.js';

async function start(handle: TaskHandle): Promise<void> {
  await taskOnce(handle, ({ status }) => status === 'ready');
  await claimTask(handle);
  await patchTask(handle, { status: 'running' });
}

async function close(intent: IntentHandle, ...others: readonly TaskHandle[]): Promise<void> {
  await writeStatus(intent, 'abandoned');
  await Promise.all([intent, ...others].map((one) => one.result()));
}

describe('a task with a timeout', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const statusOf = (handle: TaskHandle) =>
    world.activities.taskRow(idOf(handle))?.task.status ?? assert.fail();

  it('fails when its time is over, and refuses output afterwards', async () => {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent, { timeout_seconds: 300 });
    await start(handle);
    await world.sleep('290 s');
    assert.equal(statusOf(handle), 'running');
    await world.sleep('11 s');
    const { error } = await taskOnce(handle, ({ status }) => status === 'failed');
    assert.equal(error, 'timeout');
    const late = await refusalOf(patchTask(handle, { status: 'completed', output: {} }));
    assert.equal(late.code, 'invalid_transition');
    await close(intent, handle);
  });

  it('stands still while its intent waits for an operator, however long [R26-79]', async () => {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent, { timeout_seconds: 300 });
    await start(handle);
    await world.sleep('100 s');
    const view = await world.ask(intent, {
      retry_policy: { max_attempts: 3, interval_seconds: 3_600 },
    });
    await taskOnce(handle, ({ status }) => status === 'blocked');
    await world.sleep('7300 s');
    const waiting = await readTask(handle);
    assert.deepEqual([waiting.status, waiting.attempt], ['blocked', 1]);
    await world.respond(view);
    await taskOnce(handle, ({ status }) => status === 'running');
    await world.sleep('150 s');
    assert.equal(statusOf(handle), 'running');
    await world.sleep('60 s');
    await taskOnce(handle, ({ status }) => status === 'failed');
    await close(intent, handle);
  });

  it('is tried again by its plan, with its whole time', async () => {
    const intent = await world.openIntent();
    const tasks = [{ name: 'review', timeout_seconds: 300, max_attempts: 2 }];
    const { handle, task } = await openPlan(world, intent, { tasks, on_failure: 'retry' });
    const review = task('review');
    await start(review);
    await world.sleep('301 s');
    await taskOnce(review, ({ status, attempt }) => status === 'ready' && attempt === 2);
    await start(review);
    await world.sleep('290 s');
    assert.equal(statusOf(review), 'running');
    await patchTask(review, { status: 'completed', output: {} });
    await handle.result();
    await close(intent, review);
  });
});

describe('a task whose time is over while no worker is there', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('refuses output that arrives with its timeout', async () => {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent, { timeout_seconds: 300 });
    await start(handle);
    await world.sleep('1 s');
    await world.withoutWorker(async () => {
      await world.sleep('299 s');
      await world.sleep('100 s');
    });
    const late = await refusalOf(patchTask(handle, { status: 'completed', output: {} }));
    assert.ok(['version_conflict', 'invalid_transition'].includes(late.code));
    await taskOnce(handle, ({ status }) => status === 'failed');
    await close(intent, handle);
  });
});
