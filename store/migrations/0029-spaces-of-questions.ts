import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * The space of what belongs to a question. The id of a question is unique everywhere, but two spaces may choose the same
 * one at the same moment: the store keeps the timeline of the first alone, and the deliveries of both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of [
    'suspension_timeline',
    'deliveries',
    'delivery_tries',
    'journal_quarantine',
  ]) {
    await sql`
      alter table ${sql.table(table)} add column space text not null default 'default'`.execute(db);
  }
  await placeBy(db, 'suspension_timeline', 'suspensions', 'suspension_id');
  await placeBy(db, 'journal_quarantine', 'suspensions', 'suspension_id');
  await placeBy(db, 'journal_quarantine', 'intents', 'intent_id');
  await placeBy(db, 'journal_quarantine', 'portfolios', 'intent_id');
  for (const table of ['deliveries', 'delivery_tries']) {
    await sql`
      update ${sql.table(table)} set space = suspensions.space from suspensions
      where suspensions.id = split_part(delivery_id, ':', 1)
        and suspensions.space <> 'default'`.execute(db);
  }
  await sql`
    alter table deliveries drop constraint deliveries_pkey,
      add primary key (space, delivery_id)`.execute(db);
  await sql`
    alter table delivery_tries drop constraint delivery_tries_pkey,
      add primary key (space, delivery_id, at, try_number)`.execute(db);
}

async function placeBy(db: Kysely<unknown>, table: string, owner: string, column: string) {
  const ownerSpace = sql.ref(`${owner}.space`);
  await sql`
    update ${sql.table(table)} set space = ${ownerSpace} from ${sql.table(owner)}
    where ${sql.ref(`${owner}.id`)} = ${sql.ref(`${table}.${column}`)}
      and ${ownerSpace} <> 'default'`.execute(db);
}
