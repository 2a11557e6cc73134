import { sql } from 'kysely';
import { LOG_KINDS } from '../../contracts/log/checkpoint.js';
import type { Store } from '../schema.js';
import { REMOVABLES, newestOf, tombOf, type Removable } from './removable.js';

/** The most rows that a transaction of retention writes: on the embedded store, all others wait for it. */
export const ROWS = 200;

interface MarkOptions {
  readonly at: Date;
  readonly before: Date;
}

/**
 * Marks everything that ended before an instant and that nothing holds, with all that belongs to it; and unmarks what is
 * held by now. Marked things stay until a checkpoint has recorded their removal (docs/adr/0042).
 *
 * @param goOn - called between two transactions; throws to stop the work
 * @returns the number of things that are marked and not removed yet
 */
export async function markSettled(
  db: Store,
  options: MarkOptions,
  goOn: () => void = () => undefined,
): Promise<number> {
  for (const removable of REMOVABLES) await repeat(() => unmark(db, removable), goOn);
  // A mark may free what was examined before in the same pass: a parent is marked after its children.
  await repeat(() => markOnce(db, options, goOn), goOn);
  for (const { kind, marked } of REMOVABLES) {
    if (marked) await repeat(() => markParts(db, { kind, marked }, options), goOn);
  }
  const { count } = await db
    .selectFrom('retention_tombstones')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('removed_at', 'is', null)
    .where('swept', '=', false)
    .where('kind', 'in', LOG_KINDS)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function repeat(step: () => Promise<number>, goOn: () => void): Promise<void> {
  for (let changed = 1; changed > 0;) {
    changed = await step();
    goOn();
  }
}

async function markOnce(db: Store, options: MarkOptions, goOn: () => void): Promise<number> {
  let marked = 0;
  for (const { kind, alone } of REMOVABLES) {
    if (alone === undefined) continue;
    for (let after: Place | undefined = { at: '-infinity', id: '' }; after !== undefined;) {
      const page: MarkedPage = await markPage(db, { kind, alone }, options, after);
      marked += page.marked;
      after = page.last;
      goOn();
    }
  }
  return marked;
}

interface Place {
  readonly at: string;
  readonly id: string;
}

interface MarkedPage {
  readonly marked: number;
  readonly last: Place | undefined;
}

type Alone = Required<Pick<Removable, 'kind' | 'alone'>>;

/** Marks what has ended in one page of candidates, in one statement. */
async function markPage(
  db: Store,
  { kind, alone }: Alone,
  { at, before }: MarkOptions,
  after: Place,
): Promise<MarkedPage> {
  const order = sql.ref(`thing.${alone.order}`);
  const { rows } = await sql<Place & { readonly marked: boolean }>`
    with page as (
      select thing.*, ${order} as ended from ${sql.table(`${kind}s`)} thing
      where ${alone.among} and ${order} < ${before.toISOString()}::timestamptz
        and (${order}, thing.id) > (${after.at}::timestamptz, ${after.id})
        and not ${tombOf(kind, 'thing.id')}
      order by ${order}, thing.id limit ${ROWS}
    ), marked as (
      insert into retention_tombstones (kind, id, last_sequence, head_hash, reason, marked_at)
      select ${kind}, thing.id, newest.sequence, newest.event_hash, 'retention',
        ${at.toISOString()}::timestamptz
      from page thing left join lateral ${newestOf(kind)} newest on true
      where coalesce(newest.at < ${before.toISOString()}::timestamptz, true) and not ${alone.held}
      on conflict (kind, id) do nothing
      returning id
    )
    select page.id, page.ended as at, marked.id is not null as marked
    from page left join marked on marked.id = page.id order by page.ended, page.id`.execute(db);
  const last = rows.length < ROWS ? undefined : rows.at(-1);
  return { marked: rows.filter(({ marked }) => marked).length, last };
}

type Part = Required<Pick<Removable, 'kind' | 'marked'>>;

async function markParts(db: Store, { kind, marked }: Part, { at }: MarkOptions): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into retention_tombstones (kind, id, last_sequence, head_hash, reason, marked_at)
    select ${kind}, thing.id, newest.sequence, newest.event_hash, 'retention',
      ${at.toISOString()}::timestamptz
    from ${sql.table(`${kind}s`)} thing left join lateral ${newestOf(kind)} newest on true
    where ${marked} and not ${tombOf(kind, 'thing.id')}
    limit ${ROWS}
    on conflict (kind, id) do nothing`.execute(db);
  return Number(numAffectedRows);
}

/** Unmarks what is held, and parts of what is no longer marked. */
async function unmark(db: Store, { kind, alone, marked }: Removable): Promise<number> {
  const isHeld = alone && sql`((${alone.among}) and (${alone.held}))`;
  const isAlone = alone ? sql`(${alone.among})` : sql`false`;
  const isLeft = marked && sql`(not ${isAlone} and not (${marked}))`;
  const { numAffectedRows = 0n } = await sql`
    delete from retention_tombstones where kind = ${kind} and id in (
      select thing.id from retention_tombstones mark
      join ${sql.table(`${kind}s`)} thing on thing.id = mark.id
      where mark.kind = ${kind} and mark.removed_at is null and not mark.swept
        and (${sql.join(
          [isHeld, isLeft].filter((condition) => condition !== undefined),
          sql` or `,
        )})
      limit ${ROWS}
    )`.execute(db);
  return Number(numAffectedRows);
}
