import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { patchTaskUpdate } from '../../../workflows/task/messages.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { insist } from '../support/intents.js';
import { openPlan, planOnce, taskOnce, type OpenedPlan } from '../support/plans.js';
import { perSuite, World } from '../support/world.js';

const TASKS = LIMITS.planTasks;
const LAYER = 50;

/** Events. To ask every task for its news takes more than this. */
const LIMIT = 500;

/** Its tasks depend, layer by layer, on one task of the layer before. */
describe('a plan of as many tasks as a plan can have', () => {
  const names = Array.from({ length: TASKS }, (_, index) => `t${index}`);
  const definitions = names.map((name, index) => ({
    name,
    ...(index >= LAYER && { depends_on: [names[index - LAYER] ?? ''] }),
  }));
  let world: World;
  perSuite(World, (one) => (world = one));

  /** How many runs the plan has had so far; a run that goes on tells it of the one before. */
  async function runsOf({ handle }: OpenedPlan): Promise<number> {
    let runs = 1;
    let { runId } = await handle.describe();
    for (;;) {
      const { events } = await world.client.getHandle(handle.workflowId, runId).fetchHistory();
      const started = events?.[0]?.workflowExecutionStartedEventAttributes;
      if (!started?.continuedExecutionRunId) return runs;
      runId = started.continuedExecutionRunId;
      runs += 1;
    }
  }

  /** Completes a task that is ready: the news that it is changes its version. */
  async function complete(plan: OpenedPlan, name: string): Promise<void> {
    const handle = plan.task(name);
    const { version: if_match } = await taskOnce(handle, ({ status }) => status === 'ready');
    const request = { status: 'completed', output: {} } as const;
    const input = { ...sent('agent-1'), if_match, request, any_status: true };
    await insist(() => handle.executeUpdate(patchTaskUpdate, { args: [input] }));
  }

  it('settles, and completes over several runs', async () => {
    const intent = await world.openIntent();
    const plan = await openPlan(world, intent, { tasks: definitions }, { history_limit: LIMIT });
    const ready = await planOnce(plan.handle, ({ progress }) => progress.by_status.ready === LAYER);
    assert.equal(ready.members.length, TASKS);
    const settled = await runsOf(plan);
    for (let start = 0; start < names.length; start += LAYER) {
      const layer = names.slice(start, start + LAYER);
      await Promise.all(layer.map((name) => complete(plan, name)));
      await planOnce(plan.handle, ({ progress }) => progress.by_status.completed === start + LAYER);
    }
    await plan.handle.result();
    const runs = await runsOf(plan);
    assert.ok(runs >= 2 && runs < 20, `settled in ${settled} runs, completed in ${runs}`);
    const stored = await lookUntil(async () => {
      const row = world.activities.rows.findLast((one) => one.kind === 'plan');
      return row?.kind === 'plan' && row.plan.state === 'completed' && row.plan;
    }, 'the store does not have it');
    assert.equal(stored.progress.by_status.completed, TASKS);
  });
});
