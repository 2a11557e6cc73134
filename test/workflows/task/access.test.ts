import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import type { Caller } from '../../../contracts/people/caller.js';
import { announcementSignal } from '../../../workflows/engine/messages.js';
import {
  claimTaskUpdate,
  patchTaskUpdate,
  type PatchTaskInput,
} from '../../../workflows/task/messages.js';
import { announced } from '../../domain/plan/task-samples.js';
import { caller } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';
import { CLOSED, changeAccess, insist, refusalOf, type IntentHandle } from '../support/intents.js';
import {
  openPlan,
  openTask,
  patchTask,
  readTask,
  taskOnce,
  type TaskHandle,
} from '../support/plans.js';
import { perSuite, World } from '../support/world.js';

const OWNER = caller('agent-1');
const OTHER = caller('agent-2');
const MAKER = caller('planner');
const CANCEL = { if_match: 1, request: { status: 'cancelled' } } as const;

/** An intent of another agent that lets nobody in, as it announces itself. */
const GUARD = { owner: 'agent-9', access: CLOSED.set, askers: [] };
function closedIntent(intent_id: string): Announcement {
  return { ...announced(2), intent_id, guard: GUARD };
}

describe('the access list of an intent, in its task', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  const claim = (handle: TaskHandle, by: Caller, wait = false) =>
    handle.executeUpdate(claimTaskUpdate, { args: [{ by, actor: by.principal, wait }] });
  const write = (handle: TaskHandle, by: Caller, input: Omit<PatchTaskInput, 'by' | 'actor'>) =>
    handle.executeUpdate(patchTaskUpdate, { args: [{ by, actor: by.principal, ...input }] });
  const codeOf = async (update: Promise<unknown>) => (await refusalOf(update)).code;
  /** Waits until the task judges a write as expected: one with a version that it never has. */
  const heard = (handle: TaskHandle, by: Caller, code: 'forbidden' | 'version_conflict') =>
    lookUntil(
      async () => (await codeOf(write(handle, by, { ...CANCEL, if_match: 9_999 }))) === code,
      'the task does not hear of the list',
    );
  /** A task whose intent has let nobody in but its owner since before the task. */
  async function guarded(fields: object = {}): Promise<{ intent: IntentHandle; task: TaskHandle }> {
    const intent = await world.openIntent();
    await changeAccess(intent, CLOSED);
    const task = await openTask(world, intent, fields);
    await heard(task, caller('agent-9'), 'forbidden');
    return { intent, task };
  }

  it('keeps agents that it does not name from every write, and no person', async () => {
    const { task } = await guarded();
    for (const attempt of [
      () => claim(task, OTHER),
      () => claim(task, OTHER, true),
      () => write(task, OTHER, CANCEL),
      () => write(task, OTHER, { ...CANCEL, any_status: true }),
    ]) {
      const refusal = await refusalOf(attempt());
      assert.equal(refusal.code, 'forbidden');
      assert.deepEqual(refusal.state, {
        required_permission: 'write',
        current_permission: 'none',
      });
    }
    await claim(task, caller('root', 'admin'));
    const { status, version } = await readTask(task);
    assert.deepEqual([status, version], ['claimed', 2]);
  });

  it('gives up a claim that waits, and lets another agent have the task', async () => {
    const intent = await world.openIntent();
    const { task } = await openPlan(world, intent, {
      state: 'draft',
      tasks: [{ name: 'research' }],
    });
    const research = task('research');
    await taskOnce(research, ({ status }) => status === 'pending');
    await claim(research, OTHER, true);
    assert.equal((await readTask(research)).waiting_claim?.agent_id, 'agent-2');
    await changeAccess(intent, CLOSED);
    await taskOnce(research, ({ waiting_claim }) => waiting_claim === null);
    const { waits_for } = await claim(research, OWNER, true);
    assert.ok(waits_for);
  });

  it('is carried into the next run', async () => {
    const intent_id = randomUUID();
    const intent = { workflowId: `intent-${intent_id}` };
    const task = await openTask(world, intent, {}, { history_limit: 40 });
    const { runId } = await task.describe();
    const latest = world.client.getHandle(task.workflowId) as unknown as TaskHandle;
    await task.signal(announcementSignal, closedIntent(intent_id));
    await claim(task, caller('root', 'admin'));
    const next = { running: 'blocked', claimed: 'running', blocked: 'running' } as const;
    await lookUntil(async () => {
      const { status } = await readTask(latest);
      await insist(() => patchTask(latest, { status: next[status as keyof typeof next] }, 'root'));
      return (await latest.describe()).runId !== runId;
    }, 'the task does not go on');
    assert.equal(await codeOf(insist(() => write(latest, MAKER, CANCEL))), 'forbidden');
  });

  for (const first of ['claim', 'list'] as const) {
    it(`counts from when the task has heard of it: the ${first} was first`, async () => {
      const intent_id = randomUUID();
      const task = await openTask(world, { workflowId: `intent-${intent_id}` });
      const isFirst = first === 'claim';
      if (isFirst) await claim(task, OTHER);
      // It is in the history of the task from here on, if not yet taken in.
      await task.signal(announcementSignal, closedIntent(intent_id));
      if (!isFirst) assert.equal(await codeOf(claim(task, OTHER)), 'forbidden');
      const { assigned_agent } = await readTask(task);
      assert.equal(assigned_agent, isFirst ? 'agent-2' : null);
      assert.equal(await codeOf(claim(task, caller('agent-3'))), 'forbidden');
    });
  }
});
