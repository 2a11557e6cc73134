import { visibleLine } from '../../../contracts/constants/visible-text.js';
import { createRequire } from 'node:module';
import { unaddressed } from '../../../domain/kernel/shown-text.js';

/** A text as one line that is safe in a header, cut to at most `most` characters with `…`. */
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

/** Escapes a text for HTML, also within attribute values. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ESCAPED[one] ?? one);
}

/**
 * HTML that shows a text as it is, and in which mail programs find no links: an anchor without a target surrounds it,
 * and tags separate its pieces.
 */
export function unlinked(text: string): string {
  return anchored(tagged(text));
}

/** Does the same for HTML whose texts already have such tags. */
export function anchored(html: string): string {
  return `<a style="color:inherit;text-decoration:none">${html}</a>`;
}

/**
 * HTML that shows a text as it is, with tags around the dots, colons and at signs within a word, so that no address
 * is in one piece.
 */
export function tagged(text: string): string {
  const pieces = text.split(/(?<=\S)([.:@\u3002\uff0e\uff20\uff61]|\/\/)(?=\S)/u);
  return pieces
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : `<span>${escaped(piece)}</span>`))
    .join('');
}

const MINUTE_MS = 60_000;
const IN_WORDS = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  dateStyle: 'full',
  timeStyle: 'short',
});

/** An instant in words, such as `Wednesday, 25 November 2026, 14:05 UTC`. */
export function instantInWords(instant: string): string {
  const parts = IN_WORDS.formatToParts(new Date(instant));
  const of = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${of['weekday']}, ${of['day']} ${of['month']} ${of['year']}, ${of['hour']}:${of['minute']} UTC`;
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

/** The last parts of host names: those of the internet, and those used in tests and inner networks. */
const LAST_PARTS: ReadonlySet<string> = new Set([
  ...(createRequire(import.meta.url)('tlds') as readonly string[]),
  'example',
  'home',
  'internal',
  'invalid',
  'lan',
  'local',
  'localhost',
  'onion',
  'test',
]);

/**
 * Changes a text so that mail programs and Slack find no address in it, for places where nothing else prevents links.
 * Names that end like no host, such as `prod.yaml`, stay as they are.
 */
export function neutralised(text: string): string {
  return unaddressed(text, (part) => LAST_PARTS.has(part));
}
