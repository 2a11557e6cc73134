import { sql, type RawBuilder, type SelectType } from 'kysely';
import { LIMITS } from '../../contracts/constants/limits.js';
import { toText } from '../column-values.js';
import type { Database, Store } from '../schema.js';
import { withinBytes, type Form, type Page, type Part } from './bounded.js';

/** The tables that keep a record under an id, each with the column that sorts it by age. */
const AGE = {
  approvals: 'created_at',
  coordinators: 'granted_at',
  intents: 'created_at',
  plans: 'created_at',
  portfolios: 'created_at',
  subscriptions: 'created_at',
  tasks: 'created_at',
} as const satisfies Partial<Record<keyof Database, string>>;

type RecordTable = keyof typeof AGE;
type RecordOf<T extends RecordTable> = SelectType<Database[T]['record']>;
type LargeTable = 'intents' | 'plans' | 'portfolios' | 'tasks';
type SummaryOf<T extends LargeTable> = SelectType<Database[T]['summary']>;

interface Wanted<T extends RecordTable> extends Page {
  readonly first: 'newest' | 'oldest';
  /** The required contents of columns; undefined requires nothing. */
  readonly where?: Readonly<Partial<Record<keyof Database[T], string | undefined>>>;
  /** A query for the ids to choose from. */
  readonly among?: RawBuilder<unknown>;
  readonly only?: RawBuilder<boolean> | undefined;
}

export async function findRecord<T extends RecordTable>(
  db: Store,
  table: T,
  id: string,
): Promise<RecordOf<T> | undefined> {
  const { rows } = await sql<{ record: RecordOf<T> }>`
    select record from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.record;
}

/** The tables whose rows may have been created under an Idempotency-Key. */
export type CreatedTable = Exclude<RecordTable, 'approvals'>;

/**
 * Returns how something was created, or undefined if it is not stored: one read by primary key. The hash is that of
 * the request body; null without an Idempotency-Key.
 */
export async function findCreation(
  db: Store,
  table: CreatedTable,
  id: string,
): Promise<{ readonly creation_hash: string | null } | undefined> {
  return db.selectFrom(table).select('creation_hash').where('id', '=', id).executeTakeFirst();
}

/** Returns a page of records by age. Those of one instant are sorted by id, so that no page repeats one. */
export async function listRecords<T extends RecordTable>(
  db: Store,
  table: T,
  wanted: Wanted<T>,
): Promise<Part<RecordOf<T>>> {
  return onePage(db, inOrder(table, wanted, WHOLE), wanted.limit, LIMITS.pageBytes);
}

/** Returns a page of records that may be large: their summaries, unless the page wants them whole. */
export async function listLarge<T extends LargeTable>(
  db: Store,
  table: T,
  wanted: Wanted<T>,
): Promise<Form<RecordOf<T>, SummaryOf<T>>> {
  return inForm(db, wanted, (columns) => inOrder(table, wanted, columns));
}

type Columns = Readonly<Record<'one' | 'bytes', string>>;
const WHOLE: Columns = { one: 'record', bytes: 'bytes' };
const SUMMARY: Columns = { one: 'summary', bytes: 'summary_bytes' };

/**
 * Returns a page of large records.
 *
 * @param query - selects the given columns as `one` and `bytes`, in the order of the list, of one row more than the
 *   page has
 */
export async function inForm<W, S>(
  db: Store,
  { whole = false, limit }: Page,
  query: (columns: Columns) => RawBuilder<unknown>,
): Promise<Form<W, S>> {
  return whole
    ? { whole, ...(await onePage<W>(db, query(WHOLE), limit, LIMITS.wholePageBytes)) }
    : { whole, ...(await onePage<S>(db, query(SUMMARY), limit, LIMITS.pageBytes)) };
}

async function onePage<T>(
  db: Store,
  query: RawBuilder<unknown>,
  limit: number,
  most: number,
): Promise<Part<T>> {
  const sized = query as RawBuilder<{ readonly one: T; readonly bytes: number }>;
  const { rows, more } = await withinBytes(db, sized, limit, most);
  return { rows: rows.map(({ one }) => one), more };
}

function inOrder<T extends RecordTable>(
  table: T,
  { first, where, among, only, limit, offset }: Wanted<T>,
  { one, bytes }: Columns,
): RawBuilder<unknown> {
  const conditions = Object.entries<string | undefined>(where ?? {}).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${toText(value)}`],
  );
  if (only !== undefined) conditions.push(only);
  if (among !== undefined) conditions.push(sql`id in (${among})`);
  return sql`
    select ${sql.ref(one)} as one, ${sql.ref(bytes)} as bytes from ${sql.table(table)}
    where ${sql.join([sql`true`, ...conditions], sql` and `)}
    order by ${sql.ref(AGE[table])} ${sql.raw(first === 'newest' ? 'desc' : 'asc')}, id
    limit ${limit + 1} offset ${offset}`;
}
