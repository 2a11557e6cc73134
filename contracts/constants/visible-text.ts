/**
 * Characters that steer how a text is shown, beside line breaks and tabs: control characters, other line ends, and the marks
 * that turn the order of bidirectional text.
 */
const STEERING = String.raw`[^\P{Cc}\n\t]|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;

const JOINER = String.raw`[\u200c\u200d]`;
/** What chooses the form of a character, but not that of a key cap. */
const FORM = String.raw`[\ufe00-\ufe0f](?!\u20e3)`;
/** Letters that take neither. */
const LETTERS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;

const UNSEEN = [
  STEERING,
  String.raw`[\ufff9-\ufffb]|(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])`,
  String.raw`(?![\u200c\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}`,
  String.raw`(?<=^|[${LETTERS}\p{N}\p{P}\p{Sc}\p{Sm}\p{Z}\p{Cf}\n\t])${JOINER}`,
  String.raw`(?<=[${LETTERS}\p{Nd}])${FORM}`,
].join('|');

/**
 * Characters that steer how a text is shown, and those that nobody sees, such as a space without width, an annotation, or an
 * empty Braille cell beside no other. What agents write is shown to people, who must not see something else than is there.
 * Joiners, and what chooses the form of a character, stay where emoji and scripts need them; after Latin, Greek and Cyrillic
 * letters, digits and marks they do nothing but hide, and so they do after a character that is not seen: it matches all
 * that stand together, so that nothing is left to mark where they are marked.
 */
// eslint-disable-next-line regexp/no-super-linear-move -- nothing follows that could refuse a run, so each is read once
const IN_LINES = `(?:${UNSEEN})[\\u200c\\u200d\\ufe00-\\ufe0f]*`;

/** The same as a new expression: one that is kept has a position, which nobody may share, and which workflow code may not change. */
export function unseenInLines(flags: 'gu' | 'u' = 'gu'): RegExp {
  return new RegExp(IN_LINES, flags);
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}

/** How a character stands there that nobody would see, as `[U+202E]`. */
export function shownCode(character: string): string {
  return `[U+${codeOf(character).toUpperCase()}]`;
}

/**
 * A text of somebody else as people may read it, wherever that is: a character that steers, or is not seen, stands there by its
 * code, as `[U+202E]`. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(unseenInLines(), (unseen) => Array.from(unseen, shownCode).join(''));
}

/** The same in one line: each line break or tab is a space. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/\r\n|[\r\n\t]/g, ' '));
}

/**
 * The name of a value as people may read it where values stand below each other: as JSON where it could be taken for a line of
 * the value before it.
 */
export function visibleName(name: string): string {
  return /^[\s>|]|[\n\r]|\s$/.test(name) ? visibleJson(JSON.stringify(name)) : visible(name);
}

/** JSON in which such characters are escaped, so that it stays the same value. */
export function visibleJson(json: string): string {
  return json.replaceAll(unseenInLines(), escapedInJson);
}

/** Characters as JSON escapes them: each half of one that has two. */
export function escapedInJson(characters: string): string {
  return characters.replaceAll(/[^]/g, (half) => `\\u${codeOf(half)}`);
}

/** What leaves no mark on a page: white space, what steers, what nobody sees, an empty Braille cell, a note without a head. */
const BLANK =
  /^[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}\u{1d159}]*$/u;

/** Whether nobody would see anything of a text: it is empty, or only white space and characters that are not seen. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
