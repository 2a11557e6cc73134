import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { StoredSnapshot } from '../../contracts/approval/snapshot.js';
import { hashOfSnapshot, takeSnapshot } from '../../domain/approval/asking/snapshot.js';
import { inSpace } from '../../store/in-space.js';
import { latestSnapshot, saveSnapshot } from '../../store/queries/run-log.js';
import { useStore } from '../support/store.js';

const AT = '2026-11-24T10:00:00.000Z';
const LATER = '2026-11-24T11:00:00.000Z';

function taken(run_id: string, turn_index = 0): StoredSnapshot {
  const working_memory = { messages: [{ role: 'user', content: 'a\u0000b \ud800' }], one: 1.0 };
  const fields = { agent: 'bot', run_id, turn_index, event_position: 7, working_memory };
  const ruling = takeSnapshot({ ...fields, proposals: [] });
  assert.ok(ruling.ok);
  return ruling.value;
}

describe('the snapshots of agents in the store', () => {
  const store = useStore();

  it('are read as they were taken, with the same hash [A54-02]', async () => {
    const stored = taken(randomUUID());
    await saveSnapshot(store.db, stored, AT);
    const read = await latestSnapshot(store.db, stored.snapshot.run_id);
    assert.ok(read);
    assert.deepEqual(read, stored);
    assert.equal(hashOfSnapshot(read.snapshot), stored.hash);
  });

  it('are stored once, with their first instant', async () => {
    const stored = taken(randomUUID());
    assert.equal(await saveSnapshot(store.db, stored, AT), AT);
    assert.equal(await saveSnapshot(store.db, stored, LATER), AT);
  });

  it('are found by their run, the last turn first', async () => {
    const run = randomUUID();
    for (const turn of [0, 2, 1]) await saveSnapshot(store.db, taken(run, turn), AT);
    assert.equal((await latestSnapshot(store.db, run))?.snapshot.turn_index, 2);
    assert.equal(await latestSnapshot(store.db, randomUUID()), undefined);
  });

  it('belong to one space', async () => {
    const stored = taken(randomUUID());
    await saveSnapshot(store.db, stored, AT, 'team-b');
    const { run_id } = stored.snapshot;
    assert.equal(await latestSnapshot(inSpace(store.db, 'default'), run_id), undefined);
    assert.deepEqual(await latestSnapshot(inSpace(store.db, 'team-b'), run_id), stored);
  });

  it('of an older form are brought to the current one [JC-68, TM-18]', async () => {
    const { snapshot, hash } = taken(randomUUID());
    const { proposals: _proposals, ...older } = snapshot;
    const state = { ...older, schema_version: 'composer_v0', proposal: null };
    await saveSnapshot(store.db, { snapshot: state as never, hash }, AT);
    const read = await latestSnapshot(store.db, snapshot.run_id);
    assert.deepEqual(read?.snapshot, snapshot);
  });

  it('of an unknown form are not read', async () => {
    const { snapshot, hash } = taken(randomUUID());
    const state = { ...snapshot, schema_version: 'composer_v9' };
    await saveSnapshot(store.db, { snapshot: state as never, hash }, AT);
    await assert.rejects(latestSnapshot(store.db, snapshot.run_id), TypeError);
  });
});
