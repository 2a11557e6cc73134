import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { lookUntil } from '../../support/looks.js';
import { logOf, snapshotOf, writeStatus } from '../support/intents.js';
import { answerAsk, writeAskingRecord, writeAskingStatus } from '../support/suspensions.js';
import { perSuite, World } from '../support/world.js';

describe('an OpenIntent ask under the id of another question', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  /** The intents of which the store was told that they asked a question. */
  const askersOf = (id: string) =>
    world.activities.rows.flatMap((row) =>
      row.kind === 'suspension_opened' && row.record.id === id ? [row.intent_id] : [],
    );

  for (const state of ['there', 'away'] as const) {
    it(`writes no opening of that question: store ${state}`, async () => {
      const [first, second] = [await world.openIntent(), await world.openIntent()];
      world.activities.storeIsDown = state === 'away';
      await writeAskingStatus(first);
      const id = await writeAskingRecord(world, first);
      await writeAskingStatus(second);
      await writeAskingRecord(world, second, { id });
      world.activities.storeIsDown = false;
      await world.sleep('10 s');
      const { intent } = await snapshotOf(second);
      assert.equal(intent.status, 'active');
      await logOf(world, second);
      const { intent: asker } = await snapshotOf(first);
      await lookUntil(async () => askersOf(id).includes(asker.id), 'it is not opened');
      assert.deepEqual(askersOf(id), [asker.id]);
      await answerAsk(world, first, id);
      assert.equal((await snapshotOf(first)).intent.status, 'active');
      for (const handle of [first, second]) await writeStatus(handle, 'completed');
    });
  }
});
