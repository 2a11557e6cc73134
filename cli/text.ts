import { visible, visibleJson } from '../contracts/constants/visible-text.js';

/** Returns a text in one line: `⏎` and `⇥` stand for its line breaks and tabs. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}

/** Returns a text in lines. Lines after the first are indented, so that none looks like an entry of its own. */
export function hanging(text: string, indent = ''): readonly string[] {
  const [first = '', ...others] = visible(text).split('\n');
  return [`${indent}${first}`, ...others.map((line) => `${indent}  ${line}`)];
}

/** Returns a value in as many lines as it needs: a text as itself, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : visibleJson(JSON.stringify(value ?? null, null, 2));
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\u{fe0f}/u;
/** Scripts whose characters take two columns. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

function columnsOf(grapheme: string): number {
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1;
}

function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += columnsOf(segment);
  return width;
}

const TAB = 8;
const BLANKS = /\S(?:[\p{Zs}\t]{2,}|\t)/u;

/**
 * Returns a line as rows of a terminal. Only a line with blanks, which could imitate one of ours, is broken here,
 * with indented rows after `↳`. Any other line stays whole, to be copied.
 */
export function rowsOf(line: string, columns: number): readonly string[] {
  if (!BLANKS.test(line)) return [line];
  const lead = `${/^ */.exec(line)?.[0] ?? ''}  ↳ `;
  const rows = [''];
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(line)) {
    const taken = segment === '\t' ? TAB : columnsOf(segment);
    if (width + taken > columns && width > lead.length) {
      rows.push(lead);
      width = lead.length;
    }
    rows.push(`${rows.pop() ?? ''}${segment}`);
    width += taken;
  }
  return rows;
}

/** Returns the beginning of a line that fits into so many columns; `…` stands for the rest. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let shown = '';
  let width = 1;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += columnsOf(segment);
    if (width > columns) break;
    shown += segment;
  }
  return `${shown.trimEnd()}…`;
}

/** Does the same for a text of `oneLine`: its first line yields space to the others, down to half of the columns. */
function fittedLines(text: string, columns: number): string {
  const first = text.split('⏎', 1)[0] ?? '';
  const rest = text.slice(first.length);
  if (rest === '' || widthOf(text) <= columns) return fitted(text, columns);
  const head = fitted(first, Math.max(Math.floor(columns / 2), columns - widthOf(rest)));
  return head + fitted(rest, columns - widthOf(head));
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** Returns a span of time in its largest unit: `3d`, `14m`, `20s`. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? ['s', 1];
  return `${Math.floor(seconds / size)}${unit}`;
}

export function localTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Returns a value in one line: a text as itself, anything else as JSON. */
export function shownValue(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : visibleJson(JSON.stringify(value ?? null)));
}

/** A column of a table. In a narrow terminal, columns on the right are left out first. */
export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** Whether the column takes the remaining width, and is cut first. */
  readonly isFlexible?: true;
}

const GAP = 2;
const LEAST_FLEXIBLE = 20;

function fits(widths: readonly number[], flexible: number, columns: number): boolean {
  const least = widths.map((width, index) =>
    index === flexible ? Math.min(width, LEAST_FLEXIBLE) : width,
  );
  return total(least) <= columns;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
}

/** Returns a table for a terminal: aligned, without borders. Columns that do not fit are dropped from the right. */
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
