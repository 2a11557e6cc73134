import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Caller } from '../../contracts/people/caller.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { Sight } from '../../contracts/subscription/subscription.js';
import { hashJson } from '../../domain/kernel/hashing.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';
import { transactTogether } from '../together.js';

/** A principal: the same name in another space is somebody else. */
type Named = Pick<Caller, 'space' | 'principal'>;

/** A principal that can sign in by a key or a token, and the events that it may then see. */
export interface Sighted extends Named {
  /** Null if it may see none. */
  readonly sight: Sight | null;
  /** When the key or the token ends, in milliseconds since the epoch; Infinity for never. */
  readonly until: number;
}

/** The last instant that the store accepts, in milliseconds. Issuers that mean "never" give later ones. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Principals that can sign in, as an API process knows them. */
interface SigningIn {
  /** The holders of valid keys, once for each key. */
  readonly byKey: readonly Sighted[];
  /** Principals that have sent a valid token since the last call, once for each sight; the newest comes last. */
  readonly byToken: readonly Sighted[];
}

/**
 * Records who can sign in, and what they may see. A principal that had a key, has none now and has sent no token since is
 * disabled; one that never had a key never is. The sight of a token stays until a later token shows something else.
 */
export async function noteSigningIn(db: Store, { byKey, byToken }: SigningIn): Promise<void> {
  const [keys, tokens] = [pairs(byKey), pairs(byToken)];
  const statements = [
    // Two processes that record at once do so one after the other.
    sql`lock table key_principals in share row exclusive mode`,
    sql`
      insert into key_principals (space, principal, signs_in_by)
      select distinct space, principal, 'key' from ${keys} as named (space, principal)
      on conflict (space, principal) do update set signs_in_by = 'key'
        where key_principals.signs_in_by <> 'key'`,
    sql`
      update key_principals set signs_in_by =
        case when (space, principal) in (select * from ${tokens}) then 'token' else 'nothing' end
      where (signs_in_by = 'key' and (space, principal) not in (select * from ${keys}))
        or (signs_in_by = 'nothing' and (space, principal) in (select * from ${tokens}))`,
    noted('key', byKey),
    sql`
      delete from principal_sights
      where signs_in_by = 'key'
        and (space, principal, digest) not in (select * from ${triples(byKey)})`,
    noted('token', byToken),
    sql`
      delete from principal_sights old
      where signs_in_by = 'token' and until < now() and exists (
        select from principal_sights newer
        where newer.space = old.space and newer.principal = old.principal
          and newer.signs_in_by = 'token' and newer.noted_at > old.noted_at
      )`,
  ];
  const compiled = statements.map((statement) => ({ compile: () => statement.compile(db) }));
  await transactTogether(db, compiled, () => Promise.resolve());
}

/** Merges equal sights into the last one, valid as long as any of them. The order within the call orders `noted_at`. */
function noted(by: 'key' | 'token', all: readonly Sighted[]): RawBuilder<unknown> {
  const distinct = new Map<string, Sighted & { readonly digest: string }>();
  for (const one of all) {
    const digest = digestOf(one);
    const key = JSON.stringify([one.space, one.principal, digest]);
    const until = Math.max(one.until, distinct.get(key)?.until ?? 0);
    distinct.delete(key);
    distinct.set(key, { ...one, digest, until });
  }
  const rows = [...distinct.values()];
  const texts = rows.map(({ sight }) => (sight === null ? null : toJsonText(sight)));
  const ends = rows.map(({ until }) =>
    until > LAST_INSTANT ? 'infinity' : new Date(until).toISOString(),
  );
  return sql`
    insert into principal_sights (space, principal, signs_in_by, digest, sight, until, noted_at)
    select space, principal, ${by}, digest, sight::jsonb, until::timestamptz,
      now() + place * interval '1 microsecond'
    from unnest(
      ${rows.map(({ space }) => toText(space))}::text[],
      ${rows.map(({ principal }) => toText(principal))}::text[],
      ${rows.map(({ digest }) => digest)}::text[],
      ${texts}::text[],
      ${ends}::text[]
    ) with ordinality as noted (space, principal, digest, sight, until, place)
    on conflict (space, principal, signs_in_by, digest) do update set
      noted_at = excluded.noted_at,
      until = case when excluded.signs_in_by = 'key' then excluded.until
        else greatest(principal_sights.until, excluded.until) end
    where excluded.signs_in_by = 'token' or principal_sights.until <> excluded.until`;
}

const digestOf = ({ sight }: Sighted): string => hashJson({ sight } as unknown as JsonObject);

function pairs(named: readonly Named[]) {
  const spaces = named.map(({ space }) => toText(space));
  const principals = named.map(({ principal }) => toText(principal));
  return sql`unnest(${spaces}::text[], ${principals}::text[])`;
}

function triples(all: readonly Sighted[]) {
  const spaces = all.map(({ space }) => toText(space));
  const principals = all.map(({ principal }) => toText(principal));
  return sql`unnest(${spaces}::text[], ${principals}::text[], ${all.map(digestOf)}::text[])`;
}

/**
 * Returns what a principal may see now, by each of its keys and tokens: nothing if it had a key and can no longer sign in.
 * Undefined if nobody has recorded it.
 */
export async function presentSights(
  db: Store,
  principal: string,
): Promise<readonly Sight[] | undefined> {
  const name = toText(principal);
  const { rows } = await sql<{
    readonly signs_in_by: 'key' | 'token' | 'nothing' | null;
    readonly known: number;
    readonly sights: readonly Sight[] | null;
  }>`
    select
      (select signs_in_by from key_principals where principal = ${name}) as signs_in_by,
      count(*)::integer as known,
      jsonb_agg(sight) filter (where counts and sight is not null) as sights
    from (
      select sight, until > now() or (
        signs_in_by = 'token' and noted_at = max(noted_at) over (partition by signs_in_by)
      ) as counts
      from principal_sights where principal = ${name}
    ) noted`.execute(db);
  const [found] = rows;
  if (found?.signs_in_by === 'nothing') return [];
  return found === undefined || found.known === 0 ? undefined : (found.sights ?? []);
}
