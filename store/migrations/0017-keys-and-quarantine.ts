import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * What the store answers once Temporal has forgotten it, what it refused for good, the order of the inbox, and
 * which subscriptions are to be woken. Rows of before have neither hash nor key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['intents', 'plans', 'portfolios']) {
    await db.schema.alterTable(table).addColumn('creation_hash', 'text').execute();
  }
  await db.schema
    .alterTable('suspensions')
    .addColumn('request_key', 'text')
    .addColumn('request_hash', 'text')
    .execute();
  await sql`
    create index suspensions_by_request on suspensions (intent_id, request_key)
      where request_key is not null`.execute(db);

  // Takes every row that another table refuses: `content` is no jsonb, and `sequence` holds any number.
  await db.schema
    .createTable('journal_quarantine')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('kind', 'text', (col) => col.notNull())
    .addColumn('intent_id', 'text')
    .addColumn('suspension_id', 'text')
    .addColumn('sequence', 'double precision')
    .addColumn('reason', 'text', (col) => col.notNull())
    .addColumn('content', 'text', (col) => col.notNull())
    .addColumn('refused_at', 'timestamptz', (col) => col.notNull().defaultTo(sql`now()`))
    .execute();
  for (const column of ['intent_id', 'suspension_id']) {
    await sql`
      create index ${sql.ref(`journal_quarantine_by_${column}`)} on journal_quarantine
        (${sql.ref(column)})`.execute(db);
  }

  // The attempt is no longer part of the order: it changes between two pages.
  await sql`drop index suspensions_by_urgency`.execute(db);
  await sql`
    create index suspensions_by_urgency on suspensions
      (state, coalesce(expires_at, 'infinity'::timestamptz), suspended_at, id)`.execute(db);

  await sql`
    create index subscriptions_active on subscriptions (intent_id, portfolio_id)
      where active`.execute(db);
}
