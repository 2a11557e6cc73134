import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JournalRow } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import type { Store } from '../../store/schema.js';
import { aRecord, openedRow, settledRow } from '../store/rows.js';
import { lookUntil } from '../support/looks.js';
import { waitingForLocks, withDatabase } from './database.js';

describe('the news in what two processes write at once to PostgreSQL', () => {
  let db: Store;
  withDatabase((store) => {
    db = store;
  });

  it('is told by one of them', async () => {
    const record = aRecord();
    await writeRows(db, [openedRow(randomUUID(), record)]);
    const told: JournalRow[] = [];
    const settled = settledRow(record.id, 1);
    const write = () => writeRows(db, [settled], 'default', ({ news }) => void told.push(...news));
    const holder = await db.startTransaction().execute();
    await holder
      .selectFrom('suspensions')
      .select('id')
      .where('id', '=', record.id)
      .forUpdate()
      .execute();
    const writes = [write(), write(), write()];
    // Each of them has begun its statement before any of them can end it.
    await lookUntil(
      async () => (await waitingForLocks(db)) === writes.length,
      'not all of them wait',
    );
    await holder.rollback().execute();
    await Promise.all(writes);
    assert.deepEqual(told, [settled]);
  });
});
