import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { initialNews } from '../../../domain/plan/assembly.js';
import { newsSignal } from '../../../workflows/engine/messages.js';
import { nextRunOf } from '../../../workflows/plan/entity.js';
import { patchPlanUpdate } from '../../../workflows/plan/messages.js';
import type { plan as planWorkflow } from '../../../workflows/plan/workflow.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { insist, writeStatus } from '../support/intents.js';
import { allButOneDecided, filled, kept } from '../support/large-plans.js';
import { idOf, readPlan } from '../support/plans.js';
import { KIB, payloadBytes } from '../support/sizes.js';
import { World } from '../support/world.js';

describe('a plan that is as large as may be', () => {
  let world: World;
  before(async () => {
    world = await World.start({
      on: 'dev server',
      notReplayed: 'Its history is larger than a client takes in one reply.',
    });
  });
  after(() => world.close());

  it('goes on in a new run, and ends', async () => {
    const intent = await world.openIntent();
    const { children: _started, ...first } = filled();
    const plan = { ...first.plan, intent_id: idOf(intent) };
    const state = allButOneDecided({ ...first, plan, revision: 1 });
    const { task_id, name } = state.members.at(-1) ?? assert.fail();
    const gates = [[task_id, { revision: 1, open: true }] as const];
    const carried = { ...kept(state), duties: [], observing: [], gates };
    const input = nextRunOf({ ...first, children: [], history_limit: 1 }, state, carried);
    assert.ok(payloadBytes(input) > 1_400 * KIB, `${payloadBytes(input)} bytes`);
    const workflowId = workflowIdOf('plan', plan.id);
    const { taskQueue } = world;
    const started = await world.client.start<typeof planWorkflow>('plan', {
      workflowId,
      taskQueue,
      args: [input],
    });
    const handle = world.client.getHandle<typeof planWorkflow>(workflowId);
    const { runId } = await started.describe();
    const news = { ...initialNews({ id: task_id, name }), revision: 1, status: 'running' as const };
    await handle.signal(newsSignal, news);
    await lookUntil(async () => (await handle.describe()).runId !== runId, 'it does not go on');
    const { version: if_match, escalations } = await readPlan(handle);
    assert.equal(escalations.length, LIMITS.planTasks - 1);
    const write = { ...sent('root', 'admin'), if_match, state: 'cancelled' as const, members: [] };
    const written = await insist(() => handle.executeUpdate(patchPlanUpdate, { args: [write] }));
    assert.equal(written, undefined, 'it is read by Query');
    await handle.result();
    const row = world.activities.rows.findLast((one) => one.kind === 'plan');
    assert.equal(row?.plan.state, 'cancelled');
    await writeStatus(intent, 'abandoned');
  });
});
