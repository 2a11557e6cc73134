import { fittedLines, oneLine, widthOf } from './text.js';

/** A column of a table. In a narrow terminal, columns on the right are left out first. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** Whether the column takes the remaining width, and is cut first. */
  readonly isFlexible?: true;
}

const GAP = 2;
const LEAST_FLEXIBLE = 20;

/** Whether the columns fit, with a little of the flexible one. */
function fits(widths: readonly number[], flexible: number, columns: number): boolean {
  const least = widths.map((width, index) =>
    index === flexible ? Math.min(width, LEAST_FLEXIBLE) : width,
  );
  return total(least) <= columns;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
}

/** Returns a table for a terminal: aligned, without borders, no wider than it. Columns that do not fit are left out from the right. */
export function tableOf<Row>(
  rows: readonly Row[],
  all: readonly Column<Row>[],
  columns: number,
): readonly string[] {
  const cells = [all.map(({ head }) => head), ...linesOf(rows, all)];
  const widths = all.map((_column, index) =>
    cells.reduce((widest, line) => Math.max(widest, widthOf(line[index] ?? '')), 0),
  );
  const flexible = all.findIndex(({ isFlexible }) => isFlexible);
  let count = all.length;
  while (count > flexible + 1 && !fits(widths.slice(0, count), flexible, columns)) count -= 1;
  const shown = widths.slice(0, count);
  const over = Math.max(0, total(shown) - columns);
  const kept = shown.map((width, index) =>
    index === flexible ? Math.max(1, width - over) : width,
  );
  return cells.map((line) =>
    kept
      .map((width, index) => {
        const text = fittedLines(line[index] ?? '', width);
        return text + ' '.repeat(width - widthOf(text));
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** Returns a table for another program: one line a row, with tabs between the cells, uncut and without heads. */
export function tabbed<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly string[] {
  return linesOf(rows, columns).map((line) => line.join('\t'));
}

function linesOf<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly (readonly string[])[] {
  return rows.map((row) => columns.map(({ cell }) => oneLine(cell(row))));
}
