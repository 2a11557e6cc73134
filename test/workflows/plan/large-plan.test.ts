import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { patchTaskUpdate } from '../../../workflows/task/messages.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { insist } from '../support/intents.js';
import { openPlan, planOnce, taskOnce, type OpenedPlan } from '../support/plans.js';
import { perSuite, World, type WorldOptions } from '../support/world.js';

/** A plan whose tasks depend, layer by layer, on one task of the layer before. */
interface Case {
  readonly title: string;
  readonly on: NonNullable<WorldOptions['on']>;
  readonly tasks: number;
  readonly layer: number;
  /** Events. To ask every task for its news takes more than this. */
  readonly limit: number;
}

const CASES: readonly Case[] = [
  {
    on: 'this process',
    title: 'a plan of as many tasks as a plan can have',
    tasks: LIMITS.planTasks,
    layer: 50,
    limit: 500,
  },
  { title: 'a plan on a server', on: 'dev server', tasks: 50, layer: 25, limit: 120 },
];

for (const one of CASES) describe(one.title, () => largePlan(one));

function largePlan({ on, tasks, layer: width, limit }: Case): void {
  const names = Array.from({ length: tasks }, (_, index) => `t${index}`);
  const definitions = names.map((name, index) => ({
    name,
    ...(index >= width && { depends_on: [names[index - width] ?? ''] }),
  }));
  let world: World;
  perSuite(World, (one) => (world = one), { on });

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
    const plan = await openPlan(world, intent, { tasks: definitions }, { history_limit: limit });
    const ready = await planOnce(plan.handle, ({ progress }) => progress.by_status.ready === width);
    assert.equal(ready.members.length, tasks);
    const settled = await runsOf(plan);
    for (let start = 0; start < names.length; start += width) {
      const layer = names.slice(start, start + width);
      await Promise.all(layer.map((name) => complete(plan, name)));
      await planOnce(plan.handle, ({ progress }) => progress.by_status.completed === start + width);
    }
    await plan.handle.result();
    const runs = await runsOf(plan);
    assert.ok(runs >= 2 && runs < 20, `settled in ${settled} runs, completed in ${runs}`);
    const stored = await lookUntil(async () => {
      const row = world.activities.rows.findLast((one) => one.kind === 'plan');
      return row?.kind === 'plan' && row.plan.state === 'completed' && row.plan;
    }, 'the store does not have it');
    assert.equal(stored.progress.by_status.completed, tasks);
  });
}
