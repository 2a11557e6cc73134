import { sql } from 'kysely';

/**
 * Characters that a search ignores: accents, points of Hebrew and Arabic, invisible ones, and tatweel, which only
 * makes a word longer. Marks of other scripts are letters.
 */
const LEFT_OUT = [
  '\\u00ad\\u0300-\\u036f\\u0485\\u0486\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u061c\\u064b-\\u0655\\u0670',
  '\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f',
  '\\u20d0-\\u20f0\\u3164\\ufb1e\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff\\uffa0\\U000e0000-\\U000e0fff',
  '\\u0640',
].join('');
const SPACE = '\\s\\u0085\\u1680\\u2028\\u2029';

type Alike = Readonly<Record<string, string>>;

function alike(from: string, to: string): Alike {
  const letters = Array.from(to);
  return Object.fromEntries(Array.from(from, (letter, index) => [letter, letters[index] ?? '']));
}

/** Letters that Unicode does not decompose, and marks of which people type another form. */
const LATIN = alike('øØđĐðÐħĦłŁŧŦıς‘’ʼ“”‐–—−', `ooddddhhllttiσ'''""----`);
const APART: Alike = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };

/** Forms of alef, yeh, kaf and heh; hamza and madda above and below are accents. */
const ARABIC = alike(
  '\u0671\u0672\u0673\u0649\u06cc\u06d0\u06a9\u0629\u06c1\u06c3\u06d5',
  '\u0627\u0627\u0627\u064a\u064a\u064a\u0643\u0647\u0647\u0647\u0647',
);

/** `½` is decomposed into `1⁄2`. */
const SLASHES: Alike = { '⁄': '/', '∕': '/' };

/** The zeros of scripts with digits of their own; nine follow each. Those of full width are decomposed before. */
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

/** For each letter that remains after accents are removed, the letter that replaces it. */
const PAIRS = [...Object.entries({ ...LATIN, ...ARABIC, ...SLASHES }), ...DIGITS, ...SMALL];

/**
 * How many characters of a text are folded: their grams fit into one value, and are made within half a second, even
 * by the embedded store.
 */
const MOST = sql.lit(20_000);

const translated = sql`translate(
    lower(normalize(regexp_replace(left(normalize(given, NFKD), ${MOST}), ${sql.lit(`[${LEFT_OUT}]+`)}, '', 'g'), NFC)
      collate "C"),
    ${sql.lit(PAIRS.map(([from]) => from).join(''))}, ${sql.lit(PAIRS.map(([, to]) => to).join(''))})`;
const folded = Object.entries(APART).reduce(
  (text, [letter, letters]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(letters)})`,
  translated,
);

/**
 * Folds a text: without case, accents, widths and invisible characters (docs/adr/0090). Arabic letters that are typed
 * in several ways become one, digits of all scripts those of ASCII, and fractions get a slash. The letters are named
 * here, because the database's own rules of case depend on how it was made.
 */
export const folding = sql`
  create function holdpoint_folded(given text) returns text
  language sql immutable parallel safe as $$
    select regexp_replace(
      case when given ~ '[^\\u0001-\\u007f]' then ${folded} else lower(given collate "C") end,
      ${sql.lit(`[${SPACE}]+`)}, ' ', 'g')
  $$;
`;

/**
 * The texts by which a question is found, besides its own: the answer with its label, comment and data, the reason of
 * a withdrawal, comments of votes, calls outside its context, and the context. `holdpoint_searched` folds all texts,
 * numbers, booleans and names in it.
 */
export const searched = sql`
  create function holdpoint_searchable(record jsonb) returns jsonb
  language sql immutable parallel safe as $$
    select jsonb_build_array(
      record -> 'response',
      (
        select choice -> 'label' from holdpoint_elements(record -> 'choices') choice
        where choice -> 'value' = record -> 'response' limit 1
      ),
      record -> 'comment', record -> 'data', record -> 'reason',
      jsonb_path_query_array(record, '$.votes[*].comment'),
      case when record #> '{context,tool_call}' is null
        then record #> '{approval,proposal,calls}' end,
      record -> 'context'
    )
  $$;

  create function holdpoint_searched(question text, record jsonb) returns text
  language sql immutable parallel safe as $$
    select left(holdpoint_folded(left(concat_ws(' ', question, (
      select string_agg(part #>> '{}', ' ') from (
        select jsonb_path_query(given, 'strict $.**
          ? (@.type() == "string" || @.type() == "number" || @.type() == "boolean")') part
        union all
        select jsonb_path_query(given, 'strict $.** ? (@.type() == "object").keyvalue().key')
      ) parts
    )), ${MOST})), ${MOST})
    from holdpoint_searchable(record) given
  $$;
`;

/**
 * The grams of a text are the up to three characters from each place to the end of its word. A longer part of a word is found by
 * all of its grams, a shorter one as the beginning of some. `holdpoint_wanted` makes the query for a text; null if it is empty.
 */
export const grams = sql`
  create function holdpoint_parts(given text) returns setof text
  language sql immutable parallel safe as $$
    select case
      when second is null or second = ' ' then first
      when third is null or third = ' ' then first || second
      else first || second || third
    end
    from (
      select letter as first, lead(letter) over places as second, lead(letter, 2) over places as third
      from string_to_array(given, null) letters
      cross join lateral unnest(letters) with ordinality each (letter, place)
      window places as (order by place)
    ) threes
    where first <> ' '
  $$;

  create function holdpoint_grams(folded text) returns tsvector
  language sql immutable parallel safe as $$
    select array_to_tsvector(coalesce(array_agg(distinct part), '{}'))
    from holdpoint_parts(folded) part
  $$;

  create function holdpoint_wanted(given text) returns tsquery
  language sql immutable parallel safe as $$
    select string_agg(distinct
      '''' || replace(replace(part, '\\', '\\\\'), '''', '''''') || '''' ||
        case when length(word) < 3 then ':*' else '' end, ' & ')::tsquery
    from unnest(string_to_array(holdpoint_folded(given), ' ')) word
    cross join lateral holdpoint_parts(word) part
    where length(part) = least(length(word), 3)
  $$;
`;

/**
 * The search finds parts of words, in any script (docs/adr/0090), without an extension of the database. A trigger
 * keeps both columns; by its name it runs after the one that erases.
 */
export const search = sql`
  create index suspensions_by_grams on suspensions using gin (grams);

  create function holdpoint_search_question() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      if (new.question, holdpoint_searchable(new.record))
        is not distinct from (old.question, holdpoint_searchable(old.record))
      then return new; end if;
    end if;
    new.searched := holdpoint_searched(new.question, new.record);
    new.grams := holdpoint_grams(new.searched);
    return new;
  end $$;

  create trigger search before insert or update on suspensions
    for each row execute function holdpoint_search_question();
`;
