import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/** The lists of subscriptions and portfolios by who made them, and by what else they are asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['subscriptions', 'created_by'],
    ['subscriptions', 'portfolio_id'],
    ['portfolios', 'created_by'],
    ['portfolios', 'status'],
  ] as const) {
    await sql`
      create index ${sql.ref(`${table}_by_${column}`)} on ${sql.table(table)}
        (${sql.ref(column)}, created_at desc, id)`.execute(db);
  }
}
