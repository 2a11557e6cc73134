/**
 * Characters that steer how a text is shown, beside line breaks and tabs: control characters, other line ends, and the marks
 * that turn the order of bidirectional text.
 */
const STEERING = String.raw`[^\P{Cc}\n\t]|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;

/**
 * Characters that steer how a text is shown, and those that nobody sees, such as a space without width, an annotation, or an
 * empty Braille cell beside no other. What agents write is shown to people, who must not see something else than is there.
 * Joiners, and what chooses the form of a character, stay where emoji and scripts need them; after Latin, Greek and Cyrillic
 * letters, digits and marks they do nothing but hide. It matches one character at a time.
 */
export const UNSEEN_IN_LINES = new RegExp(
  [
    STEERING,
    String.raw`[\ufff9-\ufffb]|(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])`,
    String.raw`(?![\u200c\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}`,
    String.raw`(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Sc}\p{Sm}\p{Z}\p{Cf}\n\t])[\u200c\u200d]`,
    String.raw`(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}])[\ufe00-\ufe0f](?!\u20e3)`,
  ].join('|'),
  'gu',
);

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}

/**
 * A text of somebody else as people may read it, wherever that is: a character that steers, or is not seen, stands there by its
 * code, as `[U+202E]`. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN_IN_LINES, (character) => `[U+${codeOf(character).toUpperCase()}]`);
}

/** The same in one line: each line break or tab is a space. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/\r\n|[\r\n\t]/g, ' '));
}

/** JSON in which such characters are escaped, so that it stays the same value. */
export function visibleJson(json: string): string {
  return json.replaceAll(UNSEEN_IN_LINES, escapedInJson);
}

/** A character as JSON escapes it: each half of one that has two. */
export function escapedInJson(character: string): string {
  return character.replaceAll(/[^]/g, (half) => `\\u${codeOf(half)}`);
}
