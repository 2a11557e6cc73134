import { sql } from 'kysely';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { SavedView } from '../../../contracts/suspension/personal.js';
import { lockAlone } from '../../advisory-locks.js';
import { toJsonText, toText } from '../../column-values.js';
import { wholeStore } from '../../in-space.js';
import type { Store } from '../../schema.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { QuietHours } from '../../../contracts/people/noticing.js';

interface Owner {
  readonly space: string;
  readonly by: string;
}

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
 * Stores a view of a person in place of the one with its id. Stores nothing if another view has the name, or above
 * the limit.
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

export async function deleteSavedView(db: Store, { space, by }: Owner, id: string): Promise<void> {
  await wholeStore(db)
    .deleteFrom('saved_views')
    .where('space', '=', space)
    .where('principal', '=', toText(by))
    .where('id', '=', id)
    .execute();
}

type Person = Pick<Caller, 'space' | 'principal'>;

/** Returns the quiet hours of a person; undefined if there are none. */
export async function quietHoursOf(
  db: Store,
  { space, principal }: Person,
): Promise<QuietHours | undefined> {
  const found = await db
    .selectFrom('quiet_hours')
    .select('hours')
    .where('space', '=', toText(space))
    .where('principal', '=', toText(principal))
    .executeTakeFirst();
  return found?.hours;
}

/** Sets the quiet hours of a person; null for none. Pushes that earlier quiet hours delayed are judged anew. */
export async function setQuietHours(
  db: Store,
  { space, principal }: Person,
  hours: QuietHours | null,
  at: string,
): Promise<void> {
  const store = wholeStore(db);
  const named = { space: toText(space), principal: toText(principal) };
  if (hours === null) {
    await store
      .deleteFrom('quiet_hours')
      .where('space', '=', named.space)
      .where('principal', '=', named.principal)
      .execute();
  } else {
    const text = toJsonText(hours);
    await store
      .insertInto('quiet_hours')
      .values({ ...named, hours: text })
      .onConflict((conflict) =>
        conflict.columns(['space', 'principal']).doUpdateSet({ hours: text }),
      )
      .execute();
  }
  await sql`
    update push_subscriptions set send_at = ${at}::timestamptz
    where send_at > ${at}::timestamptz and tries = 0
      and space = ${named.space} and caller ->> 'principal' = ${named.principal}`.execute(store);
}
