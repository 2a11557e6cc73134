import { WithStartWorkflowOperation } from '@temporalio/client';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import {
  heard,
  historyOf,
  logOf,
  snapshotOf,
  tellOfPlan,
  typesOf,
  type IntentHandle,
} from '../support/intents.js';
import { eventKinds, replay } from '../support/histories.js';
import { respond } from '../support/suspensions.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { perSuite, perTest, World, type WorldOptions } from '../support/world.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import { operatorResponseSignal, recordQuery } from '../../../workflows/suspension/messages.js';
import type { SuspendInput, suspendUpdate } from '../../../workflows/intent/messages.js';
import type { intent as intentWorkflow } from '../../../workflows/intent/workflow.js';
import { lookUntil } from '../../support/looks.js';

const WINDOW = { timeout_seconds: 600, fallback_policy: 'complete_with_fallback' } as const;

/** Signals that a workflow got, by their names. */
async function signalsOf(handle: Pick<IntentHandle, 'fetchHistory'>): Promise<readonly string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(
    ({ workflowExecutionSignaledEventAttributes: signal }) => signal?.signalName ?? [],
  );
}

describe('an outcome that its intent takes from the result of the question', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  it('needs no Signal, and ends the question in the task that accepts the answer', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const handle = world.suspension(view.id);
    const receipt = await respond({ handle }, await world.answer(view));
    assert.equal(receipt.awaited_by, intent.workflowId);
    await heard(intent);
    assert.deepEqual(await signalsOf(intent), []);
    const kinds = await eventKinds(handle);
    assert.deepEqual(kinds.slice(kinds.lastIndexOf('workflowExecutionUpdateAccepted') + 1), [
      'upsertWorkflowSearchAttributes',
      'workflowExecutionUpdateCompleted',
      'workflowExecutionCompleted',
    ]);
    await replay(handle);
    await replay(intent);
  });

  it('needs none either where the question comes with the first task of the intent', async () => {
    const intent = await world.newIntent();
    const startWorkflowOperation = new WithStartWorkflowOperation<typeof intentWorkflow>('intent', {
      workflowId: workflowIdOf('intent', intent.id),
      taskQueue: world.taskQueue,
      args: [{ intent, log_key: randomUUID() }],
      workflowIdConflictPolicy: 'FAIL',
    });
    const { id } = await world.ask({
      executeUpdate: (update: typeof suspendUpdate, options: { args: [SuspendInput] }) =>
        world.client.executeUpdateWithStart(update, { ...options, startWorkflowOperation }),
    } as unknown as IntentHandle);
    const [own, handle] = [await startWorkflowOperation.workflowHandle(), world.suspension(id)];
    await respond({ handle }, await world.answer(await handle.query(recordQuery)));
    await heard(own);
    assert.deepEqual([...(await signalsOf(own)), ...(await signalsOf(handle))], []);
    await replay(own);
  });

  it('leaves its rows to the intent, which writes them with its own', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const handle = world.suspension(view.id);
    await respond({ handle }, await world.answer(view));
    assert.deepEqual(typesOf(await logOf(world, intent)).slice(-1), ['intent.resumed']);
    const { rows } = await handle.result();
    assert.ok(rows.some(({ kind }) => kind === 'suspension_settled'));
    for (const row of rows)
      assert.ok(
        world.activities.rows.some((one) => same(one, row)),
        row.kind,
      );
  });

  it('comes though the store is away, whoever settled the question', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent, WINDOW);
    await heardOfAsking(world, intent);
    world.activities.storeIsDown = true;
    await world.sleep('601 s');
    await world.suspension(view.id).result();
    await lookUntil(async () => (await childEnds(intent)) === 1, 'the intent is not told');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await lookUntil(
      () => Promise.resolve(world.activities.intentOf(view.intent_id).status === 'active'),
      'the intent does not go on',
    );
    assert.deepEqual(await signalsOf(intent), []);
  });

  it('is written before an intent ends that the end of its question closes', async () => {
    const intent = await world.openIntent();
    const { id } = await world.ask(intent, { timeout_seconds: 60, fallback_policy: 'fail' });
    await heardOfAsking(world, intent);
    world.activities.storeIsDown = true;
    await world.sleep('60 s');
    assert.equal((await world.suspension(id).result()).resolution, 'expired');
    assert.equal((await intent.describe()).status.name, 'RUNNING');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    await intent.result();
    const kinds = world.activities.timelineOf(id).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['opened', 'attempt', 'delivered', 'expired']);
    assert.equal(world.activities.suspensionOf(id)?.record.resolution, 'expired');
  });

  it('is told by Signal where its rows are too large for a result', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const handle = world.suspension(view.id);
    const metadata = { note: 'x'.repeat(LIMITS.answerBytes - 500) };
    await respond({ handle }, { ...(await world.answer(view)), metadata });
    await heard(intent);
    assert.deepEqual(await signalsOf(intent), ['suspensionReport']);
    assert.deepEqual((await handle.result()).rows, []);
    assert.equal((await snapshotOf(intent)).intent.status, 'active');
  });

  async function childEnds(intent: IntentHandle): Promise<number> {
    const events = await historyOf(intent);
    return events.filter((event) => event.childWorkflowExecutionCompletedEventAttributes).length;
  }
});

/** What waits for a worker that caches is not asked of another in time. */
const PLACES: readonly WorldOptions[] = [
  { on: 'this process' },
  { on: 'dev server', maxCachedWorkflows: 0 },
];
for (const place of PLACES)
  describe(`an outcome for a new run of its intent, on ${place.on}`, () => toNewRun(place));

function toNewRun(place: WorldOptions): void {
  let world: World;
  perSuite(World, (one) => (world = one), place);

  for (const [first, order] of [
    ['the answer', ['question', 'intent']],
    ['the end of the run that asked', ['intent', 'question']],
  ] as const) {
    it(`is not lost where ${first} comes first: parent continued as new`, async () => {
      const intent = await world.openIntent({ history_limit: 40 });
      const view = await world.ask(intent);
      await heardOfAsking(world, intent);
      const { runId } = await intent.describe();
      const answer = await world.answer(view);
      await world.stopWorker();
      for (const receiver of order) {
        if (receiver === 'question') {
          await world.suspension(view.id).signal(operatorResponseSignal, answer);
        } else for (let sent = 0; sent < 40; sent += 1) await tellOfPlan(intent);
      }
      await world.startWorker();
      await lookUntil(async () => (await intent.describe()).runId !== runId, 'it stays in its run');
      await lookUntil(
        async () => world.activities.intentOf(view.intent_id).status === 'active',
        'the intent does not go on',
      );
      assert.deepEqual(typesOf(await logOf(world, intent)).filter(isEnd), ['intent.resumed']);
    });
  }

  it('comes by Signal to a run that did not ask: parent continued as new', async () => {
    const intent = await world.openIntent({ history_limit: 40 });
    const view = await world.ask(intent);
    await heardOfAsking(world, intent);
    const { runId } = await intent.describe();
    await world.withoutWorker(async () => {
      for (let sent = 0; sent < 40; sent += 1) await tellOfPlan(intent);
    });
    await lookUntil(async () => (await intent.describe()).runId !== runId, 'it stays in its run');
    const handle = world.suspension(view.id);
    const receipt = await respond({ handle }, await world.answer(view));
    assert.equal(receipt.awaited_by, undefined);
    await lookUntil(
      async () => world.activities.intentOf(view.intent_id).status === 'active',
      'the intent does not go on',
    );
    assert.deepEqual((await handle.result()).rows, []);
  });
}

/** Waits until what the intent writes on asking is written. */
async function heardOfAsking(world: World, intent: IntentHandle): Promise<void> {
  await logOf(world, intent);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isEnd(type: string): boolean {
  return ['intent.resumed', 'intent.suspension_expired', 'intent.suspension_cancelled'].includes(
    type,
  );
}
