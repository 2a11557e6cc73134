/** UTF-8 length of the character that starts with this code point. */
function lengthOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}

/** U+FFFD in place of a lone surrogate. */
function wellFormed(codePoint: number): number {
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint;
}

/** How many bytes a text has in UTF-8; a lone surrogate counts as U+FFFD, three bytes. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at) ?? 0;
    length += lengthOf(codePoint);
    if (codePoint > 0xffff) at++;
  }
  return length;
}

/** The UTF-8 bytes of a text; a lone surrogate becomes U+FFFD, as the Encoding Standard has it. */
export function utf8Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (const character of text) {
    const codePoint = wellFormed(character.codePointAt(0) ?? 0);
    const length = lengthOf(codePoint);
    if (length === 1) {
      bytes[at++] = codePoint;
      continue;
    }
    const lead = [0, 0, 0xc0, 0xe0, 0xf0][length] ?? 0;
    bytes[at++] = lead | (codePoint >> (6 * (length - 1)));
    for (let left = length - 2; left >= 0; left--) {
      bytes[at++] = 0x80 | ((codePoint >> (6 * left)) & 0x3f);
    }
  }
  return bytes;
}

/** One line of text that Markdown shows as it is. */
export function asMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|]/g, '\\$&');
}

/** The first eight characters of an id that not everybody may see in full (R25-100, AM-45). */
export function shortened(id: string): string {
  return `${id.slice(0, 8)}…`;
}

/** Temporal takes summaries of up to 400 bytes. */
const SUMMARY_BYTES = 300;

/** A text on one line, short enough for a workflow's summary, cut between characters and marked where cut. */
export function summaryOf(text: string): string {
  let summary = '';
  for (const character of text.replace(/\s+/g, ' ').trim()) {
    const longer = summary + character;
    if (utf8Length(JSON.stringify(longer)) > SUMMARY_BYTES) return `${summary}…`;
    summary = longer;
  }
  return summary;
}
