import { Client } from '@temporalio/client';
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import PQueue from 'p-queue';
import { patientClock } from '../../support/patience.js';
import { createRowWrites } from '../../../api/parts/calls/row-writes.js';
import { createTemporal } from '../../../api/parts/calls/temporal.js';
import { createIntentRows } from '../../../api/parts/calls/row-hand-over.js';
import { entityIdOf } from '../../../contracts/constants/names.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { leftRowsQuery } from '../../../workflows/intent/messages.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { silent } from '../../api/support/fakes.js';
import { lookUntil } from '../../support/looks.js';
import { settledAfter } from '../support/histories.js';
import { patch, type IntentHandle } from '../support/intents.js';
import { perSuite, World } from '../support/world.js';

const LEFT = { sender_writes: true } as const;

/** While a write is under way, an intent hands out no rows, and that write is followed by no other of its own. */
describe('the rows that an intent leaves while a write of it is under way', () => {
  let world: World;
  perSuite(World, (one) => (world = one));
  beforeEach(() => world.activities.rows.splice(0));

  /** What the API does with rows; each of them goes to the same store as those of workflows. */
  function api() {
    const clock = patientClock();
    const temporal = createTemporal(new Client({ connection: world.place.connection }), clock);
    const fromStore = (async (_query: unknown, rows: readonly JournalRow[]) => {
      world.activities.rows.push(...rows);
      return Promise.resolve([]);
    }) as never;
    const rowWrites = createRowWrites({
      temporal,
      fromStore,
      clock,
      log: silent,
      space: 'default',
    });
    const background = new PQueue();
    return { ...createIntentRows({ temporal, rowWrites, background, log: silent }), background };
  }
  const idOf = ({ workflowId }: IntentHandle) => entityIdOf(workflowId, 'intent');
  const isWritten = (type: string) =>
    world.activities.rows.some((row) => row.kind === 'event' && row.event.event_type === type);
  const arrives = (type: string) =>
    lookUntil(async () => Promise.resolve(isWritten(type)), `${type} is written by nobody`);

  it('reach the store after a question was asked', async () => {
    const releaseStore = world.activities.holdStore();
    const handle = await world.openIntent();
    await arrives('intent_created');
    const receipt = await world.suspend(handle, {}, LEFT);
    assert.deepEqual(receipt.rows, []);
    await api().writeLeft(idOf(handle), receipt.rows);
    assert.equal(isWritten('intent.suspended'), false);
    releaseStore();
    await arrives('intent.suspended');
    await handle.terminate();
  });

  it('reach the store after a question was answered', async () => {
    const handle = await world.openIntent();
    const { suspension_id, view } = await world.suspend(handle, {}, LEFT);
    assert.ok(view);
    await world.delivered(suspension_id);
    const releaseStore = world.activities.holdStore();
    await patch(handle, [{ op: 'set', path: 'a', value: 1 }]);
    await arrives('state_patched');
    const answer = { ...(await world.answer(view)), ...LEFT };
    await world.suspension(suspension_id).executeUpdate(respondUpdate, { args: [answer] });
    await settledAfter(handle, 'childWorkflowExecutionCompleted', 1);
    assert.deepEqual(await handle.query(leftRowsQuery), []);
    const { collectDue, background } = api();
    collectDue(idOf(handle));
    await background.onIdle();
    assert.equal(isWritten('intent.resumed'), false);
    releaseStore();
    await arrives('intent.resumed');
    await handle.terminate();
  });
});
