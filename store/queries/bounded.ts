import { sql, type Expression, type RawBuilder } from 'kysely';
import type { Store } from '../schema.js';

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** Whether rows include their large parts. */
  readonly whole?: boolean;
}

export interface Part<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

/** Rows of a list: whole, or without their large parts. */
export type Form<Whole, Summary> =
  (Part<Whole> & { readonly whole: true }) | (Part<Summary> & { readonly whole: false });

interface Sized {
  /** The bytes of JSON that the row adds to the list. */
  readonly bytes: number;
}

/**
 * Returns the first rows of a query, as many as fit into `most` bytes, and at least one, without reading the large
 * columns of the others.
 *
 * @param query - in the order of the list, with at most one row more than `limit`
 */
export async function withinBytes<T extends Sized>(
  db: Store,
  query: Expression<T>,
  limit: number,
  most: number,
): Promise<Part<Omit<T, 'bytes'>>> {
  const { rows } = await sql<T & Counted>`
    select * from (
      select numbered.*, sum(bytes) over (order by place) as reached
      from (
        select listed.*, row_number() over ()::integer as place, count(*) over ()::integer as found
        from (${query}) listed
      ) numbered
    ) summed
    where (place = 1 or reached <= ${most}) and place <= ${limit}
    order by place`.execute(db);
  const { found } = rows[0] ?? { found: 0 };
  return { rows: rows.map((row) => withoutCounts<T>(row)), more: found > rows.length };
}

interface Counted extends Sized {
  readonly place: number;
  readonly found: number;
  readonly reached: string;
}

function withoutCounts<T>({
  bytes: _bytes,
  place: _place,
  found: _found,
  reached: _reached,
  ...row
}: T & Counted): Omit<T, 'bytes'> {
  return row as unknown as Omit<T, 'bytes'>;
}

export async function isAny(db: Store, query: RawBuilder<unknown>): Promise<boolean> {
  return (await query.execute(db)).rows.length > 0;
}
