import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { MOST, folding, searchAgain } from './0068-parts-of-words.js';

/**
 * The search also finds the names of context fields, and yes and no. Letters of Arabic that are typed in several ways are one, digits of
 * all scripts are those of ASCII, and a fraction is written with a slash (docs/adr/0090).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await folding(db, { ...ARABIC, ...SLASHES, ...digits() }, TATWEEL);
  await sql`
    create or replace function holdpoint_searched(question text, record jsonb) returns text
    language sql immutable parallel safe as $$
      select left(holdpoint_folded(left(concat_ws(' ', question, (
        select string_agg(part #>> '{}', ' ') from (
          select jsonb_path_query(coalesce(record -> 'context', '{}'), 'strict $.**
            ? (@.type() == "string" || @.type() == "number" || @.type() == "boolean")') part
          union all
          select jsonb_path_query(coalesce(record -> 'context', '{}'), 'strict $.**
            ? (@.type() == "object").keyvalue().key')
        ) parts
      )), ${MOST})), ${MOST})
    $$`.execute(db);
  await searchAgain(db);
}

/** It makes a word longer, and nothing else. */
const TATWEEL = '\\u0640';

/** Forms of alef, yeh, kaf and heh; hamza and madda above and below are accents. */
const ARABIC = {
  ٱ: 'ا',
  ٲ: 'ا',
  ٳ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ۃ: 'ه',
  ە: 'ه',
};

/** `½` is taken apart into `1⁄2`. */
const SLASHES = { '⁄': '/', '∕': '/' };

/** The zeros of scripts that have digits of their own; nine follow each. Those of full width are taken apart before. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
  0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0,
  0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];

function digits(): Readonly<Record<string, string>> {
  const all = ZEROS.flatMap((zero) =>
    Array.from(
      { length: 10 },
      (_, digit) => [String.fromCodePoint(zero + digit), String(digit)] as const,
    ),
  );
  return Object.fromEntries(all);
}
