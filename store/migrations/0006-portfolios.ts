import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * Portfolios and who belongs to them. A membership that ended keeps its row, without the membership, so that
 * a row which comes late does not bring it back; `portfolio_members` shows those that stand.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('portfolios')
    .addColumn('id', 'text', (col) => col.primaryKey())
    .addColumn('version', 'integer', (col) => col.notNull())
    .addColumn('status', 'text', (col) => col.notNull())
    .addColumn('created_by', 'text', (col) => col.notNull())
    .addColumn('created_at', 'timestamptz', (col) => col.notNull())
    .addColumn('last_sequence', 'integer', (col) => col.notNull())
    .addColumn('head_hash', 'text')
    .addColumn('record', 'jsonb', (col) => col.notNull())
    .execute();
  await sql`create index portfolios_newest on portfolios (created_at desc, id)`.execute(db);

  await db.schema
    .createTable('portfolio_memberships')
    .addColumn('portfolio_id', 'text', (col) => col.notNull())
    .addColumn('intent_id', 'text', (col) => col.notNull())
    .addColumn('revision', 'integer', (col) => col.notNull())
    .addColumn('membership', 'jsonb')
    .addPrimaryKeyConstraint('portfolio_memberships_pkey', ['portfolio_id', 'intent_id'])
    .execute();
  await sql`
    create index portfolio_memberships_by_intent on portfolio_memberships (intent_id)
      where membership is not null`.execute(db);
  await sql`
    create view portfolio_members as
      select portfolio_id, intent_id, membership from portfolio_memberships
      where membership is not null`.execute(db);
}
