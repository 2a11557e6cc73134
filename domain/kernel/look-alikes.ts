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
/** Capitals that look like another letter than their lower case does. */
const CAPITALS: ReadonlyMap<string, string> = new Map([
  ['Ν', 'N'],
  ['Υ', 'Y'],
  ['Η', 'H'],
  ['Н', 'H'],
  ['Μ', 'M'],
  ['Ζ', 'Z'],
]);
const PAIRS = [
  ['rn', 'm'],
  ['vv', 'w'],
] as const;

/** Only this many characters are compared; words that somebody may mistake are short. */
const READ_CHARACTERS = 300;

export const ANY_LETTER = '\uFFFD';

/**
 * Returns the words of a name as a reader may see them, in look-alike ASCII letters. A capital after a small letter
 * starts a word; an unlisted letter becomes `ANY_LETTER`.
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

/** Words as one text, without separators. */
export function joinedAsRead(words: readonly string[]): string {
  return PAIRS.reduce((text, [pair, one]) => text.replaceAll(pair, one), words.join(''));
}

/** Returns the form in which "cl" counts as "d". It comes last, when an l may also be an i or `ANY_LETTER`. */
export function withoutSplitD(joined: string): string {
  return joined.replaceAll('ci', 'd');
}

/**
 * Whether a reader may take one text for the other, both from `joinedAsRead`. `ANY_LETTER` matches any one letter or
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

/** Only this many characters are examined closely; the rest is compared as it is. */
const SEEN_CHARACTERS = 1_000;

/** Letters and marks with the letter that each looks like. They are indistinguishable, so case and accents matter. */
const TWINS: ReadonlyMap<string, string> = new Map([
  // Cyrillic.
  ...pairs('АаВЕеКМНОоРрСсТХхУуЅѕЈјіһԁԛԝԚԜҮүѴѵԌӠ', 'AaBEeKMH0oPpCcTXxYySsJjihdqwQWYyVvG3'),
  ...pairs('ІӀӏЗкҺ', 'lll3kh'),
  // Greek.
  ...pairs('ΑΒΕΖΗΚΜΝΟΡΤΥΧϹͿ', 'ABEZHKMN0PTYXCJ'),
  ...pairs('οναιυρκχωϲϳγτσΙ', 'ovaiupkxwcjytol'),
  // Cherokee.
  ...pairs('ᎪᏴᏼᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃᎥᎩᎽᏂᏏᏧᏻᏳ', 'ABBCDEGHJKLMPRSTVWZiyYhbdGG'),
  // Armenian, Coptic and Lisu.
  ...pairs('ՕօոսհՏզցյԼՍ', '0onuhSqgjLU'),
  ...pairs('ⲀⲂⲈⲎⲒⲔⲘⲚⲞⲢⲤⲦⲬⲟⲣⲥ', 'ABEHlKMN0PCTXopc'),
  ...pairs('ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ', 'BPDTGKJCZFMNLSRVHWXYAEl0U'),
  // Phonetic letters, and small capitals that look like small letters.
  ...pairs('ıɩɑɡɪᴄᴏꜱᴠᴡᴢᴜꞮƖǀ', 'iiagicosvwzulll'),
  ...pairs('I|1∣O', 'llll0'),
  ...pairs('‐‑‒–—―−⁃﹘─ー', '-----------'),
  ...pairs('’‘ʼ‛′`´ʹꞌ＇', "''''''''''"),
  ...pairs('“”„‟″ʺ', '""""""'),
  ...pairs('∕⁄╱⧸', '////'),
  ...pairs('∶ː꞉׃', '::::'),
  ...pairs('·•∙⋅・', '·····'),
  ...pairs('‚٫', ',,'),
  ...pairs('∗⁎∼˜', '**~~'),
]);

function pairs(others: string, plain: string): readonly (readonly [string, string])[] {
  const letters = Array.from(plain);
  return Array.from(others, (other, index) => [other, letters[index] ?? other] as const);
}

const JOINED = [
  ['rn', 'm'],
  ['cl', 'd'],
  ['vv', 'w'],
  ['VV', 'W'],
] as const;

function untwinned(text: string): string {
  return Array.from(text, (letter) => TWINS.get(letter) ?? letter).join('');
}

/** Converts a text so that texts which people cannot distinguish become equal. */
export function asSeen(whole: string): string {
  const text = whole.slice(0, SEEN_CHARACTERS);
  // Raised and circled digits do not look like plain ones.
  const composed = untwinned(text).replaceAll(/\P{No}+/gu, (part) => part.normalize('NFKC'));
  const seen = composed.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  const plain = untwinned(seen);
  const joined = JOINED.reduce((all, [pair, one]) => all.replaceAll(pair, one), plain);
  const runs = joined.replaceAll(/-+/gu, '-');
  const spaced = runs.replaceAll(/[\p{Cc}\p{Z}\s\u2800]+/gu, ' ').trim();
  return spaced + whole.slice(SEEN_CHARACTERS);
}
