import { sql } from 'kysely';
import { after, before } from 'mocha';
import { migrateToLatest } from '../../store/migrate.js';
import type { Store } from '../../store/schema.js';
import { openPatiently } from '../support/patience.js';
import { startPostgres, type PostgresServer } from '../support/postgres.js';

/** Gives the tests of a suite a store on a PostgreSQL server of its own, and the URL of it. */
export function withDatabase(take: (db: Store, url: string) => void): void {
  let server: PostgresServer;
  let db: Store;
  before(async () => {
    server = await startPostgres();
    await migrateToLatest(server.url);
    db = openPatiently(server.url);
    take(db, server.url);
  });
  after(async () => {
    await db.destroy();
    await server.stop();
  });
}

/** How many of its connections wait for a lock. */
export async function waitingForLocks(db: Store): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock'`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
