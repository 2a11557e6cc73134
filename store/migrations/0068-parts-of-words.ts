import { sql } from 'kysely';
import type { Kysely } from 'kysely';

/**
 * The search finds parts of words, in any script (docs/adr/0090). `searched` is what stands in the question and in its
 * context, folded: without case, accents, widths and invisible characters. `grams` are the three characters that begin at each
 * place of it, up to the end of its word, for which there is an index: a longer part is found by all of its own, a shorter one as
 * the beginning of some. A trigger makes both, after the one that erases. No extension of the database is needed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await demandUnicode(db);
  await folding(db);
  await searching(db);
  await looking(db);
  await sql`alter table suspensions drop column if exists words`.execute(db);
  await sql`
    alter table suspensions add column if not exists searched text not null default '',
      add column if not exists grams tsvector not null default ''`.execute(db);
  await searchAgain(db);
  await sql`create index if not exists suspensions_by_grams on suspensions using gin (grams)`.execute(
    db,
  );
  await keeping(db);
}

/** Makes both columns of every row anew. */
export async function searchAgain(db: Kysely<unknown>): Promise<void> {
  await sql`alter table suspensions disable trigger user`.execute(db);
  await sql`
    update suspensions set searched = holdpoint_searched(question, record),
      grams = holdpoint_grams(holdpoint_searched(question, record))
    where question is not null`.execute(db);
  await sql`alter table suspensions enable trigger user`.execute(db);
}

/** PostgreSQL folds the characters of Unicode in no other encoding. */
async function demandUnicode(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new Error(`its encoding is ${encoding ?? 'unknown'}; Holdpoint needs one in UTF8`);
}

/** Characters that change no search: accents, points of Hebrew and Arabic, and what is invisible. Marks of other scripts are letters. */
const LEFT_OUT = [
  '\\u00ad\\u0300-\\u036f\\u0485\\u0486\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u061c\\u064b-\\u0655\\u0670',
  '\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f',
  '\\u20d0-\\u20f0\\u3164\\ufb1e\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\ufeff\\uffa0\\U000e0000-\\U000e0fff',
].join('');
const SPACE = '\\s\\u0085\\u1680\\u2028\\u2029';

/** Letters that Unicode does not take apart, and marks of which people type another form. */
const ALIKE: Readonly<Record<string, string>> = {
  ø: 'o',
  Ø: 'o',
  đ: 'd',
  Đ: 'd',
  ð: 'd',
  Ð: 'd',
  ħ: 'h',
  Ħ: 'h',
  ł: 'l',
  Ł: 'l',
  ŧ: 't',
  Ŧ: 't',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '–': '-',
  '—': '-',
  '−': '-',
};
const APART: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' };
/** Blocks whose letters have two cases: Latin, Greek, Cyrillic, Armenian, Georgian. The pairs of Unicode never change. */
const CASED = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x531, 0x556],
  [0x1c90, 0x1cbf],
  [0x1e9e, 0x1e9e],
] as const;

/** For each letter that folding still finds after accents are gone, the letter that stands for it. */
function pairs(more: Alike): readonly (readonly [from: string, to: string])[] {
  const small = CASED.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
      .filter((letter) => letter.normalize('NFD') === letter && !Object.hasOwn(ALIKE, letter))
      .map((letter) => [letter, letter.toLowerCase()] as const)
      .filter(([letter, lower]) => lower !== letter && lower.length === 1),
  );
  return [...Object.entries(ALIKE), ...Object.entries(more), ...small];
}

/**
 * So many characters of a text are folded: their grams always fit into one value, and are made within half a second, also by
 * the embedded store.
 */
export const MOST = sql.lit(20_000);

/** For each letter, the one that stands for it. */
type Alike = Readonly<Record<string, string>>;

/**
 * The database's own rules of case depend on how it was made, so these name the letters.
 *
 * @param more - further letters that are alike
 * @param leftOut - further characters that change no search, as in a set of a regular expression
 */
export async function folding(db: Kysely<unknown>, more: Alike = {}, leftOut = ''): Promise<void> {
  const from = pairs(more).map(([letter]) => letter);
  const to = pairs(more).map(([, letter]) => letter);
  const translated = sql`translate(
    lower(normalize(regexp_replace(left(normalize(given, NFKD), ${MOST}), ${sql.lit(`[${LEFT_OUT}${leftOut}]+`)}, '', 'g'), NFC)
      collate "C"),
    ${sql.lit(from.join(''))}, ${sql.lit(to.join(''))})`;
  const folded = Object.entries(APART).reduce(
    (text, [letter, letters]) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(letters)})`,
    translated,
  );
  await sql`
    create or replace function holdpoint_folded(given text) returns text
    language sql immutable parallel safe as $$
      select regexp_replace(
        case when given ~ '[^\\u0001-\\u007f]' then ${folded} else lower(given collate "C") end,
        ${sql.lit(`[${SPACE}]+`)}, ' ', 'g')
    $$`.execute(db);
}

async function searching(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function holdpoint_searched(question text, record jsonb) returns text
    language sql immutable parallel safe as $$
      select left(holdpoint_folded(left(concat_ws(' ', question, (
        select string_agg(part #>> '{}', ' ') from jsonb_path_query(
          coalesce(record -> 'context', '{}'), 'strict $.**
            ? (@.type() == "string" || @.type() == "number")') part
      )), ${MOST})), ${MOST})
    $$`.execute(db);
}

/** The grams of a text, and what is looked for among those of the others; null if that is nothing. */
async function looking(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function holdpoint_parts(given text) returns setof text
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
    $$`.execute(db);
  await sql`
    create or replace function holdpoint_grams(folded text) returns tsvector
    language sql immutable parallel safe as $$
      select array_to_tsvector(coalesce(array_agg(distinct part), '{}'))
      from holdpoint_parts(folded) part
    $$`.execute(db);
  await sql`
    create or replace function holdpoint_wanted(given text) returns tsquery
    language sql immutable parallel safe as $$
      select string_agg(distinct
        '''' || replace(replace(part, '\\', '\\\\'), '''', '''''') || '''' ||
          case when length(word) < 3 then ':*' else '' end, ' & ')::tsquery
      from unnest(string_to_array(holdpoint_folded(given), ' ')) word
      cross join lateral holdpoint_parts(word) part
      where length(part) = least(length(word), 3)
    $$`.execute(db);
}

async function keeping(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function holdpoint_search_question() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        if (new.question, new.record -> 'context')
          is not distinct from (old.question, old.record -> 'context')
        then return new; end if;
      end if;
      new.searched := holdpoint_searched(new.question, new.record);
      new.grams := holdpoint_grams(new.searched);
      return new;
    end $$`.execute(db);
  // Its name comes after that of the trigger that erases, so it sees what is left.
  await sql`
    create or replace trigger search before insert or update on suspensions
      for each row execute function holdpoint_search_question()`.execute(db);
}
