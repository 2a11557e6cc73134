import { after, afterEach, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { Task } from '../../../contracts/plan/task.js';
import { removeMemberUpdate } from '../../../workflows/portfolio/messages.js';
import { logOf, refusalOf, writeStatus, type IntentHandle } from '../support/intents.js';
import {
  activate,
  claimTask,
  doTask,
  idOf,
  openPlan,
  patchTask,
  type OpenedPlan,
  type TaskHandle,
} from '../support/plans.js';
import {
  beat,
  complete,
  coordinate,
  newMember,
  openPortfolio,
  type CoordinatorHandle,
} from '../support/portfolios.js';
import { World } from '../support/world.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { untilNextRun } from '../support/histories.js';

const BLOCK = { suspension_policy: 'block_dependents', heartbeat_interval_seconds: 3_600 };
const HOLDS = ['coordinator.dependents_held', 'coordinator.dependents_released'];

interface Phases extends OpenedPlan {
  readonly upstream: IntentHandle;
  readonly downstream: IntentHandle;
}

describe('a coordinator that blocks dependents', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  afterEach(() => {
    world.activities.beforeNote = () => Promise.resolve();
  });
  after(() => world.close());

  async function intents() {
    return Promise.all([world.openIntent(), world.openIntent()]);
  }

  /** Review needs what research gives, report does not; each has an intent of its own. */
  async function phases([upstream, downstream]: readonly IntentHandle[]): Promise<Phases> {
    assert.ok(upstream && downstream);
    const own = { intent_id: idOf(downstream), depends_on: ['research'] };
    const plan = await openPlan(world, downstream, {
      tasks: [
        { name: 'research', intent_id: idOf(upstream), outputs: { findings: 'array' } },
        { name: 'review', ...own, inputs: { found: 'research.findings' } },
        { name: 'report', ...own },
      ],
    });
    await stored(plan.task('research'), ({ status }) => status === 'ready');
    return { ...plan, upstream, downstream };
  }

  /** The task as the store has it, once it is as looked for. */
  async function stored(
    handle: TaskHandle,
    isWanted: (task: Task) => boolean = () => true,
  ): Promise<Task> {
    const row = () => world.activities.taskRow(idOf(handle));
    return lookUntil(
      () => {
        const task = row()?.task;
        return Promise.resolve(task && isWanted(task) && task);
      },
      () => `never: ${JSON.stringify(row())}`,
    );
  }

  async function begun(made: Phases): Promise<void> {
    await claimTask(made.task('research'));
    await patchTask(made.task('research'), { status: 'running' });
  }

  async function finish(made: Phases, ...leases: readonly CoordinatorHandle[]): Promise<void> {
    await activate(made.handle, 'cancelled');
    await made.handle.result();
    for (const lease of leases) {
      await lease.cancel();
      await lease.result();
    }
    for (const intent of [made.upstream, made.downstream]) await writeStatus(intent, 'abandoned');
  }

  const isHeld = ({ status, blocked_reason: why }: { status: string; blocked_reason: unknown }) =>
    status === 'blocked' && why === 'upstream_suspended';
  const holdsOf = async (intent: IntentHandle) =>
    (await logOf(world, intent))
      .map(({ event_type }) => event_type)
      .filter((type) => HOLDS.includes(type));

  it('holds wired phases until the upstream completes, and no others [R26-33, AM-40]', async () => {
    const made = await phases(await intents());
    const lease = await coordinate(world, made.upstream, BLOCK);
    await begun(made);
    const view = await world.ask(made.upstream);
    await stored(made.task('review'), isHeld);
    assert.equal((await stored(made.task('report'))).status, 'pending');
    const refused = await refusalOf(claimTask(made.task('review'), 'agent-2'));
    assert.equal(refused.code, 'upstream_intent_suspended');
    await claimTask(made.task('review'), 'agent-2', true);
    await world.respond(view);
    await stored(made.task('research'), ({ status }) => status === 'running');
    await world.sleep('20 s');
    assert.ok(isHeld(await stored(made.task('review'))), 'resumed is not completed');
    await patchTask(made.task('research'), { status: 'completed', output: { findings: [] } });
    const claimed = await stored(made.task('review'), ({ status }) => status === 'claimed');
    assert.equal(claimed.assigned_agent, 'agent-2');
    assert.deepEqual(await holdsOf(made.upstream), HOLDS.slice(0, 1));
    await finish(made, lease);
  });

  for (const [what, completes] of [
    ['completed', true],
    ['resumed', false],
  ] as const) {
    const does = completes ? 'holds nobody up' : 'still holds';
    it(`${does} where its note reaches the upstream after it was ${what} [AM-40]`, async () => {
      const made = await phases(await intents());
      let free = (): void => undefined;
      let asked = (): void => undefined;
      const isAsked = new Promise<void>((resolve) => (asked = resolve));
      const isFree = new Promise<void>((resolve) => (free = resolve));
      world.activities.beforeNote = () => {
        asked();
        return isFree;
      };
      const lease = await coordinate(world, made.upstream, BLOCK);
      await begun(made);
      const view = await world.ask(made.upstream);
      await isAsked;
      await world.respond(view);
      await stored(made.task('research'), ({ status }) => status === 'running');
      const done = { status: 'completed', output: { findings: [] } } as const;
      if (completes) await patchTask(made.task('research'), done);
      free();
      await world.sleep('20 s');
      assert.deepEqual(await holdsOf(made.upstream), HOLDS.slice(0, 1));
      const review = await stored(made.task('review'));
      assert.equal(isHeld(review), !completes, JSON.stringify(review));
      if (!completes) await patchTask(made.task('research'), done);
      await doTask(made.task('review'));
      await finish(made, lease);
    });
  }

  it('releases what it holds when its lease is over [AM-40]', async () => {
    const made = await phases(await intents());
    const lease = await coordinate(world, made.upstream, { suspension_policy: 'block_dependents' });
    const view = await world.ask(made.upstream);
    await stored(made.task('review'), isHeld);
    await world.sleep('301 s');
    await lease.result();
    await stored(made.task('review'), ({ status }) => status === 'pending');
    assert.deepEqual(await holdsOf(made.upstream), HOLDS);
    await world.respond(view);
    await finish(made);
  });

  it('releases an intent that leaves its portfolio, also in a later run [AM-40]', async () => {
    const made = await phases(await intents());
    const members = [await newMember(world, made.upstream)];
    const portfolio = await openPortfolio(world, { members });
    const lease = await coordinate(world, portfolio, BLOCK, { history_limit: 40 });
    await world.ask(made.upstream);
    await stored(made.task('review'), isHeld);
    await untilNextRun(lease, () => beat(lease).catch(() => undefined));
    const gone = { ...sent('agent-1'), intent_id: idOf(made.upstream) };
    await portfolio.executeUpdate(removeMemberUpdate, { args: [gone] });
    await stored(made.task('review'), ({ status }) => status === 'pending');
    assert.deepEqual(await holdsOf(made.upstream), HOLDS);
    await complete(portfolio);
    await finish(made, lease);
  });
});
