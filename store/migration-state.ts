import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { MIGRATION_NAMES } from './migrate.js';
import type { Store } from './schema.js';

const UNDEFINED_TABLE = '42P01';

/** What can be told of a store that answers. */
export interface StoreState {
  /** The migrations that it lacks, in their order. */
  readonly missing: readonly string[];
  /** How many rows it refused for good, and set aside. */
  readonly refused_rows: number;
}

/** Looks at a store by one query. Throws if it does not answer. */
export async function storeState(db: Store): Promise<StoreState> {
  try {
    const { rows } = await sql<{ names: string[] | null; refused_rows: number }>`
      select (select array_agg(name) from kysely_migration) as names,
        (select count(*)::integer from journal_quarantine) as refused_rows`.execute(db);
    const { names = [], refused_rows = 0 } = rows[0] ?? {};
    const applied = new Set(names ?? []);
    return { missing: MIGRATION_NAMES.filter((name) => !applied.has(name)), refused_rows };
  } catch (error) {
    const isNew = error instanceof DatabaseError && error.code === UNDEFINED_TABLE;
    if (!isNew) throw error;
    // Without one of these tables it cannot have the newest migration either.
    return { missing: MIGRATION_NAMES.slice(-1), refused_rows: 0 };
  }
}
