import { sql } from 'kysely';
import type { Caller } from '../../contracts/people/caller.js';
import type { QuietHours } from '../../contracts/people/quiet-hours.js';
import { toJsonText, toText } from '../column-values.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';

/** Whose quiet hours they are. */
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

/** Sets the quiet hours of a person; null for none. What was held back by others is looked at anew. */
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
