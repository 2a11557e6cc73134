import { visible, visibleJson } from '../contracts/constants/visible-text.js';

/** A text in one line, for lists and refusals: `⏎` and `⇥` stand for its line breaks and tabs. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '⏎').replaceAll('\t', '⇥');
}

/** A text as it was written, in lines: those after its first are further in, so that none of them looks like an entry of ours. */
export function hanging(text: string, indent = ''): readonly string[] {
  const [first = '', ...others] = visible(text).split('\n');
  return [`${indent}${first}`, ...others.map((line) => `${indent}  ${line}`)];
}

/** A value as it is shown where it has room: a text as itself, anything else as JSON in lines. */
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

/** How many columns of a terminal a line takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += columnsOf(segment);
  return width;
}

const TAB = 8;
const BLANKS = /\S(?:[\p{Zs}\t]{2,}|\t)/u;

/**
 * A line as rows of a terminal. A row of blanks could take what follows to where a line of ours would begin, so such a line is
 * broken here: the rows after its first are further in and begin with `↳`. Nothing of it is left out. Any other line stays
 * whole, for the terminal to break, so that it is copied as it is.
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

/** The beginning of a line that fits into so many columns; `…` stands for what is left out. */
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

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** A span of time as people say it, in its largest unit: `3d`, `14m`, `20s`. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? ['s', 1];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** An instant as the clock of this machine shows it, to the minute. */
export function localTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const two = (part: number): string => String(part).padStart(2, '0');
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A value in one line: a text as itself, anything else as JSON. */
export function shownValue(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : visibleJson(JSON.stringify(value ?? null)));
}
