import { UNSEEN_IN_LINES } from '../../../contracts/constants/steering.js';

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}

/** A character as JSON escapes it: each half of one that has two. */
function escaped(character: string): string {
  return character.replaceAll(/[^]/g, (half) => `\\u${codeOf(half)}`);
}

/** A text of somebody else as the page shows it: a character that steers, or is not seen, stands there by its code, as `[U+202E]`. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN_IN_LINES, (character) => `[U+${codeOf(character).toUpperCase()}]`);
}

/** What somebody meant who typed into a text that was made visible: the characters in place of their codes. */
export function meant(typed: string): string {
  return typed.replaceAll(/\[U\+([0-9A-F]{4,5})\]/g, (code, digits: string) => {
    const character = String.fromCodePoint(Number.parseInt(digits, 16));
    return visible(character) === code ? character : code;
  });
}

/** A value as it is shown and edited: JSON in which such characters are escaped, so that it stays the same value. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(UNSEEN_IN_LINES, escaped);
}
