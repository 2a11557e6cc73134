import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { patchTaskUpdate, taskQuery } from '../../../workflows/task/messages.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { insist } from '../support/intents.js';
import { openPlan, planOnce } from '../support/plans.js';
import type { OpenedPlan } from '../support/plans.js';
import { World } from '../support/world.js';

/** Tasks, of which each layer depends on one task of the layer before. */
const LAYER = 50;
const names = Array.from({ length: LIMITS.planTasks }, (_, index) => `t${index}`);
const TASKS = names.map((name, index) => ({
  name,
  ...(index >= LAYER && { depends_on: [names[index - LAYER] ?? ''] }),
}));

/** Events. To ask every task for its news takes more than this. */
const LIMIT = 500;

describe('a plan of as many tasks as a plan can have', function () {
  this.timeout(600_000);
  let world: World;
  before(async () => {
    // The server that skips time loses what clients wait for under so many workflows; nothing here takes time.
    world = await World.start({ on: 'dev server' });
  });
  after(() => world.close());

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

  async function complete(plan: OpenedPlan, name: string): Promise<void> {
    const handle = plan.task(name);
    const { version: if_match } = await handle.query(taskQuery);
    const request = { status: 'completed', output: {} } as const;
    const input = { ...sent('agent-1'), if_match, request, any_status: true };
    await insist(() => handle.executeUpdate(patchTaskUpdate, { args: [input] }));
  }

  it('settles, and completes over several runs', async () => {
    const intent = await world.openIntent();
    const plan = await openPlan(world, intent, { tasks: TASKS }, { history_limit: LIMIT });
    const ready = await planOnce(plan.handle, ({ progress }) => progress.by_status.ready === LAYER);
    assert.equal(ready.members.length, LIMITS.planTasks);
    const settled = await runsOf(plan);
    for (let start = 0; start < names.length; start += LAYER) {
      const layer = names.slice(start, start + LAYER);
      await Promise.all(layer.map((name) => complete(plan, name)));
      await planOnce(plan.handle, ({ progress }) => progress.by_status.completed === start + LAYER);
    }
    await plan.handle.result();
    const runs = await runsOf(plan);
    console.log(`      settled in ${settled} runs, completed in ${runs}`);
    assert.ok(runs >= 2 && runs < 20, `${runs} runs`);
    const stored = await lookUntil(async () => {
      const row = world.activities.rows.findLast((one) => one.kind === 'plan');
      return row?.kind === 'plan' && row.plan.state === 'completed' && row.plan;
    }, 'the store does not have it');
    assert.equal(stored.progress.by_status.completed, LIMITS.planTasks);
  });
});
