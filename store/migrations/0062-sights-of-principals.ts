import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What each principal sees of events, by each of its keys and tokens: a subscription delivers no more than that. `sight` is
 * null if it sees nothing. A row counts until `until`; of tokens, the one that was noted last counts after that too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table principal_sights (
      space text not null default 'default',
      principal text not null,
      signs_in_by text not null,
      digest text not null,
      sight jsonb,
      until timestamptz not null,
      noted_at timestamptz not null,
      primary key (space, principal, signs_in_by, digest)
    )`.execute(db);
}
