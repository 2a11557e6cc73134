import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { JournalRow } from '../../contracts/log/journal.js';
import { verifyChain } from '../support/verified-chain.js';
import { erasedIntent } from '../../domain/intent/erasure.js';
import { erasedRecord, erasedSchedule } from '../../domain/suspension/record/erasure.js';
import { sealTimelineEntry } from '../../domain/log/seal.js';
import { readFeed } from '../../store/feed/source.js';
import { writeRows } from '../../store/journal-writer.js';
import { findCreation } from '../../store/queries/records.js';
import { recordDelivery } from '../../store/queries/work/deliveries.js';
import {
  eraseClosedIntent,
  eraseSuspension,
  findErasure,
  findSuspensionErasure,
} from '../../store/queries/erasure/erasure.js';
import { eventsInOrder } from '../../store/queries/event-log.js';
import { findIntent } from '../../store/queries/intent.js';
import { refusedRows, setAside } from '../../store/queries/work/quarantine.js';
import {
  findAnswer,
  findRequest,
  findSuspension,
  writeTimeline,
} from '../../store/queries/suspension.js';
import { together } from '../../store/together.js';
import { logOfNotes, loggedIn } from '../support/events.js';
import { partWith } from '../domain/approval/wires.js';
import { useStore } from '../support/store.js';
import { FATES, everythingIn } from './erasure-columns.js';
import { SCHEDULE, SETTLEMENT, aRecord, anIntent, instant, openedRow, settledRow } from './rows.js';

/** Stands in everything that is erased, hashes included. */
const DATA = 'ada@example.com';
const AT = instant(1_000);
const ORDER = { by: 'root', actor: 'root', at: AT };

/** An intent that was asked one question, with every row that the journal writes of it. */
function lived(length = 5) {
  const events = logOfNotes(length).map((event) => event);
  const [{ intent_id: id } = { intent_id: randomUUID() }] = events;
  const head_hash = events.at(-1)?.event_hash ?? null;
  const intent = anIntent({ id, title: DATA, description: DATA, state: { mail: DATA } });
  const record = aRecord({
    question: `Refund ${DATA}?`,
    context: { mail: DATA },
    channel_hint: DATA,
    timeout_seconds: 60,
  });
  const attempts = SCHEDULE.attempts.map((attempt) => ({
    ...attempt,
    channel_hint: DATA,
    notify_to: DATA,
    ladder: [{ attempt: attempt.attempt, channel_hint: DATA, notify_to: DATA }],
  }));
  const schedule = { ...SCHEDULE, attempts };
  const hash = { key: 'k', body_hash: `hash of ${DATA}` };
  const opened = { ...openedRow(id, record), schedule, request: hash } as JournalRow;
  const settlement = { ...SETTLEMENT, response: DATA, metadata: { note: DATA }, reason: DATA };
  const settled: JournalRow = {
    ...settledRow(record.id, 2),
    settlement,
    answer: hash,
    answers: [hash],
  };
  const vote = { responded_by: 'dana', value: DATA } as never;
  const progress: JournalRow = {
    kind: 'suspension_progress',
    suspension_id: record.id,
    revision: 1,
    attempt: 1,
    max_attempts: 3,
    next_attempt_at: null,
    votes: [vote],
    claim: { holder: DATA, claimed_at: AT, expires_at: AT },
    amended: { context: { mail: DATA } },
    approval: partWith({ prompt: DATA }),
  };
  const timeline = [1, 2].map((sequence): JournalRow => {
    const entry = { sequence, at: AT, kind: 'delivered', detail: { notify_to: DATA } } as const;
    const seal = sealTimelineEntry(record.id, entry, null, 'salt');
    return { kind: 'timeline', suspension_id: record.id, entry, seal };
  });
  const rows: JournalRow[] = [
    ...events.map((event) => ({ kind: 'event', event }) as const),
    opened,
    progress,
    settled,
    ...timeline,
    { kind: 'intent', intent, last_sequence: length, head_hash, creation_hash: `hash of ${DATA}` },
  ];
  return { id, events, intent, record, schedule, settlement, rows };
}
type Lived = ReturnType<typeof lived>;

/** The row of its erasure, with all that it has written so far. */
function erasureOf({ id, events: { length } }: Lived): JournalRow {
  return {
    kind: 'erasure',
    intent_id: id,
    erased_at: AT,
    erased_by: 'root',
    through_sequence: length,
    event_sequence: length + 1,
  };
}

describe('what the store forgets', () => {
  const store = useStore();
  const write = (...rows: readonly JournalRow[]) => writeRows(store.db, rows);

  /** All that is stored about an intent and its question, as text. */
  async function everything({ id, record }: Lived): Promise<string> {
    const texts = (await everythingIn(store.db)).map(([, text]) => text);
    return texts.filter((text) => text.includes(id) || text.includes(record.id)).join('\n');
  }

  async function erase({ id }: Lived, order = ORDER) {
    const ruling = await eraseClosedIntent(store.db, id, order);
    assert.ok(ruling?.ok, JSON.stringify(ruling));
    return ruling.value;
  }

  async function logOf({ id }: Lived) {
    return eventsInOrder(store.db, id, { upTo: 1_000, limit: 1_000 });
  }

  it('is decided for every column of every table', async () => {
    const { rows } = await sql<{ table_name: string; column_name: string }>`
      select c.table_name, c.column_name from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
        and c.table_name not like 'kysely_%'`.execute(store.db);
    const name = (table: string, column: string) => `${table}.${column}`;
    const stored = rows.map((row) => name(row.table_name, row.column_name)).sort();
    const listed = Object.entries(FATES).flatMap(([table, fates]) =>
      Object.values(fates)
        .flatMap((columns) => columns.split(' '))
        .map((column) => name(table, column)),
    );
    assert.deepEqual(listed.sort(), stored);
  });

  it('is gone from every row of an intent, and its chain is whole [R25-03]', async () => {
    const one = lived();
    await write(...one.rows);
    const delivery_id = `${one.record.id}:1`;
    const delivery = { delivery_id, channel: 'console', reference: DATA, delivered_at: AT };
    await recordDelivery(store.db, delivery);
    await setAside(store.db, one.rows[0] as JournalRow, '22P02');
    const [event] = one.events;
    const foreign = { ...event, payload: { mail: DATA } } as never;
    await setAside(store.db, { kind: 'event', event: foreign }, 'conflict');
    const asideIds = async () => {
      const { db } = store;
      const rows = await db.selectFrom('journal_quarantine').select(['id', 'intent_id']).execute();
      return rows.filter(({ intent_id }) => intent_id === one.id).map(({ id }) => id);
    };
    const hashes = await asideIds();
    assert.equal((await everything(one)).includes(DATA), true);

    const erasure = await erase(one);

    const left = await everything(one);
    assert.equal(left.includes(DATA), false, left);
    assert.equal((await asideIds()).length, 2);
    for (const id of await asideIds()) assert.equal(hashes.includes(id), false);
    assert.equal((await refusedRows(store.db, one.id)).length, 2);
    const log = await logOf(one);
    const report = verifyChain(log);
    assert.deepEqual([report.breaks, report.erased], [[], [1, 2, 3, 4, 5]]);
    const last = log.at(-1);
    assert.deepEqual(
      [last?.event_type, last?.principal, last?.created_at, last?.payload],
      ['personal_data_erased', 'root', AT, { through_sequence: 5 }],
    );
    assert.deepEqual(erasure, {
      intent_id: one.id,
      erased_at: AT,
      erased_by: 'root',
      through_sequence: 5,
      event_sequence: 6,
    });
    assert.deepEqual(await findErasure(store.db, one.id), erasure);
  });

  it('is gone from a long log, by statements that each touch a part of it', async () => {
    const { db } = store;
    const one = lived();
    await write(...one.rows);
    const rest = Object.keys(one.events[0] ?? {}).filter(
      (name) => !['id', 'sequence'].includes(name),
    );
    const columns = sql.join(rest.map((name) => sql.ref(name)));
    await sql`
      insert into events (id, sequence, ${columns})
      select gen_random_uuid(), n, ${columns} from events, generate_series(6, 12000) n
      where intent_id = ${one.id} and sequence = 5`.execute(db);
    await sql`
      create function refuse_many() returns trigger language plpgsql as $$
      begin
        if (select count(*) from touched) > 5000 then raise 'that many in one statement'; end if;
        return null;
      end $$`.execute(db);
    await sql`
      create trigger refuse_many after update on events referencing new table as touched
        for each statement execute function refuse_many()`.execute(db);
    const erasure = await erase(one);
    await sql`drop function refuse_many() cascade`.execute(db);
    assert.equal(erasure.through_sequence, 12_000);
    const left = await db
      .selectFrom('events')
      .select('sequence')
      .where('intent_id', '=', one.id)
      .where('payload_salt', 'is not', null)
      .execute();
    assert.deepEqual(left, [{ sequence: 12_001 }]);
  });

  it('leaves what the rules leave, whether the store or a workflow erases', async () => {
    const one = lived();
    await write(...one.rows);
    await erase(one);
    assert.deepEqual(await findIntent(store.db, one.id), erasedIntent(one.intent, AT));
    const view = await findSuspension(store.db, one.record.id);
    assert.deepEqual(view?.record, erasedRecord({ ...one.record, ...one.settlement }, AT));
    assert.deepEqual(view.schedule, erasedSchedule(one.schedule));
    assert.equal(await findAnswer(store.db, one.record.id, 'k'), undefined);
    const request = await findRequest(store.db, one.id, 'k');
    assert.deepEqual(request, { id: one.record.id, request_hash: null });
    assert.deepEqual(await findCreation(store.db, 'intents', one.id), { creation_hash: null });
    const feed = await readFeed(
      store.db,
      { kind: 'intent', id: one.id, space: 'default' },
      { after: 0, upTo: Number.MAX_SAFE_INTEGER, limit: 100 },
    );
    assert.deepEqual(
      feed.rows.map((entry) => loggedIn(entry).erased ?? false),
      [true, true, true, true, true, false],
    );
  });

  it('does not come back by any row that is written late, or once more', async () => {
    const one = lived();
    await write(...one.rows);
    await erase(one);
    const before = await everything(one);
    for (const row of one.rows) await write(row);
    await write(...one.rows);
    assert.equal(await everything(one), before);
    await setAside(store.db, one.rows.at(-1) as JournalRow, '22P02');
    const delivery_id = `${one.record.id}:2`;
    const late = { delivery_id, channel: 'console', reference: DATA, delivered_at: AT };
    await recordDelivery(store.db, late);
    assert.equal((await everything(one)).includes(DATA), false);
  });

  it('waits for a batch that is under way, and does not miss what that writes', async () => {
    const one = lived();
    const isTimeline = ({ kind }: JournalRow) => kind === 'timeline';
    await write(...one.rows.filter((row) => !isTimeline(row)));
    let erasing: Promise<unknown> = Promise.resolve();
    await store.db.transaction().execute(async (transaction) => {
      const late = writeTimeline(transaction, one.rows.filter(isTimeline), 'default');
      await together(transaction, late ? [late.query] : []);
      erasing = erase(one);
    });
    await erasing;
    assert.equal((await findSuspension(store.db, one.record.id))?.timeline.length, 2);
    assert.equal((await everything(one)).includes(DATA), false);
  });

  it('takes in the late rows of a question erased, which then reads as settled', async () => {
    const one = lived();
    const isLate = ({ kind }: JournalRow) => kind === 'suspension_settled' || kind === 'timeline';
    await write(...one.rows.filter((row) => !isLate(row)));
    const erasure = erasureOf(one);
    await write(erasure);
    await write(...one.rows.filter(isLate));
    const view = await findSuspension(store.db, one.record.id);
    assert.deepEqual([view?.state, view?.record.resolution], ['settled', 'responded']);
    assert.deepEqual(
      view?.timeline.map(({ detail }) => detail),
      [{}, {}],
    );
    assert.equal((await everything(one)).includes(`Refund ${DATA}`), false);
  });

  it('does not reach what comes after it, in one batch or when the batch is repeated', async () => {
    const one = lived();
    await write(...one.rows);
    const next = aRecord({ question: `Refund ${DATA} again?` });
    const erasure = erasureOf(one);
    const batch = [erasure, openedRow(one.id, next)];
    await write(...batch);
    await write(...batch);
    await write(erasure);
    assert.equal((await findSuspension(store.db, next.id))?.record.question, next.question);
    assert.equal(await findSuspensionErasure(store.db, next.id), undefined);
    assert.equal((await findSuspension(store.db, one.record.id))?.record.question, '[erased]');
  });

  it('does not reach a question that was asked after it and is stored before it', async () => {
    const one = lived();
    await write(...one.rows);
    const since = { suspended_at: instant(1_001), question: `Refund ${DATA} again?` };
    const [open, ended] = [aRecord(since), aRecord(since)];
    const settled = settledRow(ended.id, 2);
    const settlement = { ...settled.settlement, settled_at: instant(1_002) };
    await write(openedRow(one.id, open), openedRow(one.id, ended), { ...settled, settlement });
    await write(erasureOf(one));
    for (const { id, question } of [open, ended]) {
      assert.equal((await findSuspension(store.db, id))?.record.question, question);
      assert.equal(await findSuspensionErasure(store.db, id), undefined);
    }
    assert.equal((await findSuspension(store.db, one.record.id))?.record.question, '[erased]');
  });

  it('is erased once, however often that is ordered', async () => {
    const one = lived();
    await write(...one.rows);
    const first = await erase(one);
    assert.deepEqual(await erase(one, { ...ORDER, by: 'other', at: instant(2_000) }), first);
    assert.equal((await logOf(one)).length, 6);
  });

  it('is not erased while a question is open, nor of an intent that is not there', async () => {
    const one = lived();
    await write(...one.rows.filter(({ kind }) => kind !== 'suspension_settled'));
    const before = await everything(one);
    const ruling = await eraseClosedIntent(store.db, one.id, ORDER);
    assert.equal(ruling?.ok === false && ruling.refusal.code, 'question_open');
    assert.equal(await everything(one), before);
    const single = await eraseSuspension(store.db, one.record.id, ORDER);
    assert.equal(single?.ok === false && single.refusal.field, 'state');
    assert.equal(await eraseClosedIntent(store.db, randomUUID(), ORDER), undefined);
    assert.equal(await eraseSuspension(store.db, randomUUID(), ORDER), undefined);
  });

  it('is gone from a question alone, which other questions outlive', async () => {
    const [one, other] = [lived(), lived()];
    await write(...one.rows, ...other.rows);
    const ruling = await eraseSuspension(store.db, one.record.id, ORDER);
    assert.deepEqual(ruling, {
      ok: true,
      value: { suspension_id: one.record.id, erased_at: AT, erased_by: 'root' },
    });
    const later = { ...ORDER, at: instant(2_000) };
    assert.deepEqual(await eraseSuspension(store.db, one.record.id, later), ruling);
    assert.equal((await findSuspension(store.db, one.record.id))?.record.question, '[erased]');
    const { question } = other.record;
    assert.equal((await findSuspension(store.db, other.record.id))?.record.question, question);
  });
});
