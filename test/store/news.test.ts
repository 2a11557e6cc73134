import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JournalRow, WrittenRows } from '../../contracts/log/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { settleSuspension } from '../../store/queries/work/lost-entity.js';
import { useStore } from '../support/store.js';
import {
  SETTLEMENT,
  aRecord,
  anEvent,
  openedRow,
  progressRow,
  settledRow,
  timelineRow,
} from './rows.js';

describe('what is told of rows that are written', () => {
  const store = useStore();

  /** Writes rows; returns what was told of each transaction. */
  async function told(rows: readonly JournalRow[], space = 'default'): Promise<WrittenRows[]> {
    const all: WrittenRows[] = [];
    await writeRows(store.db, rows, space, (written) => void all.push(written));
    return all;
  }

  /** Writes rows in one transaction; returns those that were news. */
  async function news(...rows: readonly JournalRow[]) {
    return (await told(rows)).flatMap((written) => written.news);
  }

  it('has an opening as news once, however often it is written', async () => {
    const record = aRecord();
    const opened = openedRow(randomUUID(), record);
    assert.deepEqual(await news(timelineRow(record.id, 1), opened, opened), [opened]);
    assert.deepEqual(await news(opened), []);
    assert.deepEqual(
      await news(opened, progressRow(record.id, 1, 1), timelineRow(record.id, 2)),
      [],
    );
  });

  it('has a settlement as news once, whoever writes it and however often', async () => {
    const record = aRecord();
    const opened = openedRow(randomUUID(), record);
    const settled = settledRow(record.id, 3);
    await news(opened);
    assert.deepEqual(await news(settledRow(record.id, 2), settled), [settled]);
    assert.deepEqual(await news(settled), []);
    assert.deepEqual(await news(settledRow(record.id, 4), opened), []);
    assert.deepEqual(await news(settledRow(record.id, 0)), []);
  });

  it('has both as news where the settlement comes first', async () => {
    const record = aRecord();
    const opened = openedRow(randomUUID(), record);
    const settled = settledRow(record.id, 1);
    assert.deepEqual(await news(settled), [settled]);
    assert.deepEqual(await news(settled, opened), [opened]);
  });

  it('has the end of a lost question as news, once', async () => {
    const [record, answered] = [aRecord(), aRecord()];
    await news(openedRow(randomUUID(), record), openedRow(randomUUID(), answered));
    await news(settledRow(answered.id, 1));
    const all: JournalRow[] = [];
    for (const id of [record.id, record.id, answered.id]) {
      await settleSuspension(
        store.db,
        id,
        SETTLEMENT,
        'default',
        (of) => void all.push(...of.news),
      );
    }
    assert.deepEqual(
      all.map((row) => row.kind === 'suspension_settled' && [row.suspension_id, row.settlement]),
      [[record.id, SETTLEMENT]],
    );
    assert.deepEqual(await news(settledRow(record.id, 2)), []);
  });

  it('has nothing as news that another space keeps', async () => {
    const record = aRecord();
    await news(openedRow(randomUUID(), record));
    const [theirs] = await told([settledRow(record.id, 1)], 'team-b');
    assert.deepEqual([theirs?.news, theirs?.refused.length], [[], 1]);
    const settled = settledRow(record.id, 1);
    assert.deepEqual(await news(settled), [settled]);
  });

  it('has each row once, where one of them is refused', async () => {
    const event = anEvent();
    await told([{ kind: 'event', event }]);
    const record = aRecord();
    const opened = openedRow(event.intent_id, record);
    const other = { kind: 'event', event: { ...event, id: randomUUID() } } as const;
    const all = await told([opened, other]);
    assert.deepEqual(
      all.map(({ rows, refused, news: fresh }) => [rows, refused.length, fresh]),
      [
        [[opened], 0, [opened]],
        [[other], 1, []],
      ],
    );
  });
});
