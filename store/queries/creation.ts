import type { Store } from '../schema.js';

/** The tables whose rows may have been created under an Idempotency-Key. */
export type CreatedTable =
  'coordinators' | 'intents' | 'plans' | 'portfolios' | 'subscriptions' | 'tasks';

/** What the store knows of a creation; the hash is null if it was made without a key. */
export interface StoredCreation {
  readonly creation_hash: string | null;
}

/** How something was created, or undefined if it is not stored: one read by primary key. */
export async function findCreation(
  db: Store,
  table: CreatedTable,
  id: string,
): Promise<StoredCreation | undefined> {
  return db.selectFrom(table).select('creation_hash').where('id', '=', id).executeTakeFirst();
}
