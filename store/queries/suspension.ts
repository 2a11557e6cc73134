import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AnswerKey } from '../../contracts/journal.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { SuspensionRecord, TimelineEntry } from '../../contracts/suspension.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { journalWriter } from './upsert.js';

/** Formats an instant: the type parsers do not reach into a JSON aggregate. */
const AT = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The suspension and its timeline, read at one instant; undefined before its opening is stored. A settled
 * suspension has no next attempt, so its `next_attempt_at` is null.
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

/** The answer that settled a suspension, and the key by which a repetition of it is recognised. */
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

/** The opening fills its columns once. Progress and settlement may already be stored. */
export const openSuspensions = journalWriter({
  kind: 'suspension_opened',
  table: 'suspensions',
  key: ['id'],
  replaceWhile: sql`suspensions.schedule is null`,
  merge: {
    record: sql`excluded.record || suspensions.record`,
    max_attempts: unlessProgressed('max_attempts'),
    next_attempt_at: unlessProgressed('next_attempt_at'),
  },
  columns: ({ intent_id, asked_by, record, schedule }) => ({
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
  }),
});

function unlessProgressed(column: 'max_attempts' | 'next_attempt_at') {
  const [opened, current] = [sql.ref(`excluded.${column}`), sql.ref(`suspensions.${column}`)];
  return sql`case when suspensions.progress_revision < 0 then ${opened} else ${current} end`;
}

/** Which attempt a suspension has reached. */
export const progressSuspensions = journalWriter({
  kind: 'suspension_progress',
  table: 'suspensions',
  key: ['id'],
  version: ['progress_revision'],
  columns: ({ suspension_id, revision, attempt, max_attempts, next_attempt_at }) => ({
    id: suspension_id,
    progress_revision: revision,
    attempt,
    max_attempts,
    next_attempt_at,
  }),
});

/** How a suspension ended; the settlement completes its record. */
export const settleSuspensions = journalWriter({
  kind: 'suspension_settled',
  table: 'suspensions',
  key: ['id'],
  version: ['settled_revision'],
  merge: { record: sql`suspensions.record || excluded.record` },
  columns: ({ suspension_id, revision, settlement, answer }) => ({
    id: suspension_id,
    settled_revision: revision,
    state: 'settled' as const,
    resolution: settlement.resolution,
    settled_at: settlement.settled_at,
    answer_key: answer?.key ?? null,
    answer_body_hash: answer?.body_hash ?? null,
    record: toJsonText(settlement),
  }),
});

/** Timeline entries never change. */
export const writeTimeline = journalWriter({
  kind: 'timeline',
  table: 'suspension_timeline',
  key: ['suspension_id', 'sequence'],
  columns: ({ suspension_id, entry }) => ({
    suspension_id,
    sequence: entry.sequence,
    at: entry.at,
    kind: entry.kind,
    detail: toJsonText(entry.detail),
  }),
});
