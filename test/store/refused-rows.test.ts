import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { JournalRow } from '../../contracts/journal.js';
import { writeRows } from '../../store/journal-writer.js';
import { listEvents } from '../../store/queries/event-log.js';
import { findIntent } from '../../store/queries/intent.js';
import { refusedRows } from '../../store/queries/quarantine.js';
import { findSuspension } from '../../store/queries/suspension.js';
import { withStore } from '../support/store.js';
import type { TestStore } from '../support/store.js';
import { aRecord, anEvent, anIntent, openedRow, settledRow, timelineRow } from './rows.js';

const PAGE = { limit: 10, offset: 0 };

describe('rows that the store refuses for good', () => {
  let store: TestStore;
  before(async () => {
    store = await withStore();
  });
  after(() => store.close());
  const write = (...rows: JournalRow[]) => writeRows(store.db, rows);

  /** What is set aside of an intent: kind, number and reason. */
  async function aside(intentId: string) {
    const rows = await refusedRows(store.db, intentId);
    return rows.map(({ kind, sequence, reason }) => [kind, sequence, reason]);
  }

  it('are set aside, and hold up no row behind them', async () => {
    const intent = anIntent();
    const event = anEvent({ intent_id: intent.id });
    await write({ kind: 'event', event });
    const other = { ...event, id: randomUUID() };
    const next = anEvent({ intent_id: intent.id, sequence: 2 });
    const refused = await write(
      { kind: 'event', event: other },
      { kind: 'event', event: next },
      { kind: 'intent', intent, last_sequence: 2 },
    );
    assert.deepEqual(
      refused.map(({ sequence, reason }) => [sequence, reason]),
      [[1, 'conflict']],
    );
    assert.deepEqual((await listEvents(store.db, intent.id, PAGE)).rows, [next, event]);
    assert.deepEqual(await findIntent(store.db, intent.id), intent);
    assert.deepEqual(await aside(intent.id), [['event', 1, 'conflict']]);
  });

  it('keep the first of two events with one number', async () => {
    const event = anEvent();
    const other = { ...event, id: randomUUID() };
    await write({ kind: 'event', event }, { kind: 'event', event: other });
    assert.deepEqual((await listEvents(store.db, event.intent_id, PAGE)).rows, [event]);
    assert.deepEqual(await aside(event.intent_id), [['event', 1, 'conflict']]);
  });

  it('are those with data that no column takes, with a missing value, and beyond a limit', async () => {
    const intent = anIntent();
    const of = (sequence: number, changes: object): JournalRow => ({
      kind: 'event',
      event: { ...anEvent({ intent_id: intent.id, sequence }), ...changes },
    });
    await write(
      of(1, { created_at: 'no instant' }),
      of(2, { sequence: 2 ** 31 }),
      of(3, { id: null }),
      of(4, { event_type: Array.from({ length: 400 }, () => randomUUID()).join('') }),
      of(5, {}),
    );
    const stored = (await listEvents(store.db, intent.id, PAGE)).rows;
    assert.deepEqual(
      stored.map(({ sequence }) => sequence),
      [5],
    );
    const reasons = (await aside(intent.id)).map(([, , reason]) => reason);
    assert.deepEqual(reasons.toSorted(), ['22003', '22007', '23502', '54000']);
  });

  it('are kept whole, once however often the batch comes', async () => {
    const event = anEvent({ created_at: 'never', actor: 'half \ud800 and \u0000' });
    const row: JournalRow = { kind: 'event', event };
    await write(row, { kind: 'event', event: anEvent({ intent_id: event.intent_id }) });
    await write(row, { kind: 'event', event: anEvent({ intent_id: randomUUID() }) });
    const kept = await store.db
      .selectFrom('journal_quarantine')
      .select('content')
      .where('intent_id', '=', event.intent_id)
      .execute();
    assert.deepEqual(
      kept.map(({ content }) => JSON.parse(content) as JournalRow),
      [row],
    );
  });

  it('belong to the intent of their question', async () => {
    const intent = anIntent();
    const record = aRecord();
    const entry = timelineRow(record.id, 1);
    assert.equal(entry.kind, 'timeline');
    const bad: JournalRow = { ...entry, entry: { ...entry.entry, at: 'later' } };
    await write(openedRow(intent.id, record), bad, settledRow(record.id, 1));
    assert.equal((await findSuspension(store.db, record.id))?.state, 'settled');
    assert.deepEqual(await aside(intent.id), [['timeline', null, '22007']]);
  });

  it('are not those that a database without its tables refuses', async () => {
    const event = anEvent();
    await sql`alter table events rename to events_away`.execute(store.db);
    try {
      await assert.rejects(write({ kind: 'event', event }), /events/);
    } finally {
      await sql`alter table events_away rename to events`.execute(store.db);
    }
    assert.deepEqual(await aside(event.intent_id), []);
    await write({ kind: 'event', event });
    assert.deepEqual((await listEvents(store.db, event.intent_id, PAGE)).rows, [event]);
  });
});
