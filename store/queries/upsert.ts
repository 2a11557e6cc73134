import type { JournalRow } from '../../contracts/journal.js';

export type RowOf<K extends JournalRow['kind']> = Extract<JournalRow, { kind: K }>;

/** The rows of one kind, in the order they came. */
export function rowsOf<K extends JournalRow['kind']>(
  rows: readonly JournalRow[],
  kind: K,
): readonly RowOf<K>[] {
  return rows.filter((row): row is RowOf<K> => row.kind === kind);
}

/**
 * One row per id, sorted by id: the one that `supersedes` the others. PostgreSQL refuses an upsert that
 * names a row twice, and two writers that lock rows in one order cannot block each other.
 */
export function oneById<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  supersedes: (row: T, earlier: T) => boolean,
): T[] {
  const chosen = new Map<string, T>();
  for (const row of rows) {
    const earlier = chosen.get(idOf(row));
    if (earlier === undefined || supersedes(row, earlier)) chosen.set(idOf(row), row);
  }
  return [...chosen.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
