import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { storedNews } from '../../../domain/plan/task-state.js';
import { newsSignal } from '../../../workflows/engine/messages.js';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import { goOnSignal } from '../support/agent-workflows.js';
import { Agents } from '../support/agents.js';
import { insist, snapshotOf, storyOf, type IntentHandle } from '../support/intents.js';
import { planAtCheckpoint, planOnce, readTask } from '../support/plans.js';
import type { SuspensionHandle } from '../support/suspensions.js';
import { perSuite, perTest, World } from '../support/world.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';

const QUESTION = { question: 'Refund?', response_type: 'confirm' } as const;
const LOST = ['cancelled', 'system', 'suspension_lost'];

/** What an engineer can do to the workflow of a question in the UI of Temporal, and how the question ends by it. */
const WAYS = [
  ['terminated', (handle: SuspensionHandle) => handle.terminate(), LOST],
  [
    'cancelled',
    (handle: SuspensionHandle) => handle.cancel(),
    ['cancelled', 'admin', 'cancelled through Temporal'],
  ],
] as const;

function endIn(record: unknown): unknown[] {
  const { resolution, settled_by, reason } = record as JsonObject;
  return [resolution, settled_by, reason];
}

/** How a question ended in the state of its intent, once that goes on. */
async function endOf(intent: IntentHandle): Promise<unknown[]> {
  const { state } = await lookUntil(async () => {
    const snapshot = await snapshotOf(intent);
    return snapshot.intent.status === 'active' && snapshot.intent;
  }, 'the intent waits on');
  return endIn(state['_suspension']);
}

/** How a question ended in the store, once it has. */
async function storedEnd({ activities }: World, id: string): Promise<unknown[]> {
  return lookUntil(async () => {
    const end = endIn(activities.suspensionOf(id)?.record ?? {});
    return end[0] !== undefined && end;
  }, 'nobody writes the end');
}

/** The reason with which an agent's `requestInput` failed. */
function isCancelledFor(reason: unknown) {
  return (error: Error) => (error.cause as Error).message.includes(String(reason));
}

describe('a suspension that an engineer ends in Temporal', () => {
  let agents: Agents;
  let world: World;
  perSuite(Agents, (one) => ({ world } = agents = one), { on: 'dev server' });

  for (const [how, end, ended] of WAYS) {
    it(`leaves no intent waiting: child ${how}`, async () => {
      const intent = await world.openIntent();
      const { id } = await world.ask(intent);
      await end(world.suspension(id));
      assert.deepEqual(await endOf(intent), ended);
      assert.deepEqual(await storedEnd(world, id), ended);
      assert.deepEqual(await storyOf(world, intent), [
        'intent.suspended',
        'intent.suspension_cancelled',
        'status_changed',
      ]);
      const next = await world.ask(intent);
      assert.notEqual(next.id, id);
    });

    it(`rejects the checkpoint of a plan: child ${how}`, async () => {
      const { handle, id } = await planAtCheckpoint(world);
      await end(world.suspension(id));
      const { checkpoints } = await planOnce(handle, ({ state }) => state === 'failed');
      assert.equal(checkpoints[0]?.status, 'rejected');
      assert.deepEqual(await storedEnd(world, id), ended);
    });

    it(`tells an agent in a workflow: child ${how}`, async () => {
      const agent = await agents.run('tells', QUESTION);
      const { id } = await agents.question(agent);
      await end(world.suspension(id));
      const [resolution, , reason] = ended;
      assert.deepEqual(await agent.result(), [resolution, reason]);
      assert.deepEqual(await storedEnd(world, id), ended);
    });
  }

  it('leaves an answer as it is that the store has already', async () => {
    const intent = await world.openIntent();
    const { id } = await world.ask(intent);
    const settlement = {
      resolution: 'responded',
      settled_by: 'operator',
      settled_at: new Date(await world.now()).toISOString(),
      response: 'approve',
    } as const;
    const kind = 'suspension_settled';
    world.activities.rows.push({ kind, suspension_id: id, revision: 1, settlement });
    await world.suspension(id).terminate();
    assert.deepEqual(await endOf(intent), ['responded', 'operator', undefined]);
    assert.equal((await storyOf(world, intent)).at(-1), 'intent.resumed');
  });
});

describe('a suspension that an engineer ends after its subject has continued in a new run', () => {
  let agents: Agents;
  let world: World;
  perTest(Agents, (one) => ({ world } = agents = one));

  for (const [how, end, ended] of WAYS) {
    /** A later run asks after its question once an hour. */
    async function endLater(id: string): Promise<void> {
      await world.sleep('10 s');
      await end(world.suspension(id));
      await world.sleep('2 hours');
    }

    it(`leaves no intent waiting: parent continued as new, child ${how}`, async () => {
      const intent = await world.openIntent({ history_limit: 40 });
      const { id } = await world.ask(intent);
      await driveToNextRun(intent);
      await endLater(id);
      assert.deepEqual(await endOf(intent), ended);
      assert.deepEqual(await storedEnd(world, id), ended);
    });

    it(`leaves no plan waiting: parent continued as new, child ${how}`, async () => {
      const { handle, task, id } = await planAtCheckpoint(world, { history_limit: 40 });
      const { runId } = await handle.describe();
      const news = storedNews(await readTask(task('build')), 0);
      for (let sent = 0; sent < 40; sent += 1) await handle.signal(newsSignal, news);
      await lookUntil(async () => (await handle.describe()).runId !== runId, 'it stays in its run');
      await endLater(id);
      const { checkpoints } = await planOnce(handle, ({ state }) => state === 'failed');
      assert.equal(checkpoints[0]?.status, 'rejected');
      assert.deepEqual(await storedEnd(world, id), ended);
    });

    it(`tells an agent in a workflow: parent continued as new, child ${how}`, async () => {
      const agent = await agents.run('continues', { options: QUESTION });
      const { runId } = await agent.describe();
      const { id } = await agents.question(agent);
      await agent.signal(goOnSignal);
      const now = world.client.getHandle(agent.workflowId);
      await lookUntil(async () => (await now.describe()).runId !== runId, 'it is in its first run');
      await endLater(id);
      await assert.rejects(agent.result(), isCancelledFor(ended[2]));
      assert.deepEqual(await storedEnd(world, id), ended);
    });
  }
});

describe('a suspension that an engineer ends while the store is down for a minute', () => {
  const [[, terminate, lost], [, cancel, cancelled]] = WAYS;
  let world: World;
  perTest(World, (one) => (world = one));

  it('lets its intent go on meanwhile: child cancelled', async () => {
    const intent = await world.openIntent();
    const { id } = await world.ask(intent);
    await world.downForAMinute(async () => {
      await cancel(world.suspension(id));
      assert.deepEqual(await endOf(intent), cancelled);
    });
    assert.deepEqual(await storedEnd(world, id), cancelled);
  });

  // Only the store may know of an answer: nobody is told before it was asked.
  it('lets its intent go on once the store is back: child terminated', async () => {
    const intent = await world.openIntent({ history_limit: 40 });
    const { id } = await world.ask(intent);
    await driveToNextRun(intent);
    await world.sleep('1 hour');
    await world.downForAMinute(async () => {
      await terminate(world.suspension(id));
      await world.sleep('2 hours');
      assert.equal((await snapshotOf(intent)).intent.status, 'suspended_awaiting_input');
    });
    assert.deepEqual(await endOf(intent), lost);
    assert.deepEqual(await storedEnd(world, id), lost);
  });
});

/** Appends notes until the intent is in its next run. */
async function driveToNextRun(intent: IntentHandle): Promise<void> {
  const { runId } = await intent.describe();
  const event = { ...sent('agent-1'), event_type: 'note', payload: {} };
  while ((await intent.describe()).runId === runId)
    await insist(() => intent.executeUpdate(appendEventUpdate, { args: [event] }));
}
