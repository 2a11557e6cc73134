import { visibleJson, visibleLine } from '../contracts/constants/visible-text.js';

/** A text in one line for a terminal, where no row of blanks takes its rest to where a line of ours would begin. */
export function oneLine(text: string): string {
  return visibleLine(text)
    .replaceAll(/\p{Zs}+/gu, ' ')
    .trim();
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

/** A value of JSON in one line; a text stands for itself. */
export function shownValue(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : visibleJson(JSON.stringify(value ?? null)));
}
