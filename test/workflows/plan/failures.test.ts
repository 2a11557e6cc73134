import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Plan } from '../../../contracts/plan/plan.js';
import { recordQuery, respondUpdate } from '../../../workflows/suspension/messages.js';
import { logOf, snapshotOf, writeStatus, type IntentHandle } from '../support/intents.js';
import {
  claimTask,
  doTask,
  openPlan,
  patchTask,
  planOnce,
  readPlan,
  taskOnce,
  type PlanHandle,
  type TaskHandle,
} from '../support/plans.js';
import { perSuite, World } from '../support/world.js';

const TASKS = [{ name: 'review' }, { name: 'report', depends_on: ['review'] }];

describe('a plan whose task fails', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  async function fail(handle: TaskHandle): Promise<void> {
    await taskOnce(handle, ({ status }) => status === 'ready');
    await claimTask(handle);
    await patchTask(handle, { status: 'running' });
    await patchTask(handle, { status: 'failed', error: 'broken' });
  }

  const isAsked = ({ escalations }: Plan) =>
    escalations.some(({ status, suspension_id }) => status === 'open' && suspension_id !== null);

  async function asked(handle: PlanHandle): Promise<string> {
    const { escalations } = await planOnce(handle, isAsked);
    const id = escalations[0]?.suspension_id ?? assert.fail();
    await world.delivered(id);
    return id;
  }

  async function decide(suspensionId: string, value: string): Promise<void> {
    const handle = world.suspension(suspensionId);
    const view = await handle.query(recordQuery);
    await handle.executeUpdate(respondUpdate, { args: [await world.answer(view, value)] });
  }

  async function close(intent: IntentHandle, ...others: readonly TaskHandle[]): Promise<void> {
    await writeStatus(intent, 'completed');
    await Promise.all([intent, ...others].map((one) => one.result()));
  }

  it('pauses, asks, and tries again beyond the attempts of the task [R26-79]', async () => {
    const intent = await world.openIntent();
    const { handle, task } = await openPlan(world, intent, { tasks: TASKS });
    await fail(task('review'));
    const first = await asked(handle);
    assert.equal((await readPlan(handle)).state, 'paused');
    assert.equal((await snapshotOf(intent)).intent.status, 'active', 'Rule 1');
    const { record } = await world.suspension(first).query(recordQuery);
    assert.deepEqual(
      [record.choices?.map(({ value }) => value), record.expires_at],
      [['retry', 'skip', 'fail'], undefined],
    );
    await decide(first, 'retry');
    const again = await taskOnce(task('review'), ({ attempt }) => attempt === 2);
    assert.deepEqual([again.max_attempts, again.error], [2, null]);
    await doTask(task('review'));
    await doTask(task('report'));
    await handle.result();
    const { state, escalations } = await readPlan(handle);
    assert.equal(state, 'completed');
    const [last] = escalations;
    assert.deepEqual([last?.status, last?.decision], ['decided', 'retry']);
    const types = (await logOf(world, intent)).map(({ event_type }) => event_type);
    assert.deepEqual(
      types.filter((type) => type.startsWith('plan.')),
      ['plan.created', 'plan.activated', 'plan.paused', 'plan.resumed', 'plan.completed'],
    );
    await close(intent, task('review'), task('report'));
  });

  it('asks anew where the intent is abandoned before a try was decided [AM-37]', async () => {
    const [intent, second] = [await world.openIntent(), await world.openIntent()];
    const own = { intent_id: second.workflowId.slice('intent-'.length) };
    const tasks = [
      { name: 'review', ...own },
      { name: 'report', depends_on: ['review'] },
    ];
    const { handle, task } = await openPlan(world, intent, { tasks });
    await fail(task('review'));
    const first = await asked(handle);
    await writeStatus(second, 'abandoned', { reason: 'no longer needed' });
    const settled = await world.suspension(first).result();
    assert.equal(settled.resolution, 'cancelled');
    const anew = await asked(handle);
    assert.notEqual(anew, first);
    const { record } = await world.suspension(anew).query(recordQuery);
    assert.deepEqual(
      record.choices?.map(({ value }) => value),
      ['skip', 'fail'],
    );
    await Promise.all([second.result(), task('review').result()]);
    await decide(anew, 'skip');
    await doTask(task('report'));
    await handle.result();
    await close(intent, task('report'));
  });
});
