import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The tables that the journal fills, and the deliveries made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIntents(db);
  await createSuspensions(db);
  await db.schema
    .createTable('deliveries')
    .addColumn('delivery_id', 'text', (col) => col.primaryKey())
    .addColumn('channel', 'text', (col) => col.notNull())
    .addColumn('reference', 'text')
    .addColumn('delivered_at', 'timestamptz', (col) => col.notNull())
    .execute();
}

async function createIntents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('intents')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('version', 'integer', (col) => col.notNull())
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('title', 'text', (col) => col.notNull())
    .addColumn('created_by', 'text', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('updated_at', 'timestamptz', (col) => col.notNull())
    .addColumn('last_sequence', 'integer', (col) => col.notNull())
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .execute();
  await sql`create index intents_newest on intents (created_at desc, id)`.execute(db);
  await sql`create index intents_by_status on intents (status, created_at desc, id)`.execute(db);

  // The primary key, read backwards, also lists an intent's events newest first.
  await db.schema
    .createTable('events')
    .addColumn('intent_id', 'text', (col) => col.notNull())
    .addColumn('sequence', 'integer', (col) => col.notNull())
    .addColumn('id', 'text', (col) => col.notNull())
    .addColumn('event_type', 'text', (col) => col.notNull())
    .addColumn('actor', 'text', (col) => col.notNull())
    .addColumn('payload', 'jsonb', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addPrimaryKeyConstraint('events_pkey', ['intent_id', 'sequence'])
    .execute();
}

async function createSuspensions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('suspensions')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('intent_id', 'text')
    .addColumn('asked_by', 'text')
    .addColumn('question', 'text')
    .addColumn('response_type', 'text')
    .addColumn('channel_hint', 'text')
    .addColumn('suspended_at', 'timestamptz')
    .addColumn('expires_at', 'timestamptz')
    .addColumn('schedule', 'jsonb')
    .addColumn('record', 'jsonb', (col) => col.notNull().defaultTo(sql`'{}'::jsonb`))
    .addColumn('progress_revision', 'integer', (col) => col.notNull().defaultTo(-1))
    .addColumn('attempt', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('max_attempts', 'integer', (col) => col.notNull().defaultTo(1))
    .addColumn('next_attempt_at', 'timestamptz')
    .addColumn('settled_revision', 'integer', (col) => col.notNull().defaultTo(-1))
    .addColumn('state', 'text', (col) => col.notNull().defaultTo('pending'))
    .addColumn('resolution', 'text')
    .addColumn('settled_at', 'timestamptz')
    .addColumn('answer_key', 'text')
    .addColumn('answer_body_hash', 'text')
    .execute();
  await sql`create index suspensions_by_intent on suspensions (intent_id, suspended_at desc)`.execute(
    db,
  );
  await sql`create index suspensions_by_expiry on suspensions (state, expires_at)`.execute(db);

  await db.schema
    .createTable('suspension_timeline')
    .addColumn('suspension_id', 'text', (col) => col.notNull())
    .addColumn('sequence', 'integer', (col) => col.notNull())
    .addColumn('at', 'timestamptz', (col) => col.notNull())
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('detail', 'jsonb', (col) => col.notNull())
    .addPrimaryKeyConstraint('suspension_timeline_pkey', ['suspension_id', 'sequence'])
    .execute();
}
