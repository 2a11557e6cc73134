import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { queriesIn } from '../../../../api/parts/reads/from-store.js';
import type { StoredSnapshot } from '../../../../contracts/approval/snapshot.js';
import { hashOfSnapshot, takeSnapshot } from '../../../../domain/approval/asking/snapshot.js';
import { saveSnapshot } from '../../../../store/queries/run-log.js';
import { granted } from '../../../domain/samples.js';
import { withStore, type TestStore } from '../../../support/store.js';
import { rigOver, type Rig } from '../../support/harness.js';

const AT = '2026-11-24T10:00:00.000Z';

describe('the snapshots of a run, over HTTP', () => {
  let store: TestStore;
  let rig: Rig;
  before(async () => {
    store = await withStore();
    const run = queriesIn(store.db, 'default');
    rig = rigOver({ deps: { storeIn: () => run } });
  });
  after(() => store.close());

  async function saved(run_id: string, turn_index: number, space?: string) {
    const working_memory = { messages: [{ role: 'user', content: `turn ${turn_index}` }] };
    const fields = { agent: 'bot', run_id, turn_index, event_position: 7, working_memory };
    const stored = granted(takeSnapshot({ ...fields, proposals: [] }));
    await saveSnapshot(store.db, stored, AT, space);
    return stored;
  }

  const latest = (run: string, key: 'admin' | 'auditor' | 'operator' | 'agent' | 'user') =>
    rig.send(key, 'get', `/v1/runs/${encodeURIComponent(run)}/snapshots/latest`);

  it('are read from the last turn that waited, with position, memory, turn and hash [A54-14] [JC-67]', async () => {
    const run = `run ${randomUUID()}`;
    await saved(run, 1);
    const last = await saved(run, 2);
    await saved(run, 0);
    for (const key of ['admin', 'auditor'] as const) {
      const { status, body } = await latest(run, key);
      assert.equal(status, 200);
      assert.deepEqual(body, last);
      const { snapshot, hash }: StoredSnapshot = body;
      assert.equal(hashOfSnapshot(snapshot), hash);
      assert.equal(snapshot.schema_version, 'composer_v1');
      assert.deepEqual([snapshot.turn_index, snapshot.event_position], [2, 7]);
    }
  });

  it('are for admins and auditors alone', async () => {
    const run = `run ${randomUUID()}`;
    await saved(run, 0);
    for (const key of ['operator', 'agent', 'user'] as const) {
      const { status, body } = await latest(run, key);
      assert.deepEqual([status, body.code], [403, 'forbidden'], key);
    }
  });

  it('are none of a run that left none in this space', async () => {
    const run = `run ${randomUUID()}`;
    await saved(run, 0, 'team-b');
    const { status, body } = await latest(run, 'admin');
    assert.deepEqual([status, body.code], [404, 'snapshot_not_found']);
  });
});
