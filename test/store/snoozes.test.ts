import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { JudgedSnooze } from '../../domain/suspension/people/snooze.js';
import { inSpace } from '../../store/in-space.js';
import { writeRows } from '../../store/journal-writer.js';
import { countSuspensions, listSuspensions } from '../../store/queries/inbox.js';
import { deleteSnooze, listSnoozes, putSnooze } from '../../store/queries/people/snooze.js';
import { caller } from '../support/callers.js';
import { useStore } from '../support/store.js';
import { aRecord, instant, openedRow, progressRow, settledRow } from './rows.js';

describe('snoozes in the store', () => {
  const store = useStore('emptied');

  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);
  /** Asks a question that expires after 180 s. */
  const ask = async (changes: Parameters<typeof aRecord>[0] = {}): Promise<string> => {
    const record = aRecord(changes);
    await write(openedRow(randomUUID(), record));
    return record.id;
  };
  const snooze = (id: string, changes: Partial<JudgedSnooze> = {}, by = 'alice', now = 0) =>
    putSnooze(
      store.db,
      { space: 'default', by, now: instant(now) },
      {
        suspension_id: id,
        until: instant(100),
        until_reminder: false,
        snoozed_at: instant(now),
        attempt: null,
        question_version: 1,
        ...changes,
      },
    );
  /** What waits for somebody some seconds later, and what it has put off. */
  const lists = async (seconds = 1, by = 'alice') => {
    const now = instant(seconds);
    const read = async (are: 'left out' | 'shown') => {
      const conditions = {
        view: {
          kind: 'for_me',
          by: caller(by, 'operator'),
          separation_of_duties: false,
          as_initiator: false,
        },
        snoozed: { by, now, are },
      } as const;
      const page = { ...conditions, state: 'pending', sort: 'oldest', limit: 100 } as const;
      const { rows } = await listSuspensions(inSpace(store.db, 'default'), page);
      const { pending } = await countSuspensions(inSpace(store.db, 'default'), conditions);
      assert.equal(pending, rows.length);
      return rows.map(({ entry }) => entry.id);
    };
    const [open, put] = [await read('left out'), await read('shown')];
    const found = await listSnoozes(inSpace(store.db, 'default'), { by, now });
    assert.deepEqual(found.map(({ suspension_id }) => suspension_id).sort(), [...put].sort());
    return { open, put };
  };

  it('hide a question from one person until their end', async () => {
    const id = await ask();
    await snooze(id);
    assert.deepEqual(await lists(99), { open: [], put: [id] });
    assert.deepEqual(await lists(100), { open: [id], put: [] });
    assert.deepEqual(await lists(1, 'bob'), { open: [id], put: [] });
  });

  it('end with the reminder that they wait for, and not with another', async () => {
    const [reminded, other] = [await ask(), await ask()];
    await snooze(reminded, { attempt: 1 });
    await snooze(other);
    assert.deepEqual((await lists()).open, []);
    await write(progressRow(reminded, 1, 2), progressRow(other, 1, 2));
    assert.deepEqual(await lists(), { open: [reminded], put: [other] });
  });

  it('end when the question is corrected, or what it proposes is edited', async () => {
    const [corrected, edited] = [
      await ask(),
      await ask({ approval: { proposal: { version: 1 } } as never }),
    ];
    await snooze(corrected);
    await snooze(edited);
    assert.deepEqual((await lists()).open, []);
    await write(
      { ...progressRow(corrected, 1, 1), amended: { question_version: 2 } },
      { ...progressRow(edited, 1, 1), approval: { proposal: { version: 2 } } as never },
    );
    assert.deepEqual((await lists()).open.sort(), [corrected, edited].sort());
  });

  it('hide nothing that expires before they end', async () => {
    const id = await ask({ expires_at: instant(100) });
    await snooze(id);
    assert.deepEqual(await lists(), { open: [id], put: [] });
  });

  it('are replaced, ended by their person, and gone once the question is settled', async () => {
    const [id, settled] = [await ask(), await ask()];
    await snooze(id, { until: instant(50) });
    await snooze(id, { until: instant(60) });
    await snooze(settled);
    const all = await listSnoozes(store.db, { by: 'alice', now: instant(1) });
    assert.deepEqual(
      all.map(({ suspension_id, until }) => [suspension_id, until]),
      [
        [id, instant(60)],
        [settled, instant(100)],
      ],
    );
    await deleteSnooze(store.db, { space: 'default', by: 'bob' }, id);
    assert.deepEqual((await lists()).put.sort(), [id, settled].sort());
    await deleteSnooze(store.db, { space: 'default', by: 'alice' }, id);
    await write(settledRow(settled, 1));
    assert.deepEqual(await lists(), { open: [id], put: [] });
  });

  it('are limited for each person, and those that are over do not count', async () => {
    const values = Array.from({ length: LIMITS.snoozes }, (_, n) => ({
      principal: 'alice',
      suspension_id: `s${n}`,
      ends_at: instant(50),
      question_version: 1,
      snoozed_at: instant(0),
    }));
    await store.db.insertInto('snoozes').values(values).execute();
    const id = await ask();
    assert.equal(await snooze(id, {}, 'alice', 49), false);
    assert.equal(await snooze('s1', {}, 'alice', 49), true);
    assert.deepEqual((await lists()).put, []);
    assert.equal(await snooze(id, {}, 'bob', 49), true);
    assert.equal(await snooze(id, {}, 'alice', 50), true);
    const { rows } = { rows: await store.db.selectFrom('snoozes').selectAll().execute() };
    assert.deepEqual(
      rows.map((row) => `${row.principal} ${row.suspension_id}`).sort(),
      [`alice ${id}`, 'alice s1', `bob ${id}`].sort(),
    );
  });
});
