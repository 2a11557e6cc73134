import type { Announcement } from '../../contracts/announcement.js';
import type { Intent, IntentStatus } from '../../contracts/intent.js';
import { announcementOf } from '../../domain/graph/announcement.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { journalWriter } from './upsert.js';

/** The intent, or undefined. */
export async function findIntent(db: Store, id: string): Promise<Intent | undefined> {
  const row = await db
    .selectFrom('intents')
    .select('record')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.record;
}

export interface IntentListOptions {
  readonly limit: number;
  readonly offset: number;
  readonly status?: string | undefined;
}

/** A page of intents, newest first. */
export async function listIntents(db: Store, options: IntentListOptions): Promise<Intent[]> {
  const { limit, offset, status } = options;
  const all = db.selectFrom('intents').select('record');
  // Callers may ask for any text; a text that is no status finds nothing.
  const filtered =
    status === undefined ? all : all.where('status', '=', toText(status) as IntentStatus);
  const rows = await filtered
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ record }) => record);
}

/**
 * The announcement of an intent whose workflow is gone; undefined if the intent is not stored. It contains
 * the latest question of the intent that has its own row.
 */
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
  return announcementOf(record, { last_sequence, question, held_upstream: false, holds: 0 });
}

export const writeIntents = journalWriter({
  kind: 'intent',
  table: 'intents',
  key: ['id'],
  version: ['version', 'last_sequence'],
  columns: ({ intent, last_sequence, head_hash }) => ({
    id: intent.id,
    version: intent.version,
    status: intent.status,
    title: toText(intent.title),
    created_by: toText(intent.created_by),
    created_at: intent.created_at,
    updated_at: intent.updated_at,
    last_sequence,
    head_hash: head_hash ?? null,
    record: toJsonText(intent),
  }),
});
