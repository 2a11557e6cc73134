import { sql, type RawBuilder } from 'kysely';
import type { Caller } from '../../../contracts/people/caller.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Sight } from '../../../contracts/subscription/subscription.js';
import { hashJson } from '../../../domain/kernel/hashing.js';
import { toJsonText, toText } from '../../column-values.js';
import type { Store } from '../../schema.js';
import { transactTogether } from '../../together.js';
import type { Answering } from '../../../domain/directory/known-people.js';
import type { AgentRecord } from '../../../contracts/agent/agent.js';
import { DEFAULT_SPACE } from '../../../contracts/constants/callers.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { wholeStore } from '../../in-space.js';
import { withinBytes, type Part } from '../bounded.js';

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

interface SigningIn {
  /** The holders of valid keys, once for each key. */
  readonly byKey: readonly Sighted[];
  /** Principals that have sent a valid token since the last call, once for each sight; the newest comes last. */
  readonly byToken: readonly Sighted[];
}

/**
 * Records who can sign in, and what they may see. A principal that had a key, has none now and has sent no token
 * since is disabled; one that never had a key is never disabled. A token's sight stays until a later token shows
 * another one.
 */
export async function noteSigningIn(db: Store, { byKey, byToken }: SigningIn): Promise<void> {
  const [keys, tokens] = [pairs(byKey), pairs(byToken)];
  const statements = [
    // Two processes that record at the same time have to do so one after the other.
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

export interface KeyHolding extends Pick<Caller, 'space' | 'principal' | 'groups'> {
  readonly answers: boolean;
}

function byPrincipal(all: readonly KeyHolding[]): readonly KeyHolding[] {
  const found = new Map<string, KeyHolding>();
  for (const one of all) {
    const key = JSON.stringify([one.space, one.principal]);
    const before = found.get(key);
    // A key that does not let its holder answer contributes no groups.
    const groups = [...(before?.groups ?? []), ...(one.answers ? one.groups : [])];
    const answers = one.answers || before?.answers === true;
    found.set(key, { ...one, answers, groups: [...new Set(groups)].sort() });
  }
  return [...found.values()];
}

/** Records which principals with keys can answer, and their groups; `noteSigningIn` has recorded the principals. */
export async function noteAnswering(db: Store, all: readonly KeyHolding[]): Promise<void> {
  const rows = byPrincipal(all);
  await sql`
    update key_principals known set answers = noted.answers, groups = noted.groups::jsonb
    from unnest(
      ${rows.map(({ space }) => toText(space))}::text[],
      ${rows.map(({ principal }) => toText(principal))}::text[],
      ${rows.map(({ answers }) => answers)}::boolean[],
      ${rows.map(({ groups }) => toJsonText(groups))}::text[]
    ) as noted (space, principal, answers, groups)
    where known.space = noted.space and known.principal = noted.principal
      and (known.answers, known.groups) is distinct from (noted.answers, noted.groups::jsonb)`.execute(
    db,
  );
}

/**
 * Returns the holders of keys in all spaces, as an API recorded them last; undefined if none has. Any holder may
 * still decide on what is done in its own name, because roles are not recorded.
 */
export async function answeringByKey(db: Store): Promise<readonly Answering[] | undefined> {
  const { rows } = await sql<{
    readonly space: string;
    readonly principal: string;
    readonly answers: boolean;
    readonly groups: readonly string[];
  }>`
    select space, principal, answers, groups from key_principals
    where signs_in_by = 'key' and answers is not null`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.map(({ answers, ...one }) => (answers ? one : { ...one, only_own: true }));
}

export async function findAgent(db: Store, agentId: string): Promise<AgentRecord | undefined> {
  const row = await db
    .selectFrom('agents')
    .select('record')
    .where('agent_id', '=', toText(agentId))
    .executeTakeFirst();
  return row?.record;
}

export async function listAgents(db: Store, limit: number): Promise<Part<AgentRecord>> {
  const inOrder = db
    .selectFrom('agents')
    .select(['record', 'bytes'])
    .orderBy('agent_id')
    .limit(limit + 1);
  const { rows, more } = await withinBytes(db, inOrder, limit, LIMITS.wholePageBytes);
  return { rows: rows.map(({ record }) => record), more };
}

/**
 * Changes an agent by a rule, one change at a time; does nothing if the rule returns undefined. Of two simultaneous
 * first registrations the later one stands. The same id in another space belongs to another agent.
 */
export async function changeAgent(
  db: Store,
  agentId: string,
  rule: (before: AgentRecord | undefined) => AgentRecord | undefined,
  space: string = DEFAULT_SPACE,
): Promise<AgentRecord | undefined> {
  return wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      const found = await transaction
        .selectFrom('agents')
        .select('record')
        .where('space', '=', space)
        .where('agent_id', '=', toText(agentId))
        .forUpdate()
        .executeTakeFirst();
      const after = rule(found?.record);
      if (after === undefined) return undefined;
      const record = toJsonText(after);
      await transaction
        .insertInto('agents')
        .values({ space, agent_id: toText(agentId), record })
        .onConflict((conflict) => conflict.columns(['space', 'agent_id']).doUpdateSet({ record }))
        .execute();
      return after;
    });
}
