import { sql } from 'kysely';
import type { Caller } from '../../contracts/caller.js';
import type { Answering } from '../../domain/directory/known-people.js';
import { toJsonText, toText } from '../column-values.js';
import type { Store } from '../schema.js';

/** Somebody with a key that counts, and whether that lets it answer. */
export interface KeyHolding extends Pick<Caller, 'space' | 'principal' | 'groups'> {
  readonly answers: boolean;
}

/** One for each principal: it may have several keys. */
function together(all: readonly KeyHolding[]): readonly KeyHolding[] {
  const found = new Map<string, KeyHolding>();
  for (const one of all) {
    const key = JSON.stringify([one.space, one.principal]);
    const before = found.get(key);
    // The groups of a key that lets nobody answer let nobody answer either.
    const groups = [...(before?.groups ?? []), ...(one.answers ? one.groups : [])];
    const answers = one.answers || before?.answers === true;
    found.set(key, { ...one, answers, groups: [...new Set(groups)].sort() });
  }
  return [...found.values()];
}

/** Notes which principals that have keys can answer, and their groups. Who has a key is noted before (`noteSigningIn`). */
export async function noteAnswering(db: Store, all: readonly KeyHolding[]): Promise<void> {
  const rows = together(all);
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
 * Who has a key, of all spaces, as an API noted last; undefined if none has noted anything. Who may not answer by it may still be the
 * user who decides on what is done in its name: roles are not noted.
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
