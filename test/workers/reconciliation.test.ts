import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, it } from 'mocha';
import { reconciliation } from '../../workers/reconciliation.js';
import { timelineRow } from '../store/rows.js';
import { useStore } from '../support/store.js';

function noTemporal(): never {
  return assert.fail('nothing asks Temporal');
}

describe('what the reconciler writes', () => {
  const store = useStore();

  /** How many entries of a timeline each transaction wrote, in the order of the entries. */
  async function written(id: string): Promise<readonly number[]> {
    const { rows } = await sql<{ entries: number }>`
      select count(*)::int as entries from suspension_timeline
      where suspension_id = ${id} group by xmin order by min(sequence)`.execute(store.db);
    return rows.map(({ entries }) => entries);
  }

  it('goes into the store in order, 200 rows a transaction', async () => {
    const { writeRows } = reconciliation(store.db, noTemporal);
    for (const [count, transactions] of [
      [450, [200, 200, 50]],
      [200, [200]],
      [1, [1]],
      [0, []],
    ] as const) {
      const id = randomUUID();
      const rows = Array.from({ length: count }, (_, index) => timelineRow(id, index + 1));
      await writeRows(rows, 'team-b');
      assert.deepEqual(await written(id), transactions);
    }
  });
});
