import { sql } from 'kysely';
import { lockShared } from '../advisory-locks.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import type { ChainHead, RunEvent } from '../../contracts/intent/event.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { erasureEvent } from '../../domain/intent/erasure.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { asHashed, sealEvent } from '../../domain/log/seal.js';
import { toJsonText, toText } from '../column-values.js';
import { announceFeed } from '../feed/notices.js';
import { wholeStore } from '../in-space.js';
import type { Store } from '../schema.js';
import { isRemoved, markOf, type ErasureMark } from './erasure/erasure-marks.js';
import { withinBytes, type Page, type Part } from './bounded.js';
import type { EventRange } from './event-log.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import type { Snapshot, StoredSnapshot } from '../../contracts/approval/snapshot.js';
import { migrate } from '../../domain/approval/asking/snapshot.js';

/** The first number of the advisory locks for appending to a log; the second is a hash of the run. */
const LOCK = 1_212_370_021;

export const RUN_EVENT_COLUMNS = [
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

/** The first event of an approval that people are asked about; its actor is the asker. */
const REQUESTED = 'approval_requested';

interface NewEvent extends Omit<ApprovalNote, 'intent_id'> {
  readonly salt: string;
  readonly space: string;
}

/**
 * Locks the table of runs before their events or snapshots are written: erasures lock the tables in this order, and
 * another order could deadlock.
 */
export async function lockRuns(transaction: Store): Promise<void> {
  await sql`lock table runs in row exclusive mode`.execute(transaction);
}

/**
 * Appends an event to the log of a run, once under its key, and to the feed. It is chained to the event before it,
 * even a removed one. Appends to one run wait for each other, so the feed has the order of the log.
 *
 * @param salt - the random salt of the payload
 */
export async function appendToRun(
  db: Store,
  note: ApprovalNote,
  salt: string,
  space: string,
): Promise<void> {
  const run = toText(note.run_id);
  await wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      const whose = `${space} ${run}`;
      await sql`
        select pg_advisory_xact_lock(${LOCK}::integer, hashtext(${whose}))`.execute(transaction);
      const known = await transaction
        .selectFrom('run_events')
        .select('sequence')
        .where('space', '=', space)
        .where('run_id', '=', run)
        .where('key', '=', toText(note.key))
        .executeTakeFirst();
      const approvalId = approvalIn(note.key);
      if (known !== undefined || (await isRemoved(transaction, 'approval', approvalId))) return;
      await lockRuns(transaction);
      const through = await appendSealed(transaction, { ...note, salt, space });
      // If the approval is erased, a trigger has removed the payload.
      const mark = await markOf(transaction, 'approval', approvalId);
      if (mark === undefined) return;
      const place = { approval_id: approvalId, run_id: note.run_id, space, through, salt };
      await appendErasure(transaction, place, mark);
    });
  announceFeed(wholeStore(db));
}

/** The erased events of an approval: all of them up to `through`. */
interface ErasedEvents extends Pick<NewEvent, 'run_id' | 'salt' | 'space'> {
  readonly approval_id: string;
  readonly through: number;
}

/** Records in the log of a run that events of an approval no longer have a payload. */
export async function appendErasure(
  transaction: Store,
  { approval_id, through, ...place }: ErasedEvents,
  { erased_at, erased_by }: ErasureMark,
): Promise<void> {
  const { event_type, actor, payload } = erasureEvent(through, erased_by);
  await appendSealed(transaction, {
    ...place,
    key: `erasure:${approval_id}:${through}`,
    event_type,
    actor,
    principal: erased_by,
    payload: { ...payload, approval_id },
    at: erased_at,
  });
}

/** Appends an event in a transaction that holds the lock. Returns its number. */
async function appendSealed(
  transaction: Store,
  { key, run_id, event_type, actor, principal, payload, at, salt, space }: NewEvent,
): Promise<number> {
  const run = toText(run_id);
  const end = await transaction
    .selectFrom('runs')
    .select(['last_sequence', 'head_hash'])
    .where('space', '=', space)
    .where('run_id', '=', run)
    .executeTakeFirst();
  const sequence = (end?.last_sequence ?? 0) + 1;
  const event = { run_id, sequence, event_type, actor, principal, payload, created_at: at };
  const sealed = sealEvent(event, end?.head_hash ?? null, salt);
  const isRequest = event_type === REQUESTED;
  const asked_as = isRequest ? toText(actor) : await askerOf(transaction, space, run, payload);
  await lockShared(transaction, 'feed');
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
      asked_as,
    })
    .execute();
  await sql`
    insert into runs (space, run_id, last_sequence, head_hash, last_at)
    values (${space}, ${run}, ${sequence}, ${sealed.event_hash}, ${at})
    on conflict (space, run_id) do update set
      last_sequence = excluded.last_sequence, head_hash = excluded.head_hash,
      last_at = greatest(runs.last_at, excluded.last_at), kept = true`.execute(transaction);
  return sequence;
}

/** Returns the asker of the approval that an event is about; null if nobody was asked, or it is erased. */
async function askerOf(
  db: Store,
  space: string,
  run: string,
  { approval_id }: JsonObject,
): Promise<string | null> {
  if (typeof approval_id !== 'string') return null;
  const { rows } = await sql<{ actor: string }>`
    select actor from run_events
    where space = ${space} and run_id = ${run} and event_type = ${REQUESTED}
      and payload ->> 'approval_id' = ${toText(approval_id)}
    order by sequence limit 1`.execute(db);
  return rows[0]?.actor ?? null;
}

/** Returns the id of the approval in the key of an event; an empty id belongs to nothing that was removed or erased. */
function approvalIn(key: string): string {
  const [, id = ''] = key.split(':');
  return id;
}

/** Selects the number of the last event of a run that counts as removed: existing events before it count too. */
const removedThrough = (run: string) =>
  sql<number>`coalesce((select removed_through from runs where run_id = ${run}), 0)`;

/** Returns a page of the events of a run, newest first. */
export async function listRunEvents(
  db: Store,
  runId: string,
  { limit, offset }: Page,
): Promise<Part<RunEvent>> {
  const run = toText(runId);
  const inOrder = db
    .selectFrom('run_events')
    .select([...RUN_EVENT_COLUMNS, 'bytes'])
    .where('run_id', '=', run)
    .where('sequence', '>', removedThrough(run))
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
    .offset(offset);
  const { rows, more } = await withinBytes(db, inOrder, limit, LIMITS.pageBytes);
  return { rows: rows.map(asHashed), more };
}

export async function runEventsIn(
  db: Store,
  runId: string,
  { after = 0, upTo, limit }: EventRange,
): Promise<RunEvent[]> {
  const run = toText(runId);
  const rows = await db
    .selectFrom('run_events')
    .select(RUN_EVENT_COLUMNS)
    .where('run_id', '=', run)
    .where('sequence', '>', after)
    .where('sequence', '>', removedThrough(run))
    .where('sequence', '<=', upTo)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map(asHashed);
}

interface RunLogEnd {
  /** The last recorded event, even if it is gone. */
  readonly head: ChainHead;
  /** The last event that retention has removed. */
  readonly removed: ChainHead;
  /** The number of the newest existing event; 0 without one. */
  readonly newest: number;
}

/** Reads the start and end of the log of a run at one moment. */
export async function runLogEnd(db: Store, runId: string): Promise<RunLogEnd> {
  const run = toText(runId);
  const { rows } = await sql<{
    readonly last_sequence: number;
    readonly head_hash: string | null;
    readonly removed_through: number;
    readonly removed_hash: string | null;
    readonly newest: number;
  }>`
    select coalesce(run.last_sequence, 0) as last_sequence, run.head_hash,
      coalesce(run.removed_through, 0) as removed_through, run.removed_hash,
      (
        select coalesce(max(sequence), 0) from run_events where run_id = ${run}
      ) as newest
    from (select 1) one left join runs run on run.run_id = ${run}`.execute(db);
  const [row] = rows;
  return {
    head: { sequence: row?.last_sequence ?? 0, event_hash: row?.head_hash ?? null },
    removed: { sequence: row?.removed_through ?? 0, event_hash: row?.removed_hash ?? null },
    newest: row?.newest ?? 0,
  };
}

/** Stores a snapshot under its hash; an existing one stays. Returns the instant at which it was saved (ISO-8601). */
export async function saveSnapshot(
  db: Store,
  { snapshot, hash }: StoredSnapshot,
  saved_at: string,
  space: string = DEFAULT_SPACE,
): Promise<string> {
  const { run_id, turn_index } = snapshot;
  const values = { space, hash, run_id: toText(run_id), turn_index, saved_at };
  await wholeStore(db)
    .transaction()
    .execute(async (transaction) => {
      await lockRuns(transaction);
      await transaction
        .insertInto('snapshots')
        .values({ ...values, snapshot: toJsonText(snapshot) })
        .onConflict((conflict) => conflict.columns(['space', 'hash']).doNothing())
        .execute();
      await sql`
        insert into runs (space, run_id, last_at)
        values (${space}, ${values.run_id}, ${saved_at})
        on conflict (space, run_id) do update set
          last_at = greatest(runs.last_at, excluded.last_at), kept = true`.execute(transaction);
    });
  const { saved_at: at } = await wholeStore(db)
    .selectFrom('snapshots')
    .select('saved_at')
    .where('space', '=', space)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return at;
}

/** Returns the newest snapshot of a run in the current form, or undefined. Throws if it cannot be upgraded. */
export async function latestSnapshot(
  db: Store,
  runId: string,
): Promise<StoredSnapshot | undefined> {
  const row = await db
    .selectFrom('snapshots')
    .select(['snapshot', 'hash'])
    .where('run_id', '=', toText(runId))
    .orderBy('turn_index', 'desc')
    .orderBy('saved_at', 'desc')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { snapshot: state, hash } = row;
  const migrated = migrate(state as unknown as JsonObject, state.schema_version);
  if (!migrated.ok) throw new TypeError(migrated.refusal.detail);
  return { snapshot: migrated.value as unknown as Snapshot, hash };
}
