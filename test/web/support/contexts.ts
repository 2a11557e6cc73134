import type { JsonValue } from '../../../contracts/kernel/primitives.js';

/*
 * What agents put into the context of a question, by the kinds that pages show.
 */

/** An instant with a time zone. */
export const INSTANT = '2025-03-01T22:00:00Z';
/** A red dot of one pixel: a PNG in base64. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** The same in a data URL. */
export const PICTURE = `data:image/png;base64,${PIXEL}`;

/** A unified diff that puts a text in the place of another one. */
export function diffOf(text: string): string {
  return [
    '--- a/notes.txt',
    '+++ b/notes.txt',
    '@@ -1,2 +1,2 @@',
    ' same',
    '-gone',
    `+${text}`,
  ].join('\n');
}

/** A text without a blank. */
export const LONG = 'a_name_without_any_blank_that_could_be_broken_into_lines_'.repeat(4);
const WIDE_ROWS = [1, 2, 3].map((row) => ({
  row,
  [LONG.slice(0, 40)]: LONG.slice(0, 110),
  on: true,
}));

/** A picture that is wider than any screen. */
export const WIDE_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="20"/>';

/** A value of each kind that a context shows, as wide as it gets. */
export const WIDEST: Readonly<Record<string, JsonValue>> = {
  text: LONG,
  [LONG]: 'short',
  address: `https://images.example.com/${LONG}.png`,
  instant: INSTANT,
  diff: diffOf(LONG),
  code: `if:\n    ${LONG}\n\t\t\t\t\t\t\t\t\t\t${LONG}`,
  lines: Array.from({ length: 30 }, () => LONG).join('\n'),
  picture: PICTURE,
  noPicture: `data:image/png;base64,${LONG.replaceAll('_', 'A')}`,
  table: WIDE_ROWS,
  list: Array.from({ length: 25 }, () => LONG),
  lists: [[[LONG, [LONG]], LONG], { [LONG]: [LONG, { [LONG]: LONG }] }],
  number: 1.2345678901234567e300,
  arabic: `هل نرسل ${LONG}`,
  blank: ' '.repeat(300),
  codes: '\u202e'.repeat(60),
};

/** What reaches beyond the page, or is wider than the part of it that scrolls. */
export const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('main, main *')]
  .filter((one) => one.checkVisibility() && !one.closest('.only-heard'))
  .filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    const isSeen = one.clientWidth > 1;
    const scrolls = isSeen && getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth;
    return scrolls || left < -0.5 || right > document.documentElement.clientWidth + 0.5;
  })
  .map((one) => one.outerHTML.slice(0, 200))`;
