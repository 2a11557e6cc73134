import { sql } from 'kysely';
import type { Expression } from 'kysely';
import type { Store } from '../schema.js';

/** Which part of a list is wanted. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** With what may be large too; a list leaves that out by default. */
  readonly whole?: boolean;
}

/** Rows of a list, and whether there are more. */
export interface Part<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

/** Rows of a list: whole, or without what may be large. */
export type Form<Whole, Summary> =
  (Part<Whole> & { readonly whole: true }) | (Part<Summary> & { readonly whole: false });

/** What a query for a part of a list selects of each row besides what it is asked for. */
export interface Sized {
  /** How many bytes of JSON the row adds to the list. */
  readonly bytes: number;
}

/**
 * The first rows of a query, as many as fit into a number of bytes, and at least one. What is beyond is not read:
 * PostgreSQL sums up the sizes, and leaves the large columns of the other rows where they are.
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
  /** How many rows the query has. */
  readonly found: number;
  readonly reached: string;
}

/** Takes off again what only the query needed. */
function withoutCounts<T>({
  bytes: _bytes,
  place: _place,
  found: _found,
  reached: _reached,
  ...row
}: T & Counted): Omit<T, 'bytes'> {
  return row as unknown as Omit<T, 'bytes'>;
}
