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
