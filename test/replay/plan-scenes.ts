import type { WorkflowHandle } from '@temporalio/client';
import { recordQuery, respondUpdate } from '../../workflows/suspension/messages.js';
import { startHolding, type Holding } from '../workflows/support/held-tasks.js';
import { writeStatus, type IntentHandle } from '../workflows/support/intents.js';
import {
  activate,
  claimTask,
  doTask,
  openPlan,
  openTask,
  patchTask,
  planAtCheckpoint,
  planOnce,
  readPlan,
  taskOnce,
} from '../workflows/support/plans.js';
import { World } from '../workflows/support/world.js';

type Kept = Readonly<Record<string, Pick<WorkflowHandle, 'workflowId' | 'fetchHistory'>>>;

const TWO_TASKS = [
  { name: 'review', outputs: { approved: 'boolean' } },
  { name: 'report', depends_on: ['review'], inputs: { verdict: 'review.approved' } },
];

async function answer(world: World, suspensionId: string, value?: string): Promise<void> {
  const handle = world.suspension(suspensionId);
  await world.delivered(suspensionId);
  const view = await handle.query(recordQuery);
  await handle.executeUpdate(respondUpdate, { args: [await world.answer(view, value)] });
  await handle.result();
}

async function complete(intent: IntentHandle, ...others: readonly WorkflowHandle[]): Promise<void> {
  await writeStatus(intent, 'completed');
  await Promise.all([intent, ...others].map((one) => one.result()));
}

async function runningTask(world: World, intent: IntentHandle, input = {}) {
  const handle = await openTask(world, intent, {}, input);
  await claimTask(handle);
  await patchTask(handle, { status: 'running' });
  return handle;
}

const TASKS: Readonly<Record<string, (world: World) => Promise<Kept>>> = {
  async 'task-completed'(world) {
    const intent = await world.openIntent();
    const handle = await runningTask(world, intent);
    await patchTask(handle, { status: 'completed', output: { done: true } });
    await complete(intent, handle);
    return { 'task-completed': handle };
  },
  async 'task-blocked-while-its-intent-was-suspended'(world) {
    const intent = await world.openIntent();
    const handle = await runningTask(world, intent);
    const view = await world.ask(intent);
    await taskOnce(handle, ({ status }) => status === 'blocked');
    await answer(world, view.id);
    await taskOnce(handle, ({ status }) => status === 'running');
    await complete(intent, handle);
    return { 'task-blocked-while-its-intent-was-suspended': handle };
  },
  async 'task-failed-with-its-intent'(world) {
    const intent = await world.openIntent();
    const handle = await runningTask(world, intent);
    const view = await world.ask(intent, { timeout_seconds: 60 });
    await taskOnce(handle, ({ status }) => status === 'blocked');
    await world.sleep('61 s');
    await world.suspension(view.id).result();
    await Promise.all([handle.result(), intent.result()]);
    return { 'task-failed-with-its-intent': handle };
  },
  async 'task-timed-out'(world) {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent, { timeout_seconds: 300 });
    await claimTask(handle);
    await patchTask(handle, { status: 'running' });
    await world.sleep('100 s');
    const view = await world.ask(intent);
    await taskOnce(handle, ({ status }) => status === 'blocked');
    await world.sleep('1000 s');
    await answer(world, view.id);
    await taskOnce(handle, ({ status }) => status === 'running');
    await world.sleep('301 s');
    await taskOnce(handle, ({ status }) => status === 'failed');
    await writeStatus(intent, 'abandoned');
    await Promise.all([handle.result(), intent.result()]);
    return { 'task-timed-out': handle };
  },
  async 'task-in-two-runs'(world) {
    const intent = await world.openIntent();
    const handle = await openTask(world, intent, {}, { history_limit: 40 });
    const { runId } = await handle.describe();
    await claimTask(handle);
    for (let run = runId; run === runId; run = (await handle.describe()).runId) {
      const view = await world.ask(intent);
      await taskOnce(handle, ({ status }) => status === 'blocked');
      await answer(world, view.id);
      await taskOnce(handle, ({ status }) => status === 'running');
    }
    await patchTask(handle, { status: 'completed', output: {} });
    await complete(intent, handle);
    const first = world.client.getHandle(handle.workflowId, runId);
    return { 'task-in-two-runs-1': first, 'task-in-two-runs-2': handle };
  },
};

const PLANS: Readonly<Record<string, (world: World) => Promise<Kept>>> = {
  async 'plan-completed'(world) {
    const intent = await world.openIntent();
    const { handle, task } = await openPlan(world, intent, { tasks: TWO_TASKS });
    await taskOnce(task('report'), ({ status }) => status === 'pending');
    await claimTask(task('report'), 'agent-1', true);
    await doTask(task('review'), { approved: true });
    await taskOnce(task('report'), ({ status }) => status === 'claimed');
    await patchTask(task('report'), { status: 'running' });
    await patchTask(task('report'), { status: 'completed', output: {} });
    await handle.result();
    await complete(intent, task('review'), task('report'));
    return { 'plan-completed': handle, 'task-whose-claim-waited': task('report') };
  },
  async 'plan-with-a-checkpoint'(world) {
    const intent = await world.openIntent();
    const checkpoints = [{ after_task: 'review', timeout_hours: 1 }];
    const { handle, task } = await openPlan(world, intent, { tasks: TWO_TASKS, checkpoints });
    await doTask(task('review'), { approved: true });
    const asked = await planOnce(handle, (one) => one.checkpoints[0]?.suspension_id !== null);
    await answer(world, asked.checkpoints[0]?.suspension_id ?? '');
    await doTask(task('report'));
    await handle.result();
    await complete(intent, task('review'), task('report'));
    return { 'plan-with-a-checkpoint': handle };
  },
  async 'plan-cancelled'(world) {
    const intent = await world.openIntent();
    const { handle, task } = await openPlan(world, intent, {
      tasks: [{ name: 'review' }],
      state: 'draft',
    });
    await activate(handle);
    await taskOnce(task('review'), ({ status }) => status === 'ready');
    await activate(handle, 'cancelled');
    await handle.result();
    await complete(intent, task('review'));
    return { 'plan-cancelled': handle };
  },
  async 'plan-in-two-runs'(world) {
    const intent = await world.openIntent();
    const names = ['draft', 'review', 'report'];
    const tasks = names.map((name, i) => ({ name, depends_on: names.slice(i - 1, i) }));
    const { handle, task } = await openPlan(world, intent, { tasks }, { history_limit: 100 });
    const { runId } = await handle.describe();
    for (const name of names) await doTask(task(name));
    await handle.result();
    await complete(intent, ...names.map(task));
    const first = world.client.getHandle(handle.workflowId, runId);
    return { 'plan-in-two-runs-1': first, 'plan-in-two-runs-2': handle };
  },
  async 'plan-failed-after-a-retry'(world) {
    const intent = await world.openIntent();
    const tasks = [{ name: 'review', max_attempts: 2 }];
    const { handle, task } = await openPlan(world, intent, { tasks, on_failure: 'retry' });
    for (const attempt of [1, 2]) {
      await taskOnce(task('review'), (one) => one.status === 'ready' && one.attempt === attempt);
      await claimTask(task('review'));
      await patchTask(task('review'), { status: 'running' });
      await patchTask(task('review'), { status: 'failed', error: 'broken' });
    }
    await handle.result();
    await writeStatus(intent, 'abandoned');
    await Promise.all([intent.result(), task('review').result()]);
    return { 'plan-failed-after-a-retry': handle, 'task-tried-again': task('review') };
  },
  async 'plan-whose-task-was-skipped-by-an-operator'(world) {
    const intent = await world.openIntent();
    const tasks = [{ name: 'review' }, { name: 'report', depends_on: ['review'] }];
    const { handle, task } = await openPlan(world, intent, { tasks });
    await taskOnce(task('review'), ({ status }) => status === 'ready');
    await claimTask(task('review'));
    await patchTask(task('review'), { status: 'running' });
    await patchTask(task('review'), { status: 'failed', error: 'broken' });
    const asked = await planOnce(
      handle,
      (one) => (one.escalations[0]?.suspension_id ?? null) !== null,
    );
    await answer(world, asked.escalations[0]?.suspension_id ?? '', 'skip');
    await doTask(task('report'));
    await handle.result();
    await complete(intent, task('review'), task('report'));
    const name = 'plan-whose-task-was-skipped-by-an-operator';
    return { [name]: handle, 'task-skipped': task('review') };
  },
};

/** The history of a plan that is cancelled before it hears how its question was answered, in a world of its own. */
async function cancelledUnheard() {
  const holdings: Holding[] = [];
  const connect = async (address: string) => {
    const holding = await startHolding(address);
    holdings.push(holding);
    return holding.connection;
  };
  const world = await World.start({ on: 'dev server', connect });
  const { handle, id } = await planAtCheckpoint(world);
  await readPlan(handle);
  const ending = holdings[0]?.hold(handle.workflowId);
  const cancelled = activate(handle, 'cancelled');
  await ending?.decided;
  await answer(world, id);
  ending?.letGo();
  await cancelled;
  await handle.result();
  const history = await handle.fetchHistory();
  await world.close();
  for (const holding of holdings) await holding.close();
  return { workflowId: handle.workflowId, fetchHistory: () => Promise.resolve(history) };
}

const UNHEARD: Readonly<Record<string, () => Promise<Kept>>> = {
  async 'plan-that-lets-a-told-question-go'() {
    return { 'plan-that-lets-a-told-question-go': await cancelledUnheard() };
  },
};

/** Ends of tasks and plans. */
export const PLAN_SCENES = { ...TASKS, ...PLANS, ...UNHEARD };
