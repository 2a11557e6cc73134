/** Letters and digits that a reader may take for an ASCII letter, in lower case and without marks. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀаꭺ4@',
  b: 'вьβʙƅᏼ',
  c: 'сςϲᴄⅽꮯ',
  d: 'ԁɗđᴅðꭰ',
  e: 'еєεҽᴇɛəꭼ3',
  f: 'ғƒꜰϝẝ',
  g: 'ɡɢԍցᶃ',
  h: 'һհʜħ',
  i: 'іιıɩɪӏlłʟ1|ǀյ',
  j: 'јϳʝᴊ',
  k: 'кκᴋƙ',
  m: 'мᴍϻ',
  n: 'пոռɴ',
  o: 'оοσօᴏøɵө0',
  p: 'рρᴘþ',
  q: 'ԛգզ',
  r: 'гʀɾꭱ',
  s: 'ѕꜱʂ5$',
  t: 'тτᴛŧ7',
  u: 'υսцᴜʋ',
  v: 'ѵνᴠ',
  w: 'ԝωᴡɯ',
  x: 'хχҳ',
  y: 'уүγʏ',
  z: 'ᴢʐƶ',
};
const PLAIN: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([plain, others]) =>
    Array.from(others, (other) => [other, plain] as const),
  ),
);
/** Capitals that look like another letter than their small form does. */
const CAPITALS: ReadonlyMap<string, string> = new Map([
  ['Ν', 'N'],
  ['Υ', 'Y'],
  ['Η', 'H'],
  ['Н', 'H'],
  ['Μ', 'M'],
  ['Ζ', 'Z'],
]);
/** Two letters that look like one. */
const PAIRS = [
  ['rn', 'm'],
  ['vv', 'w'],
] as const;

/** The part of a text that is compared; words that somebody may mistake are short. */
const READ_CHARACTERS = 300;

/** Stands for a letter of which nobody knows what a reader takes it for. */
export const ANY_LETTER = '\uFFFD';

/**
 * Returns the words of a name as a reader may take them: without case, width, marks and hidden characters, in
 * look-alike ASCII letters. A capital after a small letter begins a word. A letter that is in no list becomes
 * `ANY_LETTER`.
 */
export function wordsAsRead(name: string): readonly string[] {
  const shown = name
    .slice(0, READ_CHARACTERS)
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{C}\p{DI}]/gu, '');
  const capitals = shown.replaceAll(/\p{Lu}/gu, (letter) => CAPITALS.get(letter) ?? letter);
  const apart = capitals.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').toLowerCase();
  const plain = Array.from(apart, (letter) => PLAIN.get(letter) ?? letter).join('');
  const words = plain.split(/[^\p{L}\p{N}\p{So}]+/u).filter((word) => word !== '');
  return words.map((word) => word.replaceAll(/[^a-z0-9]/gu, ANY_LETTER));
}

/** Words as one text, whatever stands between them. */
export function joinedAsRead(words: readonly string[]): string {
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), words.join(''));
}

/** Returns the form in which "cl" counts as a d, after all else, when an l may be an i or `ANY_LETTER`. */
export function withoutSplitD(joined: string): string {
  return joined.replaceAll('ci', 'd');
}

/**
 * Whether a reader may take a text for another, both of `joinedAsRead`. `ANY_LETTER` stands for any one letter or
 * none, if at least half of the letters of `text` are known; all of `other` are.
 */
export function looksLike(text: string, other: string): boolean {
  if (text === other) return true;
  const known = text.replaceAll(ANY_LETTER, '');
  if (known.length === text.length || known.length * 2 < text.length) return false;
  if (known === other) return true;
  const letters = Array.from(text);
  const fits = (letter: string, index: number) => letter === ANY_LETTER || letter === other[index];
  return letters.length === other.length && letters.every(fits);
}
