import { sql, type Compilable, type Insertable, type Kysely, type RawBuilder } from 'kysely';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import { isSpaced } from '../in-space.js';
import type { Database, Store } from '../schema.js';
import { KeptTexts } from '../kept-texts.js';
import type { Returned } from '../together.js';

export function rowsOf<K extends JournalRow['kind']>(
  rows: readonly JournalRow[],
  kind: K,
): readonly RowOf<K>[] {
  return rows.filter((row): row is RowOf<K> => row.kind === kind);
}

/** A statement that writes rows of a batch. */
export interface RowsWrite {
  readonly query: Compilable;
  /** Picks the rows that are news from what the statement returned. */
  readonly news: (returned: readonly Returned[]) => readonly JournalRow[];
}

/** Makes the statement for the rows of one kind in a batch of one space; undefined if the batch has none. */
export type JournalWriter = (
  db: Store,
  rows: readonly JournalRow[],
  space: string,
) => RowsWrite | undefined;

/** How journal rows of one kind are mapped to rows of a table. */
interface JournalTable<
  K extends JournalRow['kind'],
  T extends keyof Database,
  C extends keyof Database[T] & string = keyof Database[T] & string,
> {
  readonly kind: K;
  readonly table: T;
  /** The columns of the unique constraint that identifies a row; `id` by default. */
  readonly key?: readonly C[];
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
  /**
   * Whether a new row is news compared with the row before, called `stored`; a first row always is. With this
   * condition a row that changes nothing is not written: of two simultaneous transactions, only one reports news.
   */
  readonly isNews?: RawBuilder<boolean>;
}

/** All tables without their column types, for a statement about any of them. */
type AnyRow = Readonly<Record<string, unknown>>;
type AnyStore = Kysely<Record<string, AnyRow>>;

/**
 * Makes the writer of one kind of journal rows, which writes a batch in one statement. In whatever order rows arrive,
 * the newest version of each key remains. Rows of another space do not change.
 */
export function journalWriter<K extends JournalRow['kind'], T extends keyof Database>(
  target: JournalTable<K, T>,
): JournalWriter {
  const { kind, table, columns, version = [], merge = {}, isNews } = target;
  const key: readonly string[] = target.key ?? ['id'];
  const spaced = isSpaced(table);
  const isDue = version.length > 0 ? isNewer(table, version) : target.replaceWhile;
  const condition = isDue && spaced ? sql`(${isDue}) and ${inOneSpace(table)}` : isDue;
  const texts = new KeptTexts();

  function upsert(db: Store, [first, ...rest]: readonly [AnyRow, ...AnyRow[]]): Compilable {
    const changed = Object.keys(first).filter((name) => !key.includes(name));
    const replaced = changed.map((name) => [name, sql.ref(`excluded.${name}`)] as const);
    const changes = { ...Object.fromEntries(replaced), ...merge };
    const insert = (db as unknown as AnyStore)
      .insertInto(table)
      .values([first, ...rest])
      .onConflict((conflict) => {
        const onKey = conflict.columns([...key]);
        if (condition === undefined) return onKey.doNothing();
        const update = onKey.doUpdateSet(changes).where(sql<boolean>`${condition}`);
        return isNews ? update.where(isChanged(table, changes)) : update;
      });
    return isNews ? insert.returning([...key, wasNews(table, key, isNews).as('is_news')]) : insert;
  }

  return (db, rows, space) => {
    const made = new Map<AnyRow, RowOf<K>>();
    for (const row of rowsOf(rows, kind)) {
      made.set({ ...(columns(row) as AnyRow), ...(spaced && { space }) }, row);
    }
    const newest = newestByKey([...made.keys()], key, version);
    const [first, ...rest] = newest;
    if (first === undefined) return undefined;
    const values = newest.flatMap((row) => Object.values(row));
    const query = texts.statement(newest.length, values, () => upsert(db, [first, ...rest]));
    if (isNews === undefined) return { query, news: () => [] };
    return {
      query,
      news: (returned) => {
        const news = new Set(
          returned.filter((row) => row['is_news']).map((row) => keyOf(row, key)),
        );
        return newest
          .filter((row) => news.has(keyOf(row, key)))
          .flatMap((row) => made.get(row) ?? []);
      },
    };
  };
}

function isChanged(table: string, changes: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
  const stored = Object.keys(changes).map((name) => sql.ref(`${table}.${name}`));
  return sql`(${sql.join(stored)}) is distinct from (${sql.join(Object.values(changes))})`;
}

/** A query inside `returning` reads the state before the statement. */
function wasNews(
  table: string,
  key: readonly string[],
  isNews: RawBuilder<boolean>,
): RawBuilder<boolean> {
  const sameKey = key.map(
    (name) => sql`${sql.ref(`stored.${name}`)} = ${sql.ref(`${table}.${name}`)}`,
  );
  const before = sql`select ${isNews} from ${sql.table(table)} as stored where ${sql.join(sameKey, sql` and `)}`;
  return sql`coalesce((${before}), true)`;
}

function inOneSpace(table: string): RawBuilder<unknown> {
  return sql`${sql.ref(`${table}.space`)} = excluded.space`;
}

/**
 * Returns the newest version for each key, sorted by key: PostgreSQL refuses an upsert that names a row twice, and
 * writers that lock rows in the same order cannot block each other.
 */
function newestByKey(
  rows: readonly AnyRow[],
  key: readonly string[],
  version: readonly string[],
): AnyRow[] {
  const newest = new Map<string, AnyRow>();
  for (const row of rows) {
    const id = keyOf(row, key);
    const earlier = newest.get(id);
    if (earlier === undefined || (version.length > 0 && !isOlder(row, earlier, version))) {
      newest.set(id, row);
    }
  }
  return [...newest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function keyOf(row: AnyRow, key: readonly string[]): string {
  return key.map((name) => String(row[name])).join(' ');
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

/** Makes the same comparison in SQL: whether the new row is at least as new as the stored one. */
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
