import { visibleLine } from '../../../contracts/constants/visible-text.js';

/** A text as one line that is safe in a header; at most `most` characters if that is given, with … if that is not all. */
export function oneLine(text: string, most = Infinity): string {
  const line = visibleLine(text).replace(/ {2,}/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text that HTML shows as it is, also between quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ESCAPED[one] ?? one);
}

/**
 * HTML that shows a text as it is and of which mail programs make no links. An anchor that leads nowhere keeps out those that look
 * for addresses, phone numbers and dates outside of anchors; the tags within, those that look into each piece of text. What is
 * copied is the text alone.
 */
export function unlinked(text: string): string {
  return anchored(tagged(text));
}

/** The same of HTML in which each text has such tags. */
export function anchored(html: string): string {
  return `<a style="color:inherit;text-decoration:none">${html}</a>`;
}

/** HTML that shows a text as it is, with tags around the dots, colons and at signs within a word, so that none is in one piece. */
export function tagged(text: string): string {
  const pieces = text.split(/(?<=\S)([.:@\u3002\uff0e\uff20\uff61]|\/\/)(?=\S)/u);
  return pieces
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : `<span>${escaped(piece)}</span>`))
    .join('');
}

const MINUTE_MS = 60_000;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** An instant in words, such as `Wednesday, 25 November 2026, 14:05 UTC`. */
export function instantInWords(instant: string): string {
  const at = new Date(instant);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${DAYS[at.getUTCDay()] ?? ''}, ${at.getUTCDate()}`;
  const month = `${MONTHS[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
  return `${day} ${month}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
}

/** How long it is until an instant, such as `in 2 hours`, rounded down. */
export function timeUntil(instant: string, now: Date): string {
  const minutes = Math.floor((Date.parse(instant) - now.getTime()) / MINUTE_MS);
  if (minutes < 1) return 'in less than a minute';
  if (minutes < 120) return `in ${count(minutes, 'minute')}`;
  const hours = Math.floor(minutes / 60);
  return `in ${hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day')}`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
