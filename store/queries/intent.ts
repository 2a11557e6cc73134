import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../contracts/intent/access.js';
import { toJsonText, toText } from '../column-values.js';
import type { Announcement } from '../../contracts/graph/announcement.js';
import type { Intent, IntentSummary } from '../../contracts/intent/intent.js';
import { announcementOf } from '../../domain/graph/announcement.js';
import { guardFor } from '../../domain/policy/access-list.js';
import type { Store } from '../schema.js';
import { isAny, type Form, type Page } from './bounded.js';
import { findRecord, listLarge } from './records.js';
import { journalWriter } from './upsert.js';

/**
 * Whether a reader may read an intent: `accessOf` of `domain/policy`, in SQL. Without a reader it is always true.
 *
 * @param intents - the name of the table of intents in the query
 */
export function readableBy(reader: Reader | undefined, intents = 'intents'): RawBuilder<boolean> {
  if (reader === undefined) return sql<boolean>`true`;
  const { own = false } = reader;
  const principal = toText(reader.principal);
  const groups = reader.groups.map(toText);
  const of = (column: string) => sql.ref(`${intents}.${column}`);
  return sql<boolean>`(
    ${of('owner')} is not distinct from ${principal}
    or (not ${own}::boolean and ${of('access')} ->> 'default_policy' is distinct from 'closed')
    or exists (
      select from jsonb_array_elements(${of('access')} -> 'entries') entry
      where (
        case entry ->> 'principal_type' when 'group' then entry ->> 'principal_id' = any(${groups}::text[])
        else entry ->> 'principal_id' = ${principal} end
      ) and (entry ->> 'expires_at' is null or (entry ->> 'expires_at')::timestamptz > now())
    )
    or exists (
      select from suspensions question
      where question.intent_id = ${of('id')} and question.state = 'pending'
        and question.asked_by = ${principal}
    )
  )`;
}

export function findIntent(db: Store, id: string): Promise<Intent | undefined> {
  return findRecord(db, 'intents', id);
}

export interface IntentListOptions extends Page {
  /** Any text; an unknown status finds nothing. */
  readonly status?: string | undefined;
  /** Leaves out the intents that this reader may not read. */
  readonly reader?: Reader | undefined;
}

/** Returns a page of intents, newest first. */
export function listIntents(
  db: Store,
  { status, reader, ...page }: IntentListOptions,
): Promise<Form<Intent, IntentSummary>> {
  const only = reader && readableBy(reader);
  return listLarge(db, 'intents', { ...page, first: 'newest', where: { status }, only });
}

export function asksOpenQuestion(db: Store, intentId: string, principal: string): Promise<boolean> {
  const question = sql`
    select from suspensions where intent_id = ${intentId} and state = 'pending'
      and asked_by = ${toText(principal)} limit 1`;
  return isAny(db, question);
}

/** Returns the announcement of an intent whose workflow is gone, with its latest stored question; undefined if not stored. */
export async function storedAnnouncement(
  db: Store,
  intentId: string,
): Promise<Announcement | undefined> {
  const row = await db
    .selectFrom('intents')
    .select(['record', 'last_sequence'])
    .where('id', '=', intentId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const question = await db
    .selectFrom('suspensions')
    .select(['id as suspension_id', 'attempt'])
    .where('intent_id', '=', intentId)
    .orderBy('suspended_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { record, last_sequence } = row;
  const guard = guardFor(record);
  return announcementOf(record, { last_sequence, question, held_upstream: false, holds: 0, guard });
}

export const writeIntents = journalWriter({
  kind: 'intent',
  table: 'intents',
  version: ['version', 'last_sequence'],
  columns: ({ intent, last_sequence, head_hash, creation_hash }) => ({
    id: intent.id,
    version: intent.version,
    status: intent.status,
    title: toText(intent.title),
    created_by: toText(intent.created_by),
    created_at: intent.created_at,
    updated_at: intent.updated_at,
    last_sequence,
    head_hash: head_hash ?? null,
    creation_hash: creation_hash ?? null,
    record: toJsonText(intent),
  }),
});
