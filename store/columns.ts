import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

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
  /** Bytes of the record. */
  bytes: GeneratedAlways<number>;
}

/** The database also derives a summary: the record without what lists leave out. */
export interface Summarized<Shown, Summary> extends Recorded<Shown> {
  summary: GeneratedAlways<Summary>;
  summary_bytes: GeneratedAlways<number>;
}
