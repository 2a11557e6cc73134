import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What a message is to be told can change while it is put off, or while it is being told (docs/adr/0071). `news` counts
 * how often: what noted an older count leaves the rest due. News are told at once, and have all tries, however often the
 * message could not be told before. Messages that are due get both now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table deliveries add column news integer not null default 0`.execute(db);
  await sql`
    create or replace function holdpoint_follow_up() returns trigger language plpgsql as $$
    begin
      update deliveries set due = true, news = news + 1, follow_tries = 0, follow_at = null
      where split_part(delivery_id, ':', 1) = new.id and space = new.space and shows is not null;
      return null;
    end $$`.execute(db);
  await sql`
    update deliveries set follow_tries = 0, follow_at = null
    where due and follow_at is not null`.execute(db);
}
