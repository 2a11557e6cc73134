import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { ApprovalNote } from '../../contracts/approval-log.js';
import type { RunEvent } from '../../contracts/run-event.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { sealEvent } from '../../domain/intent/event-seal.js';
import { toJsonText, toText } from '../column-values.js';
import { wholeStore } from '../in-space.js';
import type { RunEventsTable } from '../approval-tables.js';
import type { Store } from '../schema.js';
import { withinBytes } from './bounded.js';
import type { Page, Part } from './bounded.js';
import type { EventRange } from './event-log.js';

/** The advisory locks under which a log is appended to; the second number is a hash of whose log it is. */
const LOCK = 1_212_370_021;

const COLUMNS = [
  'id',
  'run_id',
  'sequence',
  'event_type',
  'actor',
  'principal',
  'payload',
  'payload_commitment',
  'payload_salt',
  'created_at',
  'previous_event_hash',
  'event_hash',
] as const;

type Row = Pick<Selectable<RunEventsTable>, (typeof COLUMNS)[number]>;

function eventOf({ payload_salt, ...event }: Row): RunEvent {
  return payload_salt === null ? { ...event, erased: true } : { ...event, payload_salt };
}

/**
 * Appends an event to the log of a run, once under its key, chained to the event before it. One short transaction; those of one
 * run wait for each other.
 *
 * @param salt - of the payload: random, so that nobody can tell it
 */
export async function appendToRun(
  db: Store,
  { key, run_id, event_type, actor, principal, payload, at }: ApprovalNote,
  salt: string,
  space: string,
): Promise<void> {
  const run = toText(run_id);
  await wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      const whose = `${space} ${run}`;
      await sql`
        select pg_advisory_xact_lock(${LOCK}::integer, hashtext(${whose}))`.execute(transaction);
      const { rows } = await sql<{ sequence: number; event_hash: string; known: boolean }>`
        select sequence, event_hash, exists (
          select from run_events where space = ${space} and run_id = ${run} and key = ${toText(key)}
        ) as known
        from run_events where space = ${space} and run_id = ${run}
        order by sequence desc limit 1`.execute(transaction);
      const [last] = rows;
      if (last?.known) return;
      const sequence = (last?.sequence ?? 0) + 1;
      const event = { run_id, sequence, event_type, actor, principal, payload, created_at: at };
      const sealed = sealEvent(event, last?.event_hash ?? null, salt);
      await transaction
        .insertInto('run_events')
        .values({
          space,
          run_id: run,
          sequence,
          key: toText(key),
          id: sealed.id,
          event_type: toText(event_type),
          actor: toText(actor),
          principal: toText(principal),
          payload: toJsonText(sealed.payload),
          payload_commitment: sealed.payload_commitment,
          payload_salt: sealed.payload_salt,
          created_at: at,
          previous_event_hash: sealed.previous_event_hash,
          event_hash: sealed.event_hash,
        })
        .execute();
    });
}

/** A page of the events of a run, newest first. */
export async function listRunEvents(
  db: Store,
  runId: string,
  { limit, offset }: Page,
): Promise<Part<RunEvent>> {
  const inOrder = db
    .selectFrom('run_events')
    .select([...COLUMNS, 'bytes'])
    .where('run_id', '=', toText(runId))
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .offset(offset);
  const { rows, more } = await withinBytes(db, inOrder, limit, LIMITS.pageBytes);
  return { rows: rows.map(eventOf), more };
}

/** A part of the log of a run, oldest first. */
export async function runEventsIn(
  db: Store,
  runId: string,
  { after = 0, upTo, limit }: EventRange,
): Promise<RunEvent[]> {
  const rows = await db
    .selectFrom('run_events')
    .select(COLUMNS)
    .where('run_id', '=', toText(runId))
    .where('sequence', '>', after)
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(eventOf);
}

/** The number of the newest event of a run; 0 without one. */
export async function runLogEnd(db: Store, runId: string): Promise<number> {
  const row = await db
    .selectFrom('run_events')
    .select(({ fn }) => fn.max('sequence').as('newest'))
    .where('run_id', '=', toText(runId))
    .executeTakeFirst();
  return row?.newest ?? 0;
}
