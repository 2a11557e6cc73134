import { visible } from '../../contracts/constants/visible-text.js';

/* Changes texts of others before people read them in mail and Slack (docs/adr/0091). */

/** Names and the dots between their parts, including dots that only browsers accept. */
// eslint-disable-next-line regexp/no-super-linear-move -- nothing follows that could refuse a run, so each is read once
const names = () => /[\p{L}\p{M}\p{N}\p{So}_.\u3002\uff0e\uff61-]+/gu;
const dotWithin = () =>
  /(?<=[\p{L}\p{M}\p{N}\p{So}_-])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}\p{So}_-])/gu;
/** A URL scheme, as in `tel:1` and `x-apple.news:a`, even of an unknown program. */
const scheme = () => /:(?<=(?<![a-z\d])[a-z][a-z\d+.-]+:)(?=[^\s:])|:(?=\/\/)/giu;
/** Groups of digits and colons, some of which are IPv6 addresses. */
const groups = () => /(?<![\p{L}\p{N}_:])[\da-f:]{2,}(?![\p{L}\p{N}_:])/giu;

/** Whether groups are an IPv6 address rather than a time: eight groups, or fewer with two colons. */
function isAddress(groups: string): boolean {
  return /[\da-f]/i.test(groups) && (groups.includes('::') || groups.split(':').length === 8);
}

/**
 * Adds brackets to what programs take for an address, as in `www[.]x[.]com`, so that they make no link.
 *
 * @param isLast - whether this part can end the name of a host; any part can by default
 */
export function unaddressed(text: string, isLast: (part: string) => boolean = () => true): string {
  return visible(text)
    .replace(names(), (name) => (isHost(name, isLast) ? name.replace(dotWithin(), '[$&]') : name))
    .replace(groups(), (groups) => (isAddress(groups) ? groups.replaceAll(':', '[:]') : groups))
    .replace(scheme(), '[:]')
    .replace(/\\\\(?=[\p{L}\p{N}])/gu, '[$&]')
    .replace(/(?<=\S)[@\uff20](?=[\p{L}\p{N}\p{So}])/gu, '[$&]');
}

const LETTERS_FIRST = /^[\p{L}\p{M}]+/u;
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}\b/;

/** Whether programs may take a name, or its beginning, for a host: `x.com-1` begins with `x.com`. */
function isHost(name: string, isLast: (part: string) => boolean): boolean {
  const [first = '', ...others] = name.toLowerCase().split(dotWithin());
  if (others.length === 0) return false;
  if (/^www\d*$/.test(first) || IP_ADDRESS.test(name)) return true;
  return others.some((part) => {
    const letters = LETTERS_FIRST.exec(part)?.[0];
    return part.startsWith('xn--') || (letters !== undefined && isLast(letters));
  });
}

/** The first `most` UTF-16 units, which Slack counts, without half a character at the end. */
export function headOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

/** Splits a text into parts of at most `most` UTF-16 units, at line breaks where possible. Nothing is omitted. */
export function partsOf(text: string, most: number): readonly string[] {
  const parts: string[] = [];
  for (let rest = text; rest !== '';) {
    const part = rest.length <= most ? rest : wholeLines(headOf(rest, most));
    parts.push(part);
    rest = rest.slice(part.length);
  }
  return parts;
}

function wholeLines(head: string): string {
  const lines = head.slice(0, head.lastIndexOf('\n') + 1);
  return lines.trim() === '' ? head : lines;
}

/** Cuts a text to `most` UTF-16 units, ending with …; an empty text becomes …, because Slack refuses empty texts. */
export function cutUnits(text: string, most: number): string {
  return text.length <= most ? text || '…' : `${headOf(text, most - 1)}…`;
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text so that markup contains no tag, mention or link from it. */
export function untagged(text: string): string {
  return text.replace(/[&<>]/g, (one) => ESCAPED[one] ?? one);
}

/** The text of a label with room for `most` characters; a label that will be cut starts with its number. */
export function numberedIfCut(label: string, index: number, most: number): string {
  return visible(label).length <= most ? label : `${index + 1}. ${label}`;
}

/** The labels that are cut there, in full with their numbers, one per line. */
export function cutLabels(labels: readonly string[], most: number): string {
  return labels
    .map((label, index) => numberedIfCut(label, index, most))
    .filter((shown, index) => shown !== labels[index])
    .join('\n');
}
