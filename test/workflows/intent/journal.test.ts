import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import { logOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { perTest, World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('intent journal', () => {
  /** One for each test: each lets the store fail, and time pass until it is tried again. */
  let world: World;
  perTest(World, (one) => (world = one));

  async function note(handle: IntentHandle, index: number): Promise<void> {
    const event = { ...sent('agent-1'), event_type: 'note', payload: { index } };
    await handle.executeUpdate(appendEventUpdate, { args: [event] });
  }

  async function storeComesBack(): Promise<void> {
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
  }

  it('ends a completed intent only once the store has its log', async () => {
    const handle = await world.openIntent();
    await logOf(world, handle);
    world.activities.storeIsDown = true;
    const { intent } = await writeStatus(handle, 'completed');
    await world.sleep('60 s');
    assert.equal((await handle.describe()).status.name, 'RUNNING');
    await storeComesBack();
    await handle.result();
    assert.equal((await handle.describe()).status.name, 'COMPLETED');
    assert.equal(world.activities.intentOf(intent?.id ?? '').status, 'completed');
  });

  it('writes at most 200 rows at a time, in order', async () => {
    const batches: (readonly JournalRow[])[] = [];
    const write = world.activities.writeJournal;
    world.activities.writeJournal = async (rows) => {
      await write(rows);
      batches.push(rows);
    };
    await world.withoutWorker(() => Promise.resolve());
    const handle = await world.openIntent();
    const created = await logOf(world, handle);
    world.activities.storeIsDown = true;
    const indexes = Array.from({ length: 230 }, (_, index) => index);
    for (let start = 0; start < indexes.length; start += 10) {
      await Promise.all(indexes.slice(start, start + 10).map((index) => note(handle, index)));
    }
    await storeComesBack();
    const log = await logOf(world, handle);
    assert.equal(created.length + indexes.length, log.length);
    assert.deepEqual(
      log.map(({ sequence }) => sequence),
      Array.from({ length: 231 }, (_, index) => index + 1),
    );
    const sizes = batches.map(({ length }) => length);
    assert.equal(Math.max(...sizes), 200, sizes.join(' '));
  });
});
