const UTF_8 = new TextEncoder();

/** Encodes a text in UTF-8. A lone surrogate becomes U+FFFD, as in the Encoding Standard. */
export function utf8Bytes(text: string): Uint8Array {
  return UTF_8.encode(text);
}

/** Returns how many bytes a text takes in UTF-8. A lone surrogate counts as U+FFFD, which takes three. */
export function utf8Length(text: string): number {
  return utf8Bytes(text).length;
}

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

const QUOTES = 2;

/** The most bytes that one UTF-16 unit takes in JSON, as an escape. */
const UNIT_BYTES = 6;

/** Returns the beginning of a text that takes at most `maxBytes` as JSON, with … if it was cut. */
export function cutTo(text: string, maxBytes: number): string {
  if (text.length * UNIT_BYTES + QUOTES <= maxBytes) return text;
  let bytes = QUOTES;
  let length = 0;
  for (const character of text) {
    bytes += utf8Length(JSON.stringify(character)) - QUOTES;
    if (bytes > maxBytes) return `${text.slice(0, length)}…`;
    length += character.length;
  }
  return text;
}

const WORD_BYTES = 100;

/** Prepares a text of somebody else for our sentences: on one line, cut, with codes for invisible characters. */
export function quoted(text: string): string {
  const line = cutTo(text.replaceAll(/\s+/g, ' '), WORD_BYTES);
  return line.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, (hidden) => {
    const code = hidden.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

/** Temporal accepts summaries of at most 400 bytes. */
const SUMMARY_BYTES = 300;

/** Converts a text into one line that is short enough for a workflow's summary. Ends with … if it was cut. */
export function summaryOf(text: string): string {
  return cutTo(text.replace(/\s+/g, ' ').trim(), SUMMARY_BYTES);
}

/** U+0000, or half of a surrogate pair without the other half. */
const UNSOUND = /[\0\p{Surrogate}]/u;

/** Whether a text contains characters that PostgreSQL, UTF-8 and most clients cannot represent. */
export function isUnsound(text: string): boolean {
  return UNSOUND.test(text);
}
