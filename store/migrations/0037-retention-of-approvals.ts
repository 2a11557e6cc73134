import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Since when an approval is over, for retention: it is decided, and its agent has picked everything up or can no longer do so.
 * Null as long as that is not known. A row about an approval that was removed is not written any more (docs/adr/0042).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('approvals').addColumn('ended_at', 'timestamptz').execute();
  await sql`
    update approvals set ended_at = resolved_at where not record ? 'redemption'`.execute(db);
  await sql`create index approvals_ended on approvals (ended_at, id)`.execute(db);
  await sql`
    create function holdpoint_removed_approvals() returns trigger language plpgsql as $$
    begin
      if exists (
        select from retention_tombstones
        where removed_at is not null
          and (kind, id) in (('approval', new.id), ('intent', new.intent_id))
      ) then
        return null;
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger drop_removed before insert on approvals
      for each row execute function holdpoint_removed_approvals()`.execute(db);
}
