import { sql } from 'kysely';

/**
 * Characters that change no search: accents, points of Hebrew and Arabic, what is invisible, and tatweel, which only makes a
 * word longer. Marks of other scripts are letters.
 */
const LEFT_OUT = [
  '\\u00ad\\u0300-\\u036f\\u0485\\u0486\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u061c\\u064b-\\u0655\\u0670',
  '\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f',
  '\\u20d0-\\u20f0\\u3164\\ufb1e\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff\\uffa0\\U000e0000-\\U000e0fff',
  '\\u0640',
].join('');
const SPACE = '\\s\\u0085\\u1680\\u2028\\u2029';

/** For each letter, the one that stands for it. */
type Alike = Readonly<Record<string, string>>;

/** Pairs the letters of two texts. */
function alike(from: string, to: string): Alike {
  const letters = Array.from(to);
  return Object.fromEntries(Array.from(from, (letter, index) => [letter, letters[index] ?? '']));
}

/** Letters that Unicode does not take apart, and marks of which people type another form. */
const LATIN = alike('øØđĐðÐħĦłŁŧŦıς‘’ʼ“”‐–—−', `ooddddhhllttiσ'''""----`);
const APART: Alike = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Forms of alef, yeh, kaf and heh; hamza and madda above and below are accents. */
const ARABIC = alike(
  '\u0671\u0672\u0673\u0649\u06cc\u06d0\u06a9\u0629\u06c1\u06c3\u06d5',
  '\u0627\u0627\u0627\u064a\u064a\u064a\u0643\u0647\u0647\u0647\u0647',
);

/** `½` is taken apart into `1⁄2`. */
const SLASHES: Alike = { '⁄': '/', '∕': '/' };

/** The zeros of scripts that have digits of their own; nine follow each. Those of full width are taken apart before. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
  0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
  0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];

const DIGITS = ZEROS.flatMap((zero) =>
  Array.from(
    { length: 10 },
    (_, digit) => [String.fromCodePoint(zero + digit), String(digit)] as const,
  ),
);

/** Blocks whose letters have two cases: Latin, Greek, Cyrillic, Armenian, Georgian. The pairs of Unicode never change. */
const CASED = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x531, 0x556],
  [0x1c90, 0x1cbf],
  [0x1e9e, 0x1e9e],
] as const;

const SMALL = CASED.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
    .filter((letter) => letter.normalize('NFD') === letter && !Object.hasOwn(LATIN, letter))
    .map((letter) => [letter, letter.toLowerCase()] as const)
    .filter(([letter, lower]) => lower !== letter && lower.length === 1),
);

/** For each letter that folding still finds after accents are gone, the letter that stands for it. */
const PAIRS = [...Object.entries({ ...LATIN, ...ARABIC, ...SLASHES }), ...DIGITS, ...SMALL];

/**
 * So many characters of a text are folded: their grams always fit into one value, and are made within half a second, also by
 * the embedded store.
 */
export const MOST = sql.lit(20_000);

const translated = sql`translate(
    lower(normalize(regexp_replace(left(normalize(given, NFKD), ${MOST}), ${sql.lit(`[${LEFT_OUT}]+`)}, '', 'g'), NFC)
      collate "C"),
    ${sql.lit(PAIRS.map(([from]) => from).join(''))}, ${sql.lit(PAIRS.map(([, to]) => to).join(''))})`;
const folded = Object.entries(APART).reduce(
  (text, [letter, letters]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(letters)})`,
  translated,
);

/**
 * A text without case, accents, widths and invisible characters (docs/adr/0090). Letters of Arabic that are typed in several
 * ways are one, digits of all scripts are those of ASCII, and a fraction is written with a slash. The database's own rules of
 * case depend on how it was made, so these name the letters.
 */
export const folding = sql`
  create function holdpoint_folded(given text) returns text
  language sql immutable parallel safe as $$
    select regexp_replace(
      case when given ~ '[^\\u0001-\\u007f]' then ${folded} else lower(given collate "C") end,
      ${sql.lit(`[${SPACE}]+`)}, ' ', 'g')
  $$;
`;
