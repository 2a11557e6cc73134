import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { AnswerKey } from '../../contracts/journal.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import type { TimelineEntry } from '../../contracts/timeline.js';
import type { Store } from '../schema.js';

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
