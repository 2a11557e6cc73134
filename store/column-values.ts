import pg from 'pg';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/**
 * PostgreSQL's text and jsonb can hold neither U+0000 nor half a surrogate pair. Such a character, and this
 * noncharacter itself, is stored as this noncharacter and four hex digits.
 */
const ESCAPE = '\uFDD0';
const ESCAPED = /\uFDD0([0-9a-f]{4})/g;

/** Returns a JSON value as the text for a jsonb column; `fromJsonText` reads it. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /\\\\|\\u(0000|d[89a-f][0-9a-f]{2})|\uFDD0/g,
    (found, hex: string | undefined) => {
      if (found === ESCAPE) return `${ESCAPE}fdd0`;
      return hex === undefined ? found : ESCAPE + hex;
    },
  );
}

export function fromJsonText(text: string): unknown {
  return JSON.parse(text.replace(ESCAPED, '\\u$1'));
}

/** Returns a string as the text for a text column; `fromText` reads it. */
export function toText(value: string): string {
  return value.replace(
    /[\u0000\uFDD0\p{Surrogate}]/gu,
    (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, '0'),
  );
}

export function fromText(text: string): string {
  return text.replace(ESCAPED, (_found, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** Does the same as `toText` for a string that may be missing. */
export function toTextOrNull(value: string | null | undefined): string | null {
  return value === undefined || value === null ? null : toText(value);
}

/** Does the same as `toJsonText` for a value that may be missing. */
export function toJsonTextOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : toJsonText(value);
}

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];
type Parser = (text: string) => unknown;

const { builtins } = pg.types;
const parseTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => Date;

const PARSERS = new Map<TypeId, Parser>([
  [builtins.TIMESTAMPTZ, (text) => parseTimestamp(text).toISOString()],
  [builtins.TEXT, fromText],
  [builtins.JSON, fromJsonText],
  [builtins.JSONB, fromJsonText],
]);

/**
 * How the store's connections read columns: instants as ISO strings with milliseconds and `Z`, texts and JSON decoded
 * from their stored form, everything else as the driver does.
 */
export const storeTypes = {
  getTypeParser(id: TypeId, format?: 'text' | 'binary'): Parser {
    const parser = format === 'binary' ? undefined : PARSERS.get(id);
    return parser ?? (pg.types.getTypeParser(id, format) as Parser);
  },
};

/** Written as the text of `toJsonText`, read as the value. */
export type Json<T> = ColumnType<T, string, string>;

export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** A table whose rows each belong to a space; see `in-space.ts`. */
export interface Spaced {
  space: Generated<string>;
}

/** A table that keeps what the API shows as JSON. */
export interface Recorded<Shown> {
  record: Json<Shown>;
  bytes: GeneratedAlways<number>;
}

/** A table for which the database also derives a summary: the record without what lists leave out. */
export interface Summarized<Shown, Summary> extends Recorded<Shown> {
  summary: GeneratedAlways<Summary>;
  summary_bytes: GeneratedAlways<number>;
}
