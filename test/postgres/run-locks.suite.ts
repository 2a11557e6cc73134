import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eraseSuspension } from '../../store/queries/erasure/erasure.js';
import {
  appendToRun,
  latestSnapshot,
  runLogEnd,
  saveSnapshot,
} from '../../store/queries/run-log.js';
import type { Store } from '../../store/schema.js';
import { approvalOf, snapshotOf } from '../store/retention-samples.js';
import { instant } from '../store/rows.js';
import { lookUntil } from '../support/looks.js';
import { waitingForLocks, withDatabase } from './database.js';

type Write = (db: Store, one: ReturnType<typeof approvalOf>) => Promise<unknown>;

const WRITES: Readonly<Record<string, Write>> = {
  'an event': async (db, one) => {
    await appendToRun(db, one.note('requested', instant(1)), 'salt', 'default');
    assert.equal((await runLogEnd(db, one.run_id)).newest, 1);
  },
  'a snapshot': async (db, one) => {
    await saveSnapshot(db, snapshotOf(one), instant(1));
    assert.notEqual(await latestSnapshot(db, one.run_id), undefined);
  },
};

describe('what a run leaves in PostgreSQL while something is erased', () => {
  let db: Store;
  withDatabase((store) => {
    db = store;
  });

  /** An erasure of what is not there takes all locks of one that is. */
  const erase = () => eraseSuspension(db, randomUUID(), { by: 'root', at: instant(2) });

  /** Both begin, in this order, before either can take the first of its locks on runs. */
  async function begunInOrder(first: () => Promise<unknown>, second: () => Promise<unknown>) {
    const holder = await db.startTransaction().execute();
    await sql`lock table runs in share row exclusive mode`.execute(holder);
    const begun = [first()];
    await lookUntil(async () => (await waitingForLocks(db)) === 1, 'the first does not wait');
    begun.push(second());
    await lookUntil(async () => (await waitingForLocks(db)) === 2, 'the second does not wait');
    await holder.rollback().execute();
    return Promise.all(begun);
  }

  for (const [what, write] of Object.entries(WRITES)) {
    it(`takes ${what} that comes after the erasure`, async () => {
      await begunInOrder(erase, () => write(db, approvalOf()));
    });

    it(`takes ${what} that comes before the erasure`, async () => {
      await begunInOrder(() => write(db, approvalOf()), erase);
    });
  }
});
