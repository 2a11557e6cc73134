/**
 * Characters that steer how a text is shown: control characters, other line ends, and the marks that turn the order of
 * text. What agents write is shown to people, who must not see something else than is there.
 */
const STEERING =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** A text of somebody else as the page shows it: a character that steers stands there by its code, as `[U+202E]`. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(STEERING, (character) => `[U+${codeOf(character).toUpperCase()}]`);
}

/** A value as it is shown and edited: JSON in which such characters are escaped, so that it stays the same value. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    STEERING,
    (character) => `\\u${codeOf(character)}`,
  );
}
