import type { Announcement } from '../../contracts/announcement.js';
import { announcementOf } from '../../domain/announcement.js';
import type { Store } from '../schema.js';

/**
 * An intent as its observers would be told, for one whose workflow is gone; undefined where it is not in the
 * store. Its last question is one that has a row of its own.
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
