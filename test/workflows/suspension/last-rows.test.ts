import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { cancelUpdate, operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { writeSignal } from '../../../workflows/engine/messages.js';
import { caller } from '../../support/callers.js';
import { eventKinds, replay } from '../support/histories.js';
import {
  ALONE,
  LADDER,
  awaitOutcome,
  openDelivered,
  respond,
  settledRecord,
  type Opened,
  type openSuspension,
} from '../support/suspensions.js';
import { perTest, World } from '../support/world.js';

describe('a question that leaves its rows to others', () => {
  let world: World;
  perTest(World, (one) => (world = one));

  async function openAtRest(body: Parameters<typeof openSuspension>[1] = {}): Promise<Opened> {
    return openDelivered(world, body, ALONE);
  }

  /** The rows in what a question returns. */
  async function leftBy({ handle }: Opened) {
    return (await handle.result()).rows;
  }

  /** What the workflow did after it took the last Update. */
  async function afterUpdate({ handle }: Opened): Promise<readonly string[]> {
    const kinds = await eventKinds(handle);
    return kinds.slice(kinds.lastIndexOf('workflowExecutionUpdateAccepted') + 1);
  }

  function cancel({ handle }: Opened) {
    return handle.executeUpdate(cancelUpdate, {
      args: [{ intent_id: null, by: caller('agent-1') }],
    });
  }

  it('ends in the task that accepts the answer, and returns what the store lacks', async () => {
    const opened = await openAtRest();
    const waiting = await awaitOutcome(opened);
    await respond(opened, await world.answer(opened.view));
    const rows = await leftBy(opened);
    assert.deepEqual(await afterUpdate(opened), [
      'workflowExecutionUpdateCompleted',
      'upsertWorkflowSearchAttributes',
      'workflowExecutionUpdateCompleted',
      'workflowExecutionCompleted',
    ]);
    assert.deepEqual(
      rows.map((row) => (row.kind === 'timeline' ? row.entry.kind : row.kind)),
      ['opened', 'attempt', 'delivered', 'answer_accepted', 'suspension_settled'],
    );
    assert.deepEqual(world.activities.rows, []);
    const outcome = await waiting.result();
    assert.ok(!outcome.moved);
    assert.deepEqual(outcome.view.record, await settledRecord(opened.handle));
    await replay(opened.handle);
  });

  it('returns no opening, for who asked writes that, and writes it when it is told to', async () => {
    const opened = await openAtRest();
    assert.deepEqual(world.activities.rows, []);
    await opened.handle.signal(writeSignal);
    await world.sleep('1 s');
    const kinds = world.activities.rows.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['suspension_opened', 'timeline', 'timeline', 'timeline']);
    await opened.handle.signal(writeSignal);
    await cancel(opened);
    const left = (await leftBy(opened)).map(({ kind }) => kind);
    assert.deepEqual(left, ['timeline', 'suspension_settled']);
    const other = await openAtRest();
    await cancel(other);
    assert.ok((await leftBy(other)).every(({ kind }) => kind !== 'suspension_opened'));
  });

  it('writes by itself what was under way when the answer came', async () => {
    const opened = await openAtRest();
    world.activities.storeIsDown = true;
    await opened.handle.signal(writeSignal);
    await world.sleep('1 s');
    await respond(opened, await world.answer(opened.view));
    assert.equal((await opened.handle.describe()).status.name, 'RUNNING');
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
    assert.deepEqual(await leftBy(opened), []);
    const kinds = world.activities.timelineOf(opened.id).map(({ kind }) => kind);
    assert.equal(kinds.at(-1), 'answer_accepted');
  });

  it('writes by itself how it ended without an Update', async () => {
    const expired = await openAtRest({ retry_policy: LADDER });
    const answered = await openAtRest();
    await answered.handle.signal(operatorResponseSignal, await world.answer(answered.view));
    await world.sleep('4 hours');
    for (const opened of [expired, answered]) {
      assert.deepEqual(await leftBy(opened), []);
      const settled = world.activities.rows.filter(
        (row) => row.kind === 'suspension_settled' && row.suspension_id === opened.id,
      );
      assert.equal(settled.length, 1);
    }
  });

  it('writes by itself while a delivery hangs, for a task that closes is refused if one ends meanwhile', async () => {
    const { deliver } = world.activities;
    world.activities.deliver = () => Promise.reject(new Error('the channel is down'));
    const opened = await openAtRest();
    await respond(opened, await world.answer(opened.view));
    assert.deepEqual(await leftBy(opened), []);
    world.activities.deliver = deliver;
    const kinds = world.activities.timelineOf(opened.id).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(-2).sort(), ['answer_accepted', 'delivery_superseded']);
    await replay(opened.handle);
  });
});
