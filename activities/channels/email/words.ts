import { visibleLine } from '../../../contracts/constants/visible-text.js';
import { JOINER, unaddressed } from '../../../domain/kernel/shown-text.js';

/** A text as one line that is safe in a header; at most `most` characters, with … if that is not all. */
export function oneLine(text: string, most: number): string {
  const line = visibleLine(text).replace(/ {2,}/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

/**
 * A text of an agent as mail may carry it: it keeps its lines, and mail programs find no address in it that they would
 * turn into a link.
 */
export function unlinked(text: string): string {
  return unaddressed(text.replace(/\r\n?/g, '\n')).replace(
    /(?<=[\p{L}\p{N}])([.@])(?=\p{L})/gu,
    `${JOINER}$1${JOINER}`,
  );
}

/** A text of somebody else as part of a line of ours: both of the above. */
export function unlinkedLine(text: string, most: number): string {
  return unlinked(oneLine(text, most));
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
