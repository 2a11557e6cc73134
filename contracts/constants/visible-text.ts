/** Characters that affect how a text is shown, except line breaks and tabs: controls, line ends, and direction marks. */
const STEERING = String.raw`[^\P{Cc}\n\t]|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]`;

const JOINER = String.raw`[\u200c\u200d]`;
/** Variation selectors, except the one for a key cap. */
const FORM = String.raw`[\ufe00-\ufe0f](?!\u20e3)`;
/** Letters that take neither joiners nor variation selectors. */
const LETTERS = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}`;

const UNSEEN = [
  STEERING,
  String.raw`[\ufff9-\ufffb]|(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])`,
  String.raw`(?![\u200c\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}`,
  String.raw`(?<=^|[${LETTERS}\p{N}\p{P}\p{Sc}\p{Sm}\p{Z}\p{Cf}\n\t])${JOINER}`,
  String.raw`(?<=[${LETTERS}\p{Nd}])${FORM}`,
].join('|');

/**
 * Characters that affect how a text is shown or that are invisible, such as a zero-width space, an annotation, or an
 * empty Braille cell beside no other. People must see exactly what an agent wrote. Joiners and variation selectors
 * stay where emoji and scripts need them; after Latin, Greek and Cyrillic letters, digits, marks and invisible
 * characters they only hide. A match includes all that follow each other.
 */
// eslint-disable-next-line regexp/no-super-linear-move -- nothing follows that could refuse a run, so each is read once
const IN_LINES = `(?:${UNSEEN})[\\u200c\\u200d\\ufe00-\\ufe0f]*`;

/**
 * Returns a new expression each time, because an expression has a position, which workflow code may not share or
 * change.
 */
export function unseenInLines(flags: 'gu' | 'u' = 'gu'): RegExp {
  return new RegExp(IN_LINES, flags);
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}

/** The code that is shown for an invisible character, such as `[U+202E]`. */
export function shownCode(character: string): string {
  return `[U+${codeOf(character).toUpperCase()}]`;
}

/** Returns a text of somebody else for people, with codes such as `[U+202E]` for steering and invisible characters. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(unseenInLines(), (unseen) => Array.from(unseen, shownCode).join(''));
}

/** Returns the visible text in one line: each line break or tab becomes a space. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll(/\r\n|[\r\n\t]/g, ' '));
}

/**
 * Returns a name for a list of values. A name that could be taken for a line of the value before it is written as
 * JSON.
 */
export function visibleName(name: string): string {
  return /^[\s>|]|[\n\r]|\s$/.test(name) ? visibleJson(JSON.stringify(name)) : visible(name);
}

/** Escapes such characters in JSON, so that it still has the same value. */
export function visibleJson(json: string): string {
  return json.replaceAll(unseenInLines(), escapedInJson);
}

/** JSON escapes of characters; a surrogate pair becomes two. */
export function escapedInJson(characters: string): string {
  return characters.replaceAll(/[^]/g, (half) => `\\u${codeOf(half)}`);
}

/**
 * Characters that leave a page blank: white space, controls, invisible characters, an empty Braille cell, a headless
 * note.
 */
const BLANK =
  /^[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{13430}-\u{1343f}\u{1d159}]*$/u;

/** Whether nothing of a text is visible: it is empty, or has only white space and invisible characters. */
export function isBlank(text: string): boolean {
  return BLANK.test(text);
}
