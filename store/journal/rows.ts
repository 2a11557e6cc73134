import type { JournalRow } from '../../contracts/journal.js';

export type RowOf<K extends JournalRow['kind']> = Extract<JournalRow, { kind: K }>;

/** The rows of one kind, in the order they came. */
export function rowsOf<K extends JournalRow['kind']>(
  rows: readonly JournalRow[],
  kind: K,
): readonly RowOf<K>[] {
  return rows.filter((row): row is RowOf<K> => row.kind === kind);
}
