import assert from 'node:assert/strict';
import { Context } from '@temporalio/activity';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { journalFailure } from '../../../activities/journal-retry.js';
import type { JournalRow } from '../../../contracts/log/journal.js';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import { respondUpdate } from '../../../workflows/suspension/messages.js';
import { logOf, patch, typesOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('intent journal', () => {
  /** One for each test: each lets the store fail, and time pass until it is tried again. */
  let world: World;
  beforeEach(async () => {
    world = await World.start();
  });
  afterEach(() => world.close());

  async function note(handle: IntentHandle, index: number): Promise<void> {
    const event = { ...sent('agent-1'), event_type: 'note', payload: { index } };
    await handle.executeUpdate(appendEventUpdate, { args: [event] });
  }

  async function storeComesBack(): Promise<void> {
    world.activities.storeIsDown = false;
    await world.sleep('10 s');
  }

  const sequencesOf = (intentId: string) => sequencesIn(world, intentId);

  it('goes on while the store is down and hands it everything later', async () => {
    const handle = await world.openIntent();
    await logOf(world, handle);
    world.activities.storeIsDown = true;
    await patch(handle, [{ op: 'set', path: 'a', value: 1 }]);
    const view = await world.ask(handle);
    const answer = await world.answer(view);
    await world.suspension(view.id).executeUpdate(respondUpdate, { args: [answer] });
    const { intent } = await patch(handle, [{ op: 'set', path: 'b', value: 2 }]);
    assert.equal(intent?.status, 'active');
    assert.deepEqual(sequencesOf(intent.id), [1]);
    await storeComesBack();
    assert.deepEqual(typesOf(await logOf(world, handle)), [
      'intent_created',
      'state_patched',
      'intent.suspended',
      'intent.resumed',
      'state_patched',
    ]);
    assert.deepEqual(sequencesOf(intent.id), [1, 2, 3, 4, 5]);
    assert.deepEqual(world.activities.intentOf(intent.id), intent);
  });

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

/** The events of an intent that the store has. */
function sequencesIn({ activities }: World, intentId: string | null): number[] {
  return activities.rows.flatMap((row) =>
    row.kind === 'event' && row.event.intent_id === intentId ? [row.event.sequence] : [],
  );
}

describe('the journal of an intent during a long outage of the store', () => {
  let world: World;
  before(async () => {
    world = await World.start({ on: 'skipping server' });
  });
  after(() => world.close());

  it('is tried at most once a minute while the store is away for long, and writes 90 s after it is back', async () => {
    let tries = 0;
    const write = world.activities.writeJournal;
    world.activities.writeJournal = async (rows) => {
      tries += 1;
      const { attempt } = Context.current().info;
      await write(rows).catch((error: unknown) => {
        throw journalFailure(error, attempt);
      });
    };
    await world.withoutWorker(() => Promise.resolve());
    const handle = await world.openIntent();
    const created = await logOf(world, handle);
    assert.equal(created.length, 1);
    const earlier = tries;
    world.activities.storeIsDown = true;
    const view = await world.ask(handle);
    await world.sleep('20 minutes');
    // Two workflows have something to write: five tries each at first, and then at most one a minute.
    assert.ok(tries - earlier <= 2 * (5 + 20), `${tries - earlier} tries`);
    await world
      .suspension(view.id)
      .executeUpdate(respondUpdate, { args: [await world.answer(view)] });
    world.activities.storeIsDown = false;
    await world.sleep('90 s');
    assert.deepEqual(sequencesIn(world, view.intent_id), [1, 2, 3]);
    assert.equal(world.activities.suspensionOf(view.id)?.record.resolution, 'responded');
  });
});
