import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import { writeRows } from '../../store/journal-writer.js';
import { coordinatorsOf, findCoordinator } from '../../store/queries/coordinator.js';
import { lastSequences } from '../../store/queries/event-log.js';
import { COORDINATOR } from '../api/support/portfolio-records.js';
import { useStore } from '../support/store.js';
import { instant } from './rows.js';

describe('coordinators in the store', () => {
  const store = useStore();
  const write = (...coordinators: readonly Coordinator[]): Promise<unknown> =>
    writeRows(
      store.db,
      coordinators.map((coordinator) => ({ kind: 'coordinator', coordinator })),
    );

  it('are kept as of their latest change, in whatever order it comes', async () => {
    const first: Coordinator = { ...COORDINATOR, id: randomUUID() };
    const later: Coordinator = { ...first, version: 2, status: 'unresponsive' };
    await write(later);
    await write(first, later);
    assert.deepEqual(await findCoordinator(store.db, first.id), later);
    assert.equal((await lastSequences(store.db, [first.id])).get(first.id), 2);
    assert.equal(await findCoordinator(store.db, randomUUID()), undefined);
  });

  it('are listed for their intent, oldest first', async () => {
    const intent_id = randomUUID();
    const leases = [2, 1].map((seconds) => ({
      ...COORDINATOR,
      id: randomUUID(),
      intent_id,
      granted_at: instant(seconds),
    }));
    await write(...leases);
    const [later, first] = leases;
    const listed = async (limit: number, offset: number) =>
      (await coordinatorsOf(store.db, intent_id, { limit, offset })).rows;
    assert.deepEqual(await listed(10, 0), [first, later]);
    assert.deepEqual(await listed(1, 1), [later]);
  });
});
