import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';
import { describe, it } from 'mocha';
import type { JournalRow } from '../../contracts/log/journal.js';
import { approvalQuery, withdrawApprovalSignal } from '../../workflows/approval/messages.js';
import { recordQuery } from '../../workflows/suspension/messages.js';
import { lookUntil } from '../support/looks.js';
import { openApproval, tierOf, vote } from './support/approvals.js';
import { startedChildren } from './support/children.js';
import {
  activate,
  doTask,
  openPlan,
  planOnce,
  readPlan,
  type PlanHandle,
} from './support/plans.js';
import { perTest, World } from './support/world.js';

const CHECKPOINT = {
  tasks: [{ name: 'build' }, { name: 'ship', depends_on: ['build'] }],
  checkpoints: [{ after_task: 'build' }],
};

/** Whoever reads the id of a question may answer it at once, and would be told that there is no such question. */
describe('a question is named once its workflow has started', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  async function ordered(handle: WorkflowHandle, count = 1): Promise<void> {
    await lookUntil(async () => {
      const { events = [] } = await handle.fetchHistory();
      const starts = events?.filter(
        (one) => one.startChildWorkflowExecutionInitiatedEventAttributes,
      );
      return starts?.length === count || undefined;
    }, 'no question was ordered');
  }

  function rowsOf<Kind extends JournalRow['kind']>(kind: Kind) {
    return world.activities.rows.filter(
      (row): row is Extract<JournalRow, { readonly kind: Kind }> => row.kind === kind,
    );
  }

  it('by an approval, which is stored no sooner', async () => {
    const handle = await world.withoutStarts(async () => {
      const opened = await openApproval(world);
      await ordered(opened);
      assert.equal((await opened.query(approvalQuery)).suspension_id, null);
      assert.deepEqual(rowsOf('approval'), []);
      return opened;
    });
    const tier = await tierOf(world, handle);
    assert.equal((await handle.query(approvalQuery)).suspension_id, tier.id);
    const stored = rowsOf('approval').map(({ approval }) => approval.suspension_id);
    assert.deepEqual(stored, [tier.id]);
    await vote(world, tier, 'alice');
    assert.equal((await handle.result()).resolution.status, 'approved');
  });

  it('by an approval that is withdrawn meanwhile, and so is the question', async () => {
    const handle = await world.withoutStarts(async () => {
      const opened = await openApproval(world);
      await ordered(opened);
      await opened.signal(withdrawApprovalSignal, 'not needed');
      return opened;
    });
    assert.equal((await handle.result()).resolution.status, 'cancelled');
    const [question = ''] = await startedChildren(handle);
    const { resolution } = await world.client.getHandle(question).result();
    assert.equal(resolution, 'cancelled');
  });

  /** A plan that has reached its checkpoint, whose question starts after `passing`. */
  async function heldBack(passing: (handle: PlanHandle) => Promise<void>): Promise<PlanHandle> {
    const { handle, task } = await openPlan(world, await world.openIntent(), CHECKPOINT);
    await lookUntil(
      async () => (await startedChildren(handle)).length === 2 || undefined,
      'the tasks did not start',
    );
    await world.withoutStarts(async () => {
      await doTask(task('build'));
      await ordered(handle, 3);
      await passing(handle);
    });
    return handle;
  }

  it('by a plan, for its checkpoint', async () => {
    const handle = await heldBack(async (held) => {
      const { checkpoints } = await readPlan(held);
      const [{ status, suspension_id } = assert.fail()] = checkpoints;
      assert.deepEqual([status, suspension_id], ['reached', null]);
      assert.ok(!rowsOf('plan').some(({ plan }) => plan.checkpoints[0]?.status === 'reached'));
    });
    const { checkpoints } = await planOnce(handle, (plan) => !!plan.checkpoints[0]?.suspension_id);
    const id = checkpoints[0]?.suspension_id ?? assert.fail();
    assert.equal((await world.suspension(id).query(recordQuery)).record.id, id);
  });

  it('by a plan that is cancelled meanwhile, and withdraws the question', async () => {
    const handle = await heldBack(async (held) => {
      await activate(held, 'cancelled');
    });
    await handle.result();
    const { state, checkpoints } = await readPlan(handle);
    assert.equal(state, 'cancelled');
    const settled = await world.suspension(checkpoints[0]?.suspension_id ?? '').result();
    assert.deepEqual([settled.resolution, settled.reason], ['cancelled', 'plan_over']);
  });
});
