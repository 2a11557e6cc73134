import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The hash chain over each timeline. Entries of before have no hash, by which they are told apart. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('suspension_timeline')
    .addColumn('payload_commitment', 'text', (col) => col.notNull().defaultTo(''))
    .addColumn('payload_salt', 'text')
    .addColumn('previous_event_hash', 'text')
    .addColumn('event_hash', 'text', (col) => col.notNull().defaultTo(''))
    .execute();
  // With an erased detail goes its salt, by which a guess could be proven.
  await sql`
    create or replace function holdpoint_forget_entry() returns trigger language plpgsql as $$
    begin
      if exists (select from erasures where kind = 'suspension' and id = new.suspension_id) then
        new.detail := '{}';
        new.payload_salt := null;
      end if;
      return new;
    end $$`.execute(db);
}
