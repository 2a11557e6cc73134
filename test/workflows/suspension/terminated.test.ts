import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/primitives.js';
import { storedNews } from '../../../domain/plan/task-state.js';
import { newsSignal } from '../../../workflows/engine/messages.js';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import { goOnSignal } from '../support/agent-workflows.js';
import { Agents } from '../support/agents.js';
import { insist, snapshotOf, storyOf } from '../support/intents.js';
import type { IntentHandle } from '../support/intents.js';
import { doTask, openPlan, planAtCheckpoint, planOnce, readTask } from '../support/plans.js';
import { answerAsk, writeAskingRecord, writeAskingStatus } from '../support/suspensions.js';
import type { World } from '../support/world.js';
import { sent } from '../../support/callers.js';
import { lookUntil } from '../../support/looks.js';

const LOST = ['cancelled', 'system', 'suspension_lost'];

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

const storedEnd = ({ activities }: World, id: string) =>
  endIn(activities.suspensionOf(id)?.record ?? {});

describe('a suspension that is terminated', () => {
  let agents: Agents;
  let world: World;
  before(async () => {
    agents = await Agents.start({ onDevServer: true });
    ({ world } = agents);
  });
  after(() => agents.close());

  it('leaves no intent waiting', async () => {
    const intent = await world.openIntent();
    const { id } = await world.ask(intent);
    await world.suspension(id).terminate();
    assert.deepEqual(await endOf(intent), LOST);
    assert.deepEqual(storedEnd(world, id), LOST);
    assert.deepEqual(await storyOf(world, intent), [
      'intent.suspended',
      'intent.suspension_cancelled',
      'status_changed',
    ]);
    const next = await world.ask(intent);
    assert.notEqual(next.id, id);
  });

  it('leaves no agent of the OpenIntent SDK waiting', async () => {
    const intent = await world.openIntent();
    await writeAskingStatus(intent);
    const id = await writeAskingRecord(world, intent);
    await world.suspension(id).terminate();
    assert.deepEqual(await endOf(intent), LOST);
    await writeAskingStatus(intent);
    await answerAsk(world, intent, await writeAskingRecord(world, intent));
  });

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

  it('rejects the checkpoint of a plan', async () => {
    const { handle, id } = await planAtCheckpoint(world);
    await world.suspension(id).terminate();
    const { checkpoints } = await planOnce(handle, ({ state }) => state === 'failed');
    assert.equal(checkpoints[0]?.status, 'rejected');
    assert.deepEqual(storedEnd(world, id), LOST);
  });

  it('tells an agent in a workflow', async () => {
    const question = { question: 'Refund?', response_type: 'confirm' } as const;
    const agent = await agents.run('tells', question);
    const { id } = await agents.question(agent);
    await world.suspension(id).terminate();
    assert.deepEqual(await agent.result(), ['cancelled', 'suspension_lost']);
    assert.deepEqual(storedEnd(world, id), LOST);
  });
});

describe('a suspension that is terminated after its subject has continued in a new run', () => {
  let agents: Agents;
  let world: World;
  beforeEach(async () => {
    agents = await Agents.start();
    ({ world } = agents);
  });
  afterEach(() => agents.close());

  /** Appends notes until the intent is in its next run. */
  async function driveToNextRun(intent: IntentHandle): Promise<void> {
    const { runId } = await intent.describe();
    const event = { ...sent('agent-1'), event_type: 'note', payload: {} };
    while ((await intent.describe()).runId === runId)
      await insist(() => intent.executeUpdate(appendEventUpdate, { args: [event] }));
  }

  it('leaves no intent waiting', async () => {
    const intent = await world.openIntent({ history_limit: 40 });
    const { id } = await world.ask(intent);
    await driveToNextRun(intent);
    await world.sleep('10 s');
    await world.suspension(id).terminate();
    await world.sleep('2 hours');
    assert.deepEqual(await endOf(intent), LOST);
    assert.deepEqual(storedEnd(world, id), LOST);
  });

  it('leaves no plan waiting', async () => {
    const intent = await world.openIntent();
    const two = { tasks: [{ name: 'build' }], checkpoints: [{ after_task: 'build' }] };
    const { handle, task } = await openPlan(world, intent, two, { history_limit: 40 });
    await doTask(task('build'));
    const asked = await planOnce(handle, ({ checkpoints }) => !!checkpoints[0]?.suspension_id);
    const id = asked.checkpoints[0]?.suspension_id ?? '';
    await world.delivered(id);
    const { runId } = await handle.describe();
    const news = storedNews(await readTask(task('build')), 0);
    for (let sent = 0; sent < 40; sent += 1) await handle.signal(newsSignal, news);
    await lookUntil(async () => (await handle.describe()).runId !== runId, 'it stays in its run');
    await world.sleep('10 s');
    await world.suspension(id).terminate();
    await world.sleep('2 hours');
    const { checkpoints } = await planOnce(handle, ({ state }) => state === 'failed');
    assert.equal(checkpoints[0]?.status, 'rejected');
    assert.deepEqual(storedEnd(world, id), LOST);
  });

  it('tells an agent in a workflow', async () => {
    const question = { question: 'Refund?', response_type: 'confirm' } as const;
    const agent = await agents.run('continues', { options: question });
    const { runId } = await agent.describe();
    const { id } = await agents.question(agent);
    await agent.signal(goOnSignal);
    const now = world.client.getHandle(agent.workflowId);
    await lookUntil(async () => (await now.describe()).runId !== runId, 'it is in its first run');
    await world.sleep('10 s');
    await world.suspension(id).terminate();
    await world.sleep('2 hours');
    await assert.rejects(agent.result(), (error: Error) =>
      (error.cause as Error).message.includes('suspension_lost'),
    );
    assert.deepEqual(storedEnd(world, id), LOST);
  });
});
