import { STEERING_IN_LINES } from '../../../contracts/constants/steering.js';

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** A text of somebody else as the page shows it: a character that steers stands there by its code, as `[U+202E]`. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(STEERING_IN_LINES, (character) => `[U+${codeOf(character).toUpperCase()}]`);
}

/** A value as it is shown and edited: JSON in which such characters are escaped, so that it stays the same value. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    STEERING_IN_LINES,
    (character) => `\\u${codeOf(character)}`,
  );
}
