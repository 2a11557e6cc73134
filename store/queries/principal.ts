import { sql } from 'kysely';
import type { Caller } from '../../contracts/caller.js';
import { toText } from '../column-values.js';
import type { Store } from '../schema.js';

/** A principal: the same name in another space is somebody else. */
export type Named = Pick<Caller, 'space' | 'principal'>;

/** Who can sign in, as an API process knows it. */
export interface SigningIn {
  /** Whoever has a valid key. */
  readonly byKey: readonly Named[];
  /** Whoever has sent a valid token since the last time. */
  readonly byToken: readonly Named[];
}

/**
 * Notes who can sign in. A principal that had a key, has none now and has sent no token since is disabled. One that
 * never had a key is not known here, and never disabled.
 */
export async function noteSigningIn(db: Store, { byKey, byToken }: SigningIn): Promise<void> {
  const keys = pairs(byKey);
  const tokens = pairs(byToken);
  await sql`
    insert into key_principals (space, principal, signs_in_by)
    select space, principal, 'key' from ${keys} as named (space, principal)
    on conflict (space, principal) do update set signs_in_by = 'key'
      where key_principals.signs_in_by <> 'key'`.execute(db);
  await sql`
    update key_principals set signs_in_by =
      case when (space, principal) in (select * from ${tokens}) then 'token' else 'nothing' end
    where (signs_in_by = 'key' and (space, principal) not in (select * from ${keys}))
      or (signs_in_by = 'nothing' and (space, principal) in (select * from ${tokens}))`.execute(db);
}

function pairs(named: readonly Named[]) {
  const spaces = named.map(({ space }) => toText(space));
  const principals = named.map(({ principal }) => toText(principal));
  return sql`unnest(${spaces}::text[], ${principals}::text[])`;
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
