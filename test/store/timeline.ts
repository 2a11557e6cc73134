import type { Store } from '../../store/schema.js';

/** The entries of a suspension's timeline, oldest first. */
export function timelineOf(db: Store, id: string) {
  return db
    .selectFrom('suspension_timeline')
    .select(['sequence', 'at', 'kind', 'detail'])
    .where('suspension_id', '=', id)
    .orderBy('sequence')
    .execute();
}
