import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Approvals, as the API gives them, with the first version of what was proposed; and the logs of runs that belong to no
 * intent. An event is in the log of its run once under its key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('space', 'text', (col) => col.notNull().defaultTo('default'))
    .addColumn('revision', 'integer', (col) => col.notNull())
    .addColumn('run_id', 'text', (col) => col.notNull())
    .addColumn('intent_id', 'text')
    .addColumn('asked_by', 'text', (col) => col.notNull())
    .addColumn('on_behalf_of', 'text')
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('risk_class', 'text', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('resolved_at', 'timestamptz')
    .addColumn('suspension_id', 'text')
    .addColumn('proposed', 'jsonb', (col) => col.notNull())
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .addColumn('bytes', 'integer', (col) =>
      col.generatedAlwaysAs(sql`octet_length(record::text)`).stored(),
    )
    .execute();
  await sql`create index approvals_newest on approvals (space, created_at desc, id)`.execute(db);
  await sql`create index approvals_by_run on approvals (run_id, created_at desc)`.execute(db);
  await sql`
    create index approvals_by_intent on approvals (intent_id)
      where intent_id is not null`.execute(db);

  await db.schema
    .createTable('run_events')
    .addColumn('space', 'text', (col) => col.notNull().defaultTo('default'))
    .addColumn('run_id', 'text', (col) => col.notNull())
    .addColumn('sequence', 'integer', (col) => col.notNull())
    .addColumn('key', 'text', (col) => col.notNull())
    .addColumn('id', 'text', (col) => col.notNull())
    .addColumn('event_type', 'text', (col) => col.notNull())
    .addColumn('actor', 'text', (col) => col.notNull())
    .addColumn('principal', 'text', (col) => col.notNull())
    .addColumn('payload', 'jsonb', (col) => col.notNull())
    .addColumn('payload_commitment', 'text', (col) => col.notNull())
    .addColumn('payload_salt', 'text')
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('previous_event_hash', 'text')
    .addColumn('event_hash', 'text', (col) => col.notNull())
    .addColumn('bytes', 'integer', (col) =>
      col.generatedAlwaysAs(sql`octet_length(payload::text)`).stored(),
    )
    .addPrimaryKeyConstraint('run_events_pkey', ['space', 'run_id', 'sequence'])
    .addUniqueConstraint('run_events_once', ['space', 'run_id', 'key'])
    .execute();
}
