import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AnswerKey } from '../../contracts/journal.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { oneById } from './upsert.js';
import type { RowOf } from './upsert.js';

/** Inside an aggregate no type parser applies. */
const AT = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The suspension with its timeline, of one instant; undefined where its opening has not been written.
 * Once settled, no attempt is due any more: `next_attempt_at` is null.
 */
export async function findSuspension(db: Store, id: string): Promise<SuspensionView | undefined> {
  const row = await db
    .selectFrom('suspensions')
    .select(['intent_id', 'asked_by', 'state', 'record', 'schedule'])
    .select(['attempt', 'max_attempts', 'next_attempt_at'])
    .select((eb) => [
      jsonArrayFrom(
        eb
          .selectFrom('suspension_timeline')
          .select(['sequence', AT.as('at'), 'kind', 'detail'])
          .whereRef('suspension_id', '=', 'suspensions.id')
          .orderBy('sequence'),
      ).as('timeline'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { intent_id, asked_by, schedule, ...rest } = row;
  if (asked_by === null || schedule === null) return undefined;
  const next_attempt_at = rest.state === 'settled' ? null : rest.next_attempt_at;
  return { ...rest, id, intent_id, asked_by, schedule, next_attempt_at };
}

/** The entries of a suspension's timeline, oldest first. */
export async function suspensionTimeline(db: Store, id: string): Promise<TimelineEntry[]> {
  return db
    .selectFrom('suspension_timeline')
    .select(['sequence', 'at', 'kind', 'detail'])
    .where('suspension_id', '=', id)
    .orderBy('sequence')
    .execute();
}

export interface StoredAnswer extends AnswerKey {
  readonly intent_id: string | null;
  readonly record: SuspensionRecord;
}

/** The answer that settled a suspension, under the key it came with (AM-47); undefined without one. */
export async function findAnswer(db: Store, id: string): Promise<StoredAnswer | undefined> {
  const row = await db
    .selectFrom('suspensions')
    .select(['intent_id', 'schedule', 'answer_key', 'answer_body_hash', 'record'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { intent_id, schedule, answer_key: key, answer_body_hash: body_hash, record } = row;
  if (schedule === null || key === null || body_hash === null) return undefined;
  return { intent_id, key, body_hash, record };
}

/** Fills the columns that stand from the opening on; what came before it is kept. */
export async function openSuspensions(
  db: Store,
  rows: readonly RowOf<'suspension_opened'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const first = oneById(
    rows,
    ({ record }) => record.id,
    () => false,
  );
  await db
    .insertInto('suspensions')
    .values(first.map(openedColumns))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          intent_id: eb.ref('excluded.intent_id'),
          asked_by: eb.ref('excluded.asked_by'),
          question: eb.ref('excluded.question'),
          response_type: eb.ref('excluded.response_type'),
          channel_hint: eb.ref('excluded.channel_hint'),
          suspended_at: eb.ref('excluded.suspended_at'),
          expires_at: eb.ref('excluded.expires_at'),
          schedule: eb.ref('excluded.schedule'),
          record: sql`excluded.record || suspensions.record`,
          max_attempts: unlessProgressed('max_attempts'),
          next_attempt_at: unlessProgressed('next_attempt_at'),
        }))
        .where('suspensions.schedule', 'is', null),
    )
    .execute();
}

function unlessProgressed<C extends 'max_attempts' | 'next_attempt_at'>(column: C) {
  const [opened, current] = [sql.ref(`excluded.${column}`), sql.ref(`suspensions.${column}`)];
  return sql<
    C extends 'max_attempts' ? number : string | null
  >`case when suspensions.progress_revision < 0 then ${opened} else ${current} end`;
}

function openedColumns({ intent_id, asked_by, record, schedule }: RowOf<'suspension_opened'>) {
  return {
    id: record.id,
    intent_id,
    asked_by: toText(asked_by),
    question: toText(record.question),
    response_type: record.response_type,
    channel_hint: record.channel_hint === undefined ? null : toText(record.channel_hint),
    suspended_at: record.suspended_at,
    expires_at: record.expires_at ?? null,
    schedule: toJsonText(schedule),
    record: toJsonText(record),
    max_attempts: Math.max(1, schedule.attempts.length),
    next_attempt_at: schedule.attempts[0]?.next_attempt_at ?? null,
  };
}

/** Writes where each suspension stands in its ladder, unless a higher revision of that is stored. */
export async function progressSuspensions(
  db: Store,
  rows: readonly RowOf<'suspension_progress'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('suspensions')
    .values(
      highestRevisions(rows).map((row) => ({
        id: row.suspension_id,
        progress_revision: row.revision,
        attempt: row.attempt,
        max_attempts: row.max_attempts,
        next_attempt_at: row.next_attempt_at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          progress_revision: eb.ref('excluded.progress_revision'),
          attempt: eb.ref('excluded.attempt'),
          max_attempts: eb.ref('excluded.max_attempts'),
          next_attempt_at: eb.ref('excluded.next_attempt_at'),
        }))
        .whereRef('suspensions.progress_revision', '<', 'excluded.progress_revision'),
    )
    .execute();
}

/** Adds each settlement to its record, unless a higher revision of it is stored. */
export async function settleSuspensions(
  db: Store,
  rows: readonly RowOf<'suspension_settled'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('suspensions')
    .values(highestRevisions(rows).map(settledColumns))
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({
          settled_revision: eb.ref('excluded.settled_revision'),
          state: eb.ref('excluded.state'),
          resolution: eb.ref('excluded.resolution'),
          settled_at: eb.ref('excluded.settled_at'),
          answer_key: eb.ref('excluded.answer_key'),
          answer_body_hash: eb.ref('excluded.answer_body_hash'),
          record: sql`suspensions.record || excluded.record`,
        }))
        .whereRef('suspensions.settled_revision', '<', 'excluded.settled_revision'),
    )
    .execute();
}

function settledColumns(row: RowOf<'suspension_settled'>) {
  return {
    id: row.suspension_id,
    settled_revision: row.revision,
    state: 'settled' as const,
    resolution: row.settlement.resolution,
    settled_at: row.settlement.settled_at,
    answer_key: row.answer?.key ?? null,
    answer_body_hash: row.answer?.body_hash ?? null,
    record: toJsonText(row.settlement),
  };
}

function highestRevisions<T extends { suspension_id: string; revision: number }>(
  rows: readonly T[],
): T[] {
  return oneById(
    rows,
    ({ suspension_id }) => suspension_id,
    (row, earlier) => row.revision > earlier.revision,
  );
}

/** Appends timeline entries; those stored before are left alone. */
export async function insertTimeline(db: Store, rows: readonly RowOf<'timeline'>[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('suspension_timeline')
    .values(
      rows.map(({ suspension_id, entry }) => ({
        suspension_id,
        sequence: entry.sequence,
        at: entry.at,
        kind: entry.kind,
        detail: toJsonText(entry.detail),
      })),
    )
    .onConflict((conflict) => conflict.columns(['suspension_id', 'sequence']).doNothing())
    .execute();
}
