/** Length in UTF-8 of the character with this code point. */
function lengthOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** Replaces a lone surrogate with U+FFFD. */
function wellFormed(codePoint: number): number {
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}

/** Returns how many bytes a text takes in UTF-8. A lone surrogate counts as U+FFFD, which takes three. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at) ?? 0;
    length += lengthOf(codePoint);
    if (codePoint > 0xffff) at++;
  }
  return length;
}

/** Encodes a text in UTF-8. A lone surrogate becomes U+FFFD, as in the Encoding Standard. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (const character of text) {
    const codePoint = wellFormed(character.codePointAt(0) ?? 0);
    const length = lengthOf(codePoint);
    const lead = [0, 0, 0xc0, 0xe0, 0xf0][length] ?? 0;
    bytes[at++] = lead | (codePoint >> (6 * (length - 1)));
    for (let left = length - 2; left >= 0; left--) {
      bytes[at++] = 0x80 | ((codePoint >> (6 * left)) & 0x3f);
    }
  }
  return bytes;
}

/** Turns a text into one line that Markdown shows unchanged. */
export function asMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

/** Returns the first eight characters of an id, for readers who may not see all of it (R25-100). */
export function shortened(id: string): string {
  return `${id.slice(0, 8)}…`;
}

/** Temporal accepts summaries of at most 400 bytes. */
const SUMMARY_BYTES = 300;

/** Turns a text into one line that is short enough for a workflow's summary. Ends with … if it was cut. */
export function summaryOf(text: string): string {
  let summary = '';
  for (const character of text.replace(/\s+/g, ' ').trim()) {
    const longer = summary + character;
    if (utf8Length(JSON.stringify(longer)) > SUMMARY_BYTES) return `${summary}…`;
    summary = longer;
  }
  return summary;
}
