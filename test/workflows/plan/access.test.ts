import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { Caller } from '../../../contracts/people/caller.js';
import { createTaskRequestSchema } from '../../../contracts/plan/task.js';
import { memberOf } from '../../../domain/plan/assembly.js';
import { newTask } from '../../../domain/plan/task.js';
import { addTaskUpdate, patchPlanUpdate } from '../../../workflows/plan/messages.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import {
  CLOSED,
  accessEntry,
  changeAccess,
  insist,
  refusalOf,
  type IntentHandle,
} from '../support/intents.js';
import { idOf, openPlan, readPlan, type OpenedPlan, type PlanHandle } from '../support/plans.js';
import { perSuite, World } from '../support/world.js';

const OWNER = caller('agent-1');
const OTHER = caller('agent-2');
const TASKS = { tasks: [{ name: 'research' }] };

describe('the access list of an intent, in its plan', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const write = (handle: PlanHandle, by: Caller, if_match: number) =>
    handle.executeUpdate(patchPlanUpdate, {
      args: [{ by, actor: by.principal, if_match, state: 'cancelled', members: [] }],
    });
  const add = (handle: PlanHandle, by: Caller) => {
    const plan_id = idOf(handle);
    const request = createTaskRequestSchema.parse({
      intent_id: randomUUID(),
      plan_id,
      name: 'more',
    });
    const identity = {
      id: randomUUID(),
      created_by: by.principal,
      created_at: '2026-01-01T00:00:00.000Z',
    };
    const task = newTask(request, identity);
    const args: [never] = [{ by, child: { task, upstream: [] }, member: memberOf(task) } as never];
    return handle.executeUpdate(addTaskUpdate, { args });
  };
  const codeOf = async (update: Promise<unknown>) => (await refusalOf(update)).code;
  /** Waits until the plan judges a write as expected: one with a version that it never has. */
  const heard = (handle: PlanHandle, by: Caller, code: 'forbidden' | 'version_conflict') =>
    lookUntil(
      async () => (await codeOf(insist(() => write(handle, by, 9_999)))) === code,
      'the plan does not hear of the list',
    );
  /** A plan whose intent has let nobody in but its owner since before the plan. */
  async function guarded(input = {}): Promise<OpenedPlan & { readonly intent: IntentHandle }> {
    const intent = await world.openIntent();
    await changeAccess(intent, CLOSED);
    const plan = await openPlan(world, intent, TASKS, input);
    await heard(plan.handle, OTHER, 'forbidden');
    return { ...plan, intent };
  }

  it('keeps agents that it does not name from every write, and no person', async () => {
    const { handle, intent } = await guarded();
    const { version } = await readPlan(handle);
    for (const by of [OTHER, caller('planner')]) {
      assert.equal(await codeOf(write(handle, by, version)), 'forbidden');
      assert.equal(await codeOf(add(handle, by)), 'forbidden');
    }
    assert.equal((await readPlan(handle)).version, version);
    await changeAccess(intent, { grant: accessEntry('agent-2', 'write') });
    await heard(handle, OTHER, 'version_conflict');
    await add(handle, OTHER);
    const written = await write(handle, caller('root', 'admin'), version + 1);
    assert.equal(written?.state, 'cancelled');
  });

  it('is carried into the next run', async () => {
    const { handle } = await guarded({ history_limit: 40 });
    const { runId } = await handle.describe();
    const latest = world.client.getHandle(handle.workflowId) as unknown as PlanHandle;
    await lookUntil(async () => {
      await insist(() => add(latest, OWNER));
      return (await latest.describe()).runId !== runId;
    }, 'the plan does not go on');
    assert.equal(await codeOf(insist(() => write(latest, OTHER, 1))), 'forbidden');
    await heard(latest, OWNER, 'version_conflict');
  });
});
