import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { activeSuspensionId } from '../../../api/parts/diagnosis.js';
import type { intent } from '../../../workflows/intent/workflow.js';
import { recordQuery, respondUpdate } from '../../../workflows/suspension/messages.js';
import { lookUntil } from '../../support/looks.js';
import { snapshotOf, type IntentHandle } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

/** What a Temporal server makes of a question whose parent is reset. */
describe('an intent that is reset while its question is open', () => {
  let world: World;
  perSuite(World, (one) => (world = one), { on: 'dev server' });

  /** The task that asked, and the first one after the question was there. */
  async function tasksOf(intent: IntentHandle) {
    return lookUntil(async () => {
      const { events } = await intent.fetchHistory();
      const all = events ?? [];
      const [asking] = all.flatMap(
        (event) => event.startChildWorkflowExecutionInitiatedEventAttributes ?? [],
      );
      const started = all.findIndex((event) => event.childWorkflowExecutionStartedEventAttributes);
      const next = all.slice(started).find((event) => event.workflowTaskCompletedEventAttributes);
      if (started < 0 || !next) return undefined;
      return { asked: asking?.workflowTaskCompletedEventId, next: next.eventId };
    }, 'no task after the question');
  }

  /** Resets an intent to before the end of a task, as `temporal workflow reset` does; returns its new run. */
  async function reset(
    { workflowId }: IntentHandle,
    workflowTaskFinishEventId: Awaited<ReturnType<typeof tasksOf>>['next'],
  ): Promise<IntentHandle> {
    await world.client.workflowService.resetWorkflowExecution({
      namespace: world.client.options.namespace,
      workflowExecution: { workflowId },
      reason: 'a test',
      workflowTaskFinishEventId: workflowTaskFinishEventId ?? null,
      requestId: randomUUID(),
    });
    return world.client.getHandle<typeof intent>(workflowId);
  }

  async function answer(id: string): Promise<void> {
    const args = [await world.answer(await world.suspension(id).query(recordQuery))] as const;
    await world.suspension(id).executeUpdate(respondUpdate, { args: [...args] });
  }

  async function resumed(intent: IntentHandle): Promise<unknown> {
    const { state } = await lookUntil(async () => {
      const snapshot = await snapshotOf(intent);
      return snapshot.intent.status === 'active' && snapshot.intent;
    }, 'the intent waits on');
    return state['_suspension'];
  }

  it('hears the answer, for Temporal links the question to the new run', async () => {
    const first = await world.openIntent();
    const { id } = await world.ask(first);
    const again = await reset(first, (await tasksOf(first)).next);
    await answer(id);
    const { resolution, ...record } = (await resumed(again)) as Record<string, unknown>;
    assert.deepEqual([record['id'], resolution, record['response']], [id, 'responded', 'approve']);
  });

  it('asks anew if it had not asked yet, and hears only that answer', async () => {
    const first = await world.openIntent();
    const { id } = await world.ask(first);
    const again = await reset(first, (await tasksOf(first)).asked);
    const anew = await lookUntil(async () => {
      const asked = activeSuspensionId((await snapshotOf(again)).intent);
      return asked !== id && asked;
    }, 'the question is not asked anew');
    await world.delivered(anew);
    assert.equal((await world.suspension(id).query(recordQuery)).state, 'pending');
    await answer(id);
    assert.equal(activeSuspensionId((await snapshotOf(again)).intent), anew);
    await answer(anew);
    const record = (await resumed(again)) as Record<string, unknown>;
    assert.deepEqual([record['id'], record['resolution']], [anew, 'responded']);
  });
});
