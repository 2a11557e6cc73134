import { Kysely, Migrator, sql, type Migration, type MigrationResultSet } from 'kysely';
import { DatabaseError } from 'pg';
import { StartupError, oneLine } from '../runtime/program.js';
import { createDialect } from './database.js';
import { up as baseline } from './migrations/0001-baseline.js';
import type { Store } from './schema.js';

export type Migrations = Readonly<Record<string, Migration>>;

/** A released migration is never changed, and stays in this list: new ones are added below it. */
export const MIGRATIONS: Migrations = {
  '0001-baseline': { up: baseline },
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

const STATEMENT_TIMEOUT_MS = 10 * 60_000;
/** The factor by which a migration waits longer than a query for its connection: it runs once, when much else starts. */
const PATIENCE = 10;

/**
 * Migrates the store at the URL over its own connection, and returns the applied migrations. Concurrent migrations
 * wait for each other. Throws the error of a failed migration, which is rolled back; those before it stay. Throws too
 * for an unknown migration, of a later release.
 */
export async function migrateToLatest(
  url: string,
  migrations: Migrations = MIGRATIONS,
): Promise<readonly string[]> {
  const dialect = createDialect(url, {
    max: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    patience: PATIENCE,
  });
  const db = new Kysely<unknown>({ dialect });
  try {
    const provider = { getMigrations: () => Promise.resolve({ ...migrations }) };
    const migrator = new Migrator({ db, provider });
    const isNew = (await migrator.getMigrations()).every(({ executedAt }) => !executedAt);
    return isNew ? appliedBy(await migrator.migrateToLatest()) : await oneByOne(migrator);
  } finally {
    await db.destroy();
  }
}

/** Runs each migration in its own transaction, so that readers and writers of locked tables continue in between. */
async function oneByOne(migrator: Migrator): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const names = appliedBy(await migrator.migrateUp());
    if (names.length === 0) return applied;
    applied.push(...names);
  }
}

function appliedBy({ error, results = [] }: MigrationResultSet): readonly string[] {
  if (error !== undefined) throw error as Error;
  return results.map(({ migrationName }) => migrationName);
}

/**
 * Migrates the store for a program that starts.
 *
 * @throws StartupError that says in one line why the database cannot be used
 */
export async function migrateOrExplain(url: string): Promise<readonly string[]> {
  try {
    return await migrateToLatest(url);
  } catch (error) {
    const reason = oneLine(reasonIn(error));
    throw new StartupError(`The database of DATABASE_URL cannot be used: ${reason}`, {
      cause: error,
    });
  }
}

/** Returns the message; if it is empty, because two addresses were tried, that of the first. */
function reasonIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.message === '') return reasonIn(error.errors[0]);
  return error.message;
}

const UNDEFINED_TABLE = '42P01';

export interface StoreState {
  readonly missing: readonly string[];
  readonly refused_rows: number;
}

/** Reads the state of a store with one query. Throws if it does not answer. */
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
    // A store without one of these tables cannot have the newest migration either.
    return { missing: MIGRATION_NAMES.slice(-1), refused_rows: 0 };
  }
}
