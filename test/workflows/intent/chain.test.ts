import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { verifyChain } from '../../support/verified-chain.js';
import { payloadSalt } from '../../../domain/log/seal.js';
import { positionQuery, type LogPosition } from '../../../workflows/engine/messages.js';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import { lookUntil } from '../../support/looks.js';
import { replay } from '../support/histories.js';
import { logOf, patch, snapshotOf, writeStatus, type IntentHandle } from '../support/intents.js';
import { World } from '../support/world.js';
import { sent } from '../../support/callers.js';

describe('the hash chain of an intent', () => {
  let world: World;
  afterEach(() => world.close());

  async function note(handle: IntentHandle, index: number): Promise<IntentEvent> {
    const event = { ...sent('agent-1'), event_type: 'note', payload: { index } };
    return handle.executeUpdate(appendEventUpdate, { args: [event] });
  }

  /** The whole log, once it is found to be the one that the workflow recorded. */
  async function soundLog(handle: IntentHandle): Promise<IntentEvent[]> {
    const log = await logOf(world, handle);
    const { last_sequence, head_hash } = await confirmed(handle);
    const head = { sequence: last_sequence, event_hash: head_hash };
    assert.deepEqual(verifyChain(log, head).breaks, []);
    return log;
  }

  /** How far the log has come, once the workflow knows that the store has it all. */
  async function confirmed(handle: IntentHandle): Promise<LogPosition> {
    return lookUntil(async () => {
      await snapshotOf(handle);
      const position = await handle.query(positionQuery);
      return position.written_sequence === position.last_sequence && position;
    }, 'the store has not confirmed the log');
  }

  /** Every hash with which the store was handed the event of a number. */
  function hashesBySequence(intentId: string): Map<number, Set<string>> {
    const hashes = new Map<number, Set<string>>();
    for (const row of world.activities.rows) {
      if (row.kind !== 'event' || row.event.intent_id !== intentId) continue;
      const { sequence, event_hash } = row.event;
      hashes.set(sequence, (hashes.get(sequence) ?? new Set()).add(event_hash));
    }
    return hashes;
  }

  describe('without a cache, so that every hash is made again', () => {
    beforeEach(async () => {
      world = await World.start();
    });

    it('holds every kind of event, and is the same after a replay [R25-03]', async () => {
      const handle = await world.openIntent();
      await patch(handle, [{ op: 'set', path: 'order', value: 12 }]);
      const view = await world.ask(handle);
      await world.respond(view);
      const appended = await note(handle, 1);
      const log = await soundLog(handle);
      assert.deepEqual(log.at(-1), appended);
      assert.deepEqual(
        log.map(({ previous_event_hash }) => previous_event_hash),
        [null, ...log.slice(0, -1).map(({ event_hash }) => event_hash)],
      );
      await writeStatus(handle, 'completed');
      await handle.result();
      await soundLog(handle);
      await assert.doesNotReject(replay(handle));
    });

    it('gives an event the same hash when its worker dies before the write is confirmed', async () => {
      const handle = await world.openIntent();
      const [created] = await soundLog(handle);
      const write = world.activities.writeJournal;
      const lost = async (rows: Parameters<typeof write>[0]): Promise<void> => {
        await write(rows);
        throw new Error('nobody heard that it was written');
      };
      await world.withoutWorker(async () => {
        world.activities.writeJournal = lost;
        await handle.describe();
      });
      await note(handle, 1);
      await note(handle, 2);
      await world.withoutWorker(async () => {
        world.activities.writeJournal = write;
        await handle.describe();
      });
      await world.sleep('10 s');
      const log = await soundLog(handle);
      assert.equal(log.length, 3);
      const hashes = hashesBySequence(created?.intent_id ?? '');
      assert.deepEqual(
        [...hashes.values()].map((each) => [...each]),
        log.map(({ event_hash }) => [event_hash]),
      );
      const rows = world.activities.rows.filter((row) => row.kind === 'event');
      assert.ok(rows.length > log.length, 'nothing was written twice');
    });
  });

  describe('over continue-as-new', () => {
    beforeEach(async () => {
      world = await World.start();
    });

    it('goes on, with salts under the key that the first run was given', async () => {
      const log_key = 'a key from outside';
      const handle = await world.openIntent({ history_limit: 30, log_key });
      const runs = new Set<string>();
      for (let index = 0; runs.size < 4; index += 1) {
        assert.ok(index < 200, 'it stays in its run');
        await note(handle, index).catch(() => undefined);
        runs.add((await handle.describe()).runId);
      }
      const log = await soundLog(handle);
      assert.ok(log.length >= runs.size, `${log.length} events`);
      const salts = log.map(({ sequence }) => payloadSalt(log_key, sequence));
      assert.deepEqual(
        log.map(({ payload_salt }) => payload_salt),
        salts,
      );
    });

    it('goes on while the store does not answer', async () => {
      const handle = await world.openIntent({ history_limit: 30 });
      await logOf(world, handle);
      const releaseStore = world.activities.holdStore();
      const first = (await handle.describe()).runId;
      let index = 0;
      for (let run = first; run === first; run = (await handle.describe()).runId) {
        assert.ok(index < 100, 'it stays in its run');
        await note(handle, (index += 1)).catch(() => undefined);
        // A run gives the write under way some seconds before it goes on without it.
        await world.sleep('100 ms');
      }
      await snapshotOf(handle);
      const { written_sequence, last_sequence } = await handle.query(positionQuery);
      assert.equal(written_sequence, 1);
      assert.ok(last_sequence > 1);
      releaseStore();
      const log = await soundLog(handle);
      assert.equal(log.length, last_sequence);
    });
  });
});
