import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { writeRows } from '../../store/journal-writer.js';
import { storeFigures } from '../../store/queries/figures.js';
import { setAside } from '../../store/queries/work/quarantine.js';
import { useStore } from '../support/store.js';
import { PAUSE, aRecord, anEvent, openedRow, progressRow, settledRow } from './rows.js';

const CHANNELS = { names: ['console', 'night'], usual: 'night' };
const HOUR_MS = 3_600_000;

/** An instant so many hours from now. */
const hours = (count: number): string => new Date(Date.now() + count * HOUR_MS).toISOString();

describe('the figures of the store', () => {
  const store = useStore();

  /** Opens a question that was asked some hours ago and reminds and expires at these hours. */
  async function open(
    space: string,
    asked: number,
    due: {
      readonly next: number | null;
      readonly expires: number | null;
      readonly attempt?: number;
    },
    changes: Partial<SuspensionRecord> = {},
  ): Promise<SuspensionRecord> {
    const { expires_at: _none, ...record } = aRecord({ suspended_at: hours(-asked), ...changes });
    const expires = due.expires === null ? {} : { expires_at: hours(due.expires) };
    const opened = openedRow(randomUUID(), { ...record, ...expires });
    const next_attempt_at = due.next === null ? null : hours(due.next);
    const progress = { ...progressRow(record.id, 1, due.attempt ?? 1), next_attempt_at };
    await writeRows(store.db, [opened, progress], space);
    return record;
  }

  it('are all zero of an empty store', async () => {
    const empty = { questions: [], refused_rows: 0, newest_position: 0 };
    assert.deepEqual(await storeFigures(store.db, CHANNELS), empty);
  });

  it('count open questions of all spaces by channel and state', async () => {
    await open('default', 5, { next: 1, expires: 2 });
    await open('other-space', 9, { next: -1, expires: 2 });
    await open('default', 1, { next: null, expires: null });
    await open('default', 1, { next: 1, expires: 2, attempt: 2 });
    await open('default', 1, { next: -1, expires: 2, attempt: 3 });
    await open('other-space', 1, { next: null, expires: null, attempt: 3 });
    await open('default', 2, { next: null, expires: -1 }, { channel_hint: 'pigeon' });
    await open('default', 3, { next: 1, expires: null }, { channel_hint: "'; drop table x" });
    const { channel_hint: _none, ...hintless } = aRecord({ suspended_at: hours(-4) });
    await writeRows(store.db, [openedRow(randomUUID(), hintless)], 'default');
    await open('default', 20, { next: null, expires: -1 }, { pause: PAUSE });
    const settled = await open('default', 100, { next: -99, expires: -98 });
    await writeRows(store.db, [settledRow(settled.id, 1)], 'default');
    // Its opening has not arrived.
    await writeRows(store.db, [progressRow(randomUUID(), 1, 1)], 'default');

    const { questions } = await storeFigures(store.db, CHANNELS);
    assert.deepEqual(
      questions.map(({ channel, waiting, reminded, overdue, oldest_seconds }) => [
        channel,
        waiting,
        reminded,
        overdue,
        Math.floor(oldest_seconds / 3_600),
      ]),
      [
        ['console', 2, 2, 2, 9],
        ['night', 0, 0, 1, 4],
        ['other', 1, 0, 1, 3],
      ],
    );
  });

  it('tell the newest event and the refused rows', async () => {
    const intent_id = randomUUID();
    const events = [1, 2].map((sequence) => ({
      kind: 'event' as const,
      event: anEvent({ intent_id, sequence }),
    }));
    await writeRows(store.db, events, 'default');
    const [first] = events;
    assert.ok(first);
    await setAside(store.db, first, 'conflict', 'other-space');
    const { refused_rows, newest_position } = await storeFigures(store.db, CHANNELS);
    const newest = await store.db
      .selectFrom('events')
      .select('feed_position')
      .where('sequence', '=', 2)
      .executeTakeFirstOrThrow();
    assert.deepEqual([refused_rows, newest_position], [1, Number(newest.feed_position)]);
  });
});
