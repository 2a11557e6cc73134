import { sql } from 'kysely';
import type { Caller } from '../../contracts/people/caller.js';
import type { Answering } from '../../domain/directory/known-people.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';

/** The holder of a valid key, and whether the key lets it answer. */
export interface KeyHolding extends Pick<Caller, 'space' | 'principal' | 'groups'> {
  readonly answers: boolean;
}

/** Merges the keys of each principal. */
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
 * Returns the holders of keys in all spaces, as an API recorded them last; undefined if none has. A holder whose key does
 * not let it answer may still decide on what is done in its own name: roles are not recorded.
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
