import { sql } from 'kysely';
import type { Insertable, Kysely, RawBuilder } from 'kysely';
import type { JournalRow } from '../../contracts/journal.js';
import type { Database, Store } from '../schema.js';

export type RowOf<K extends JournalRow['kind']> = Extract<JournalRow, { kind: K }>;

/** The rows of one kind, in the order they came. */
export function rowsOf<K extends JournalRow['kind']>(
  rows: readonly JournalRow[],
  kind: K,
): readonly RowOf<K>[] {
  return rows.filter((row): row is RowOf<K> => row.kind === kind);
}

/** Writes the rows of one kind that a batch holds, all of which are of one space. */
export type JournalWriter = (
  db: Store,
  rows: readonly JournalRow[],
  space: string,
) => Promise<void>;

/** How journal rows of one kind become rows of a table. */
interface JournalTable<
  K extends JournalRow['kind'],
  T extends keyof Database,
  C extends keyof Database[T] & string = keyof Database[T] & string,
> {
  readonly kind: K;
  readonly table: T;
  /** Whether its rows say to which space they belong. */
  readonly spaced: Database[T] extends { space: unknown } ? true : false;
  /** The columns of the unique constraint that identifies a row. */
  readonly key: readonly C[];
  /** The values for a journal row. Every row fills the same columns. */
  readonly columns: (row: RowOf<K>) => Insertable<Database[T]>;
  /**
   * The columns that order the versions of a row: a greater or equal version replaces the stored one. `not`
   * puts false after true. Without versions a stored row stays as it is.
   */
  readonly version?: readonly (C | `not ${C}`)[];
  /** Without versions: a stored row is replaced as long as this condition holds. */
  readonly replaceWhile?: RawBuilder<unknown>;
  /** How columns of a stored row are replaced, if not by the new value. */
  readonly merge?: Partial<Record<C, RawBuilder<unknown>>>;
}

/** All tables without their column types, for a statement about any of them. */
type AnyRow = Readonly<Record<string, unknown>>;
type AnyStore = Kysely<Record<string, AnyRow>>;

/**
 * Makes the writer of one kind of journal rows. It writes a batch in one statement. However often and in
 * whatever order rows arrive, the newest version of each key stands in the end. A row of another space stays as it is.
 */
export function journalWriter<K extends JournalRow['kind'], T extends keyof Database>(
  target: JournalTable<K, T>,
): JournalWriter {
  const { kind, table, key, columns, version = [], merge = {} } = target;
  const isDue = version.length > 0 ? isNewer(table, version) : target.replaceWhile;
  const spaced: boolean = target.spaced;
  const condition = isDue && spaced ? sql`(${isDue}) and ${inOneSpace(table)}` : isDue;
  return async (db, rows, space) => {
    const all = rowsOf(rows, kind).map((row): AnyRow => ({
      ...(columns(row) as AnyRow),
      ...(spaced && { space }),
    }));
    const [first, ...rest] = newestByKey(all, key, version);
    if (first === undefined) return;
    const changed = Object.keys(first).filter((name) => !(key as readonly string[]).includes(name));
    const changes = changed.map((name) => [name, sql.ref(`excluded.${name}`)] as const);
    await (db as unknown as AnyStore)
      .insertInto(table)
      .values([first, ...rest])
      .onConflict((conflict) => {
        const onKey = conflict.columns([...key]);
        if (condition === undefined) return onKey.doNothing();
        return onKey
          .doUpdateSet({ ...Object.fromEntries(changes), ...merge })
          .where(sql<boolean>`${condition}`);
      })
      .execute();
  };
}

function inOneSpace(table: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.space`)} = excluded.space`;
}

/**
 * The newest version for each key, sorted by key. PostgreSQL refuses an upsert that names a row twice, and
 * two writers that lock rows in the same order cannot block each other.
 */
function newestByKey(
  rows: readonly AnyRow[],
  key: readonly string[],
  version: readonly string[],
): AnyRow[] {
  const newest = new Map<string, AnyRow>();
  for (const row of rows) {
    const id = key.map((name) => String(row[name])).join(' ');
    const earlier = newest.get(id);
    if (earlier === undefined || (version.length > 0 && !isOlder(row, earlier, version))) {
      newest.set(id, row);
    }
  }
  return [...newest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function isOlder(row: AnyRow, earlier: AnyRow, version: readonly string[]): boolean {
  for (const column of version) {
    const [now, before] = [rank(row, column), rank(earlier, column)];
    if (now !== before) return now < before;
  }
  return false;
}

function rank(row: AnyRow, column: string): number {
  return column.startsWith('not ') ? Number(!row[column.slice(4)]) : Number(row[column]);
}

/** The same comparison in SQL: whether the new row is at least as new as the stored one. */
function isNewer(table: string, version: readonly string[]): RawBuilder<unknown> {
  const versionOf = (row: string) =>
    sql.join(
      version.map((column) =>
        column.startsWith('not ')
          ? sql`not ${sql.ref(`${row}.${column.slice(4)}`)}`
          : sql.ref(`${row}.${column}`),
      ),
    );
  return sql`(${versionOf('excluded')}) >= (${versionOf(table)})`;
}
