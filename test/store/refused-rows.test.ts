import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ApprovalStatus } from '../../contracts/constants/approvals.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { Settlement } from '../../contracts/suspension/suspension.js';
import { erasedSuspensionRow } from '../../domain/suspension/record/erasure.js';
import { writeRows } from '../../store/journal-writer.js';
import { findApproval } from '../../store/queries/approval.js';
import { listEvents } from '../../store/queries/event-log.js';
import { findIntent } from '../../store/queries/intent.js';
import { refusedRows } from '../../store/queries/work/quarantine.js';
import { findSuspension } from '../../store/queries/suspension.js';
import { useStore } from '../support/store.js';
import { approvalOf } from './retention-samples.js';
import { aRecord, anEvent, anIntent, instant, openedRow, settledRow, timelineRow } from './rows.js';

const PAGE = { limit: 10, offset: 0 };

describe('rows that the store refuses for good', () => {
  const store = useStore();
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

  describe('because they have another outcome than the stored one', () => {
    const other: Settlement = {
      resolution: 'expired',
      settled_by: 'clock',
      settled_at: instant(500),
    };
    for (const [revision, age] of [
      [1, 'an older'],
      [7, 'a newer'],
    ] as const) {
      it(`leave the answer as it is: ${age} row`, async () => {
        const intent = anIntent();
        const record = aRecord();
        await write(openedRow(intent.id, record), settledRow(record.id, 4));
        const before = await findSuspension(store.db, record.id);
        const late = { ...settledRow(record.id, revision), settlement: other };
        const [refused] = await write(late, timelineRow(record.id, 9));
        assert.equal(refused?.reason, 'outcome_replaced');
        const { timeline: _before, ...stored } = before ?? assert.fail();
        const { timeline, ...now } = (await findSuspension(store.db, record.id)) ?? assert.fail();
        assert.deepEqual([now, timeline.length], [stored, 1]);
        assert.deepEqual(await aside(intent.id), [
          ['suspension_settled', null, 'outcome_replaced'],
        ]);
      });
    }

    it('are not those that repeat it, or tell more of it', async () => {
      const record = aRecord();
      const row = settledRow(record.id, 4);
      const settlement = { ...row.settlement, settled_at: instant(700), comment: 'as agreed' };
      assert.deepEqual(await write(openedRow(randomUUID(), record), row), []);
      for (const revision of [2, 4, 5])
        assert.deepEqual(await write({ ...row, revision, settlement }), []);
      const stored = await findSuspension(store.db, record.id);
      assert.equal(stored?.record.comment, 'as agreed');
    });

    it('are not those from which an erasure has taken the answer', async () => {
      const record = aRecord();
      const row = settledRow(record.id, 4);
      const erased = erasedSuspensionRow({ ...row, revision: 5 }, instant(800));
      await write(openedRow(randomUUID(), record), row);
      assert.deepEqual(await write(erased), []);
    });

    it('are those with another answer, or of another person', async () => {
      const record = aRecord();
      const row = settledRow(record.id, 4);
      await write(openedRow(randomUUID(), record), row);
      for (const change of [{ response: 'something else' }, { responded_by: 'somebody-else' }]) {
        const settlement = { ...row.settlement, ...change };
        const refused = await write({ ...row, revision: 5, settlement });
        assert.deepEqual(
          refused.map(({ reason }) => reason),
          ['outcome_replaced'],
        );
      }
    });

    it('are those of a decided approval, which may still fail', async () => {
      const { view } = approvalOf({});
      const decided = (status: ApprovalStatus, revision: number): JournalRow => ({
        kind: 'approval',
        approval: { ...view, status },
        proposed: view.proposal,
        revision,
      });
      assert.deepEqual(await write(decided('pending', 1)), []);
      assert.deepEqual(await write(decided('approved', 2)), []);
      for (const revision of [2, 3]) {
        const [refused] = await write(decided('expired', revision));
        assert.equal(refused?.reason, 'outcome_replaced');
      }
      for (const row of [decided('failed', 4), decided('approved', 2), decided('pending', 1)])
        assert.deepEqual(await write(row), []);
      assert.equal((await findApproval(store.db, view.approval_id))?.status, 'failed');
    });
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
