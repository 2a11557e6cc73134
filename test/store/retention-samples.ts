import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { IntentStatus } from '../../contracts/intent.js';
import type { JournalRow } from '../../contracts/journal.js';
import { sealTimelineEntry } from '../../domain/suspension/timeline-seal.js';
import { writeRows } from '../../store/journal-writer.js';
import { recordDelivery, recordTry } from '../../store/queries/deliveries.js';
import { eraseClosedIntent } from '../../store/queries/erasure.js';
import { setAside } from '../../store/queries/quarantine.js';
import type { Store } from '../../store/schema.js';
import { logOfNotes } from '../support/events.js';
import { aRecord, anIntent, instant, openedRow, settledRow } from './rows.js';

/** The rows of an intent with a log, as its workflow hands them over. */
export function lived(length = 3, status: IntentStatus = 'completed', changes: object = {}) {
  const log = logOfNotes(length);
  const id = log[0]?.intent_id ?? assert.fail();
  const head_hash = log.at(-1)?.event_hash ?? null;
  const intent = anIntent({ id, status, updated_at: instant(length), ...changes });
  const events = log.map((event) => ({ kind: 'event', event }) as const);
  return {
    id,
    log,
    rows: [...events, { kind: 'intent', intent, last_sequence: length, head_hash } as const],
  };
}

/** The rows of a question; one that is settled has a timeline of its own. */
export function asked(intentId: string | null, state: 'settled' | 'pending' = 'settled') {
  const record = aRecord();
  const { id } = record;
  const opened = { ...openedRow(intentId ?? '', record), intent_id: intentId } as JournalRow;
  const entry = { sequence: 1, at: instant(1), kind: 'delivered', detail: {} } as const;
  const seal = sealTimelineEntry(id, entry, null, 'salt');
  const rows: JournalRow[] = [opened, { kind: 'timeline', suspension_id: id, entry, seal }];
  return { id, rows: state === 'settled' ? [...rows, settledRow(id, 1)] : rows };
}

/** A closed intent with something in every table that retention knows. */
export async function wholeLife(db: Store) {
  const intent = lived();
  const question = asked(intent.id);
  await writeRows(db, [...intent.rows, ...question.rows]);
  const delivery_id = `${question.id}:1:0`;
  await recordDelivery(db, {
    delivery_id,
    channel: 'console',
    reference: null,
    delivered_at: instant(1),
  });
  await recordTry(db, {
    delivery_id,
    at: instant(1),
    try_number: 1,
    channel: 'console',
    outcome: 'delivered',
    status_code: null,
    duration_ms: 3,
  });
  await setAside(db, intent.rows[0] ?? assert.fail(), 'conflict');
  await db
    .insertInto('feed_members')
    .values({ kind: 'agent', audience: 'agent-2', intent_id: intent.id })
    .execute();
  await db
    .insertInto('dependencies')
    .values({ intent_id: intent.id, dependency_id: randomUUID(), revision: 1, present: true })
    .execute();
  await eraseClosedIntent(db, intent.id, { by: 'root', actor: 'root', at: instant(9) });
  for (const [table, state] of [
    ['plans', 'state'],
    ['tasks', 'status'],
  ] as const) {
    await sql`
      insert into ${sql.table(table)}
        (id, intent_id, ${sql.ref(state)}, revision, created_at, record)
      values (${`${table} of ${intent.id}`}, ${intent.id}, 'completed', 1, now(), '{}')`.execute(
      db,
    );
  }
  await sql`
    insert into coordinators (id, version, intent_id, granted_at, record)
    values (${randomUUID()}, 1, ${intent.id}, now(), '{"status": "completed"}')`.execute(db);
  await sql`
    insert into subscriptions (id, intent_id, created_by, created_at, active, record)
    values (${randomUUID()}, ${intent.id}, 'agent-1', now(), false, '{}')`.execute(db);
  return { ...intent, question };
}
