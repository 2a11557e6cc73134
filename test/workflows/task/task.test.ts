import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Task } from '../../../contracts/plan/task.js';
import { logOf, refusalOf, snapshotOf, writeStatus } from '../support/intents.js';
import {
  claimTask,
  idOf,
  openTask,
  patchTask,
  readTask,
  taskOnce,
  type TaskHandle,
} from '../support/plans.js';
import { lookUntil } from '../../support/looks.js';
import { perSuite, World } from '../support/world.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';

const RUNS = ['task.created', 'task.claimed', 'task.started'];

describe('a task', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function running() {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent);
    await claimTask(handle);
    await patchTask(handle, { status: 'running' });
    return { intent, handle };
  }

  /**
   * The task as the store has it, once it is as looked for and its run is at rest: a Query that meets the end of a run would
   * hold up its workflow, and a Signal that does is lost.
   */
  async function storedOnce(handle: TaskHandle, isWanted: (task: Task) => boolean): Promise<Task> {
    const stored = () => world.activities.taskRow(idOf(handle))?.task;
    const found = await lookUntil(
      async () => {
        const task = stored();
        return task && isWanted(task) && task;
      },
      () => `the task never got there: ${JSON.stringify(stored())}`,
    );
    return found;
  }

  it('without a plan mirrors the suspension of its intent, one way [R26-12, R26-13, R26-14]', async () => {
    const { intent, handle } = await running();
    const view = await world.ask(intent);
    const blocked = await taskOnce(handle, ({ status }) => status === 'blocked');
    assert.equal(blocked.blocked_reason, 'intent_suspended');
    assert.equal(blocked.suspended_intent_id, idOf(intent));
    const refused = await refusalOf(patchTask(handle, { status: 'running' }));
    assert.equal(refused.code, 'intent_suspended');
    const suspension = world.suspension(view.id);
    await suspension.executeUpdate(respondUpdate, { args: [await world.answer(view)] });
    const resumed = await taskOnce(handle, ({ status }) => status === 'running');
    assert.deepEqual(
      [resumed.blocked_reason, resumed.suspended_intent_id, resumed.assigned_agent],
      [null, null, 'agent-1'],
    );
    await patchTask(handle, { status: 'blocked', blocked_reason: 'legal' });
    const { intent: still } = await snapshotOf(intent);
    assert.equal(still.status, 'active', 'blocking a task suspends nothing');
    await patchTask(handle, { status: 'running' });
    await patchTask(handle, { status: 'completed', output: { done: true } });
    const log = await lookUntil(async () => {
      const events = await logOf(world, intent);
      return events.some(({ event_type }) => event_type === 'task.completed') && events;
    }, 'the intent does not hear that the task is completed');
    assert.deepEqual(
      log.map(({ event_type }) => event_type).filter((type) => type.startsWith('task.')),
      [
        ...RUNS,
        'task.blocked',
        'task.unblocked',
        'task.blocked',
        'task.unblocked',
        'task.completed',
      ],
    );
    await writeStatus(intent, 'completed');
    await handle.result();
    await intent.result();
  });

  it('takes over the state of its intent, however late it starts', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const handle = await openTask(world, intent);
    await taskOnce(handle, ({ status }) => status === 'blocked');
    await writeStatus(intent, 'abandoned', { reason: 'no longer needed' });
    await world.suspension(view.id).result();
    await handle.result();
    const { status, error } = await readTask(handle);
    assert.deepEqual([status, error], ['failed', 'no longer needed']);
    const late = await openTask(world, intent);
    await late.result();
    assert.equal((await readTask(late)).status, 'failed');
  });

  it('knows dependencies that ended before it started', async () => {
    const intent = await world.openIntent();
    const first = await openTask(world, intent);
    await claimTask(first);
    await patchTask(first, { status: 'running' });
    await patchTask(first, { status: 'completed' });
    const second = await openTask(world, intent, { depends_on: [idOf(first)] });
    await taskOnce(second, ({ status }) => status === 'ready');
    const other = await world.openIntent();
    await writeStatus(intent, 'completed');
    await Promise.all([first.result(), second.result()]);
    const third = await openTask(world, other, { depends_on: [idOf(first)] });
    await taskOnce(third, ({ status }) => status === 'ready');
    await writeStatus(other, 'completed');
    await third.result();
  });

  it('keeps its state when it continues as new', async () => {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent, {}, { history_limit: 40 });
    const { runId } = await handle.describe();
    await claimTask(handle);
    for (let run = runId; run === runId; run = (await handle.describe()).runId) {
      const view = await world.ask(intent);
      await storedOnce(handle, ({ status }) => status === 'blocked');
      await world.respond(view);
      await storedOnce(handle, ({ status }) => status === 'running');
    }
    const view = await world.ask(intent);
    const blocked = await storedOnce(handle, ({ status }) => status === 'blocked');
    assert.equal(blocked.assigned_agent, 'agent-1');
    await world.respond(view);
    await storedOnce(handle, ({ status }) => status === 'running');
    await writeStatus(intent, 'completed');
    await handle.result();
    assert.equal(world.activities.taskRow(idOf(handle))?.task.status, 'completed');
  });
});
