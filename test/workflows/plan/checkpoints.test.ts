import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Plan } from '../../../contracts/plan/plan.js';
import type { TaskStatus } from '../../../contracts/plan/task.js';
import { patchPlanUpdate } from '../../../workflows/plan/messages.js';
import { patchTaskUpdate } from '../../../workflows/task/messages.js';
import { caller } from '../../support/callers.js';
import { refusalOf, writeStatus } from '../support/intents.js';
import {
  doTask,
  openPlan,
  planOnce,
  readPlan,
  readTask,
  type PlanHandle,
  type TaskHandle,
} from '../support/plans.js';
import { World } from '../support/world.js';

const AGENT = caller('planner');
const PERSON = caller('alice', 'operator');

describe('a checkpoint', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  /** A plan whose second task waits behind a checkpoint. */
  async function begun() {
    const intent = await world.openIntent();
    const { handle, task } = await openPlan(world, intent, {
      tasks: [{ name: 'review' }, { name: 'report', depends_on: ['review'] }],
      checkpoints: [{ after_task: 'review' }],
    });
    return { intent, handle, task };
  }

  async function patch(handle: PlanHandle, by: Caller, checkpoints: Plan['checkpoints']) {
    const { version: if_match } = await readPlan(handle);
    const input = { by, actor: 'planner', if_match, members: [], checkpoints };
    const written = await handle.executeUpdate(patchPlanUpdate, { args: [input] });
    return written ?? assert.fail('the plan is too large');
  }

  /** Writes a status as an OpenIntent client does, whose API has no status machine. */
  async function force(handle: TaskHandle, status: TaskStatus, by: Caller) {
    const { version: if_match } = await readTask(handle);
    const input = { by, actor: 'planner', if_match, request: { status }, any_status: true };
    return handle.executeUpdate(patchTaskUpdate, { args: [input] });
  }

  it('lets no agent complete what is behind it, through no API', async () => {
    const { intent, handle, task } = await begun();
    await doTask(task('review'));
    await planOnce(handle, ({ state }) => state === 'paused');
    for (const status of ['running', 'completed', 'skipped'] as const) {
      const refusal = await refusalOf(force(task('report'), status, AGENT));
      assert.equal(refusal.code, 'invalid_transition');
    }
    await force(task('report'), 'completed', PERSON);
    assert.equal((await readTask(task('report'))).status, 'completed');
    await writeStatus(intent, 'completed');
    await intent.result();
  });

  it('is removed by people only, and added by agents', async () => {
    const { intent, handle, task } = await begun();
    const { checkpoints } = await readPlan(handle);
    assert.equal((await refusalOf(patch(handle, AGENT, []))).code, 'forbidden');
    assert.deepEqual((await readPlan(handle)).checkpoints, checkpoints);
    const more = checkpoints.map((one) => ({ ...one, id: 'more' }));
    assert.equal((await patch(handle, AGENT, [...checkpoints, ...more])).checkpoints.length, 2);
    assert.deepEqual((await patch(handle, PERSON, [])).checkpoints, []);
    await doTask(task('review'));
    await doTask(task('report'));
    await handle.result();
    await writeStatus(intent, 'completed');
    await intent.result();
  });
});
