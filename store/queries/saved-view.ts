import { sql } from 'kysely';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { SavedView } from '../../contracts/suspension/saved-view.js';
import { lockAlone } from '../advisory-locks.js';
import { toJsonText, toText } from '../column-values.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';

/** The person whose views they are. */
interface Owner {
  readonly space: string;
  readonly by: string;
}

/** Returns the views that a person has saved, by name. */
export async function listSavedViews(db: Store, by: string): Promise<readonly SavedView[]> {
  return db
    .selectFrom('saved_views')
    .select(['id', 'name', 'filter', 'saved_at'])
    .where('principal', '=', toText(by))
    .orderBy(sql`lower(name)`)
    .orderBy('name')
    .execute();
}

/**
 * Stores a view of a person in the place of the one with its id. Stores nothing if another view of the person has the name, or if
 * it would be one more than the limit.
 */
export async function putSavedView(
  db: Store,
  { space, by }: Owner,
  { id, name, filter, saved_at }: SavedView,
): Promise<'saved' | 'name taken' | 'too many'> {
  const principal = toText(by);
  return wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      await lockAlone(transaction, 'views');
      const others = await transaction
        .selectFrom('saved_views')
        .select('name')
        .where('space', '=', space)
        .where('principal', '=', principal)
        .where('id', '<>', id)
        .execute();
      if (others.some((other) => other.name === name)) return 'name taken';
      if (others.length >= LIMITS.savedViews) return 'too many';
      const values = { name: toText(name), filter: toJsonText(filter), saved_at };
      await transaction
        .insertInto('saved_views')
        .values({ space, principal, id, ...values })
        .onConflict((conflict) =>
          conflict.columns(['space', 'principal', 'id']).doUpdateSet(values),
        )
        .execute();
      return 'saved';
    });
}

/** Deletes a view of a person, if there is one with this id. */
export async function deleteSavedView(db: Store, { space, by }: Owner, id: string): Promise<void> {
  await wholeStore(db)
    .deleteFrom('saved_views')
    .where('space', '=', space)
    .where('principal', '=', toText(by))
    .where('id', '=', id)
    .execute();
}
