import { sql } from 'kysely';
import { toText } from '../column-values.js';
import type { Store } from '../schema.js';

/** Who can sign in, as an API process knows it. */
export interface SigningIn {
  /** Whoever has a valid key. */
  readonly byKey: readonly string[];
  /** Whoever has sent a valid token since the last time. */
  readonly byToken: readonly string[];
}

/**
 * Notes who can sign in. A principal that had a key, has none now and has sent no token since is disabled. One that
 * never had a key is not known here, and never disabled.
 */
export async function noteSigningIn(db: Store, { byKey, byToken }: SigningIn): Promise<void> {
  const keys = byKey.map(toText);
  await sql`
    insert into key_principals (principal, signs_in_by)
    select unnest(${keys}::text[]), 'key'
    on conflict (principal) do update set signs_in_by = 'key'
      where key_principals.signs_in_by <> 'key'`.execute(db);
  await sql`
    update key_principals set signs_in_by =
      case when principal = any(${byToken.map(toText)}::text[]) then 'token' else 'nothing' end
    where (signs_in_by = 'key' and principal <> all(${keys}::text[]))
      or (signs_in_by = 'nothing' and principal = any(${byToken.map(toText)}::text[]))`.execute(db);
}

/** Whether somebody had a key and can no longer sign in. */
export async function isDisabled(db: Store, principal: string): Promise<boolean> {
  const row = await db
    .selectFrom('key_principals')
    .select('signs_in_by')
    .where('principal', '=', toText(principal))
    .executeTakeFirst();
  return row?.signs_in_by === 'nothing';
}
