import { sql, type Selectable, type Transaction } from 'kysely';
import type {
  Checkpoint,
  CheckpointLeaf,
  CheckpointList,
  LogKind,
} from '../../contracts/log/checkpoint.js';
import { defined } from '../../contracts/constants/defined.js';
import { lockAlone } from '../advisory-locks.js';
import { toText } from '../column-values.js';
import type { CheckpointLeavesTable } from '../tables.js';
import type { Database, Store } from '../schema.js';
import type { Page } from './bounded.js';

const COLUMNS = [
  'number',
  'signed_at',
  'tree_size',
  'root_hash',
  'previous_hash',
  'public_key',
  'signature',
] as const;

function checkpointsIn(db: Store) {
  return db.selectFrom('checkpoints').select(COLUMNS);
}

/** Returns the newest checkpoint; undefined before the first. */
export async function latestCheckpoint(db: Store): Promise<Checkpoint | undefined> {
  return checkpointsIn(db).orderBy('number', 'desc').executeTakeFirst();
}

export async function findCheckpoint(db: Store, number: number): Promise<Checkpoint | undefined> {
  return checkpointsIn(db).where('number', '=', number).executeTakeFirst();
}

/** Returns a page of checkpoints, newest first, and every key that signed one. */
export async function listCheckpoints(db: Store, { limit, offset }: Page): Promise<CheckpointList> {
  const newest = checkpointsIn(db).orderBy('number', 'desc');
  const checkpoints = await newest.limit(limit).offset(offset).execute();
  const keys = await db.selectFrom('checkpoints').select('public_key').distinct().execute();
  return { checkpoints, public_keys: keys.map(({ public_key }) => public_key).toSorted() };
}

/** The log after which a page of logs begins. */
export type AfterLog = Pick<CheckpointLeaf, 'kind' | 'id'> | undefined;

/** The end of a log in the store, and in its newest leaf. */
export interface LogHead {
  readonly id: string;
  readonly sequence: number;
  readonly head_hash: string;
  readonly leaf_sequence: number | null;
  readonly leaf_removed: string | null;
  /** Whether the event of that leaf is still there with its hash; null without a leaf. */
  readonly leaf_holds: boolean | null;
  /** Whether retention is about to remove it: it is marked, and its last event is older than `before`. */
  readonly retires: boolean;
}

interface HeadRange {
  readonly after: string;
  readonly limit: number;
  /** Retention may remove logs whose newest event is older; without it, none. */
  readonly before?: Date | undefined;
}

/** Returns a page of the heads of all logs of a kind, by id. Logs whose last event has no hash are left out. */
export async function logHeads(
  db: Store,
  kind: LogKind,
  { after, limit, before }: HeadRange,
): Promise<{ readonly heads: readonly LogHead[]; readonly last: string | undefined }> {
  const owners = sql.table(`${kind}s`);
  const isTimeline = kind === 'suspension';
  const events = sql.table(isTimeline ? 'suspension_timeline' : 'events');
  const owner = sql.ref(isTimeline ? 'suspension_id' : 'intent_id');
  const at = sql.ref(isTimeline ? 'at' : 'created_at');
  const { rows } = await sql<Omit<LogHead, 'head_hash'> & { readonly head_hash: string | null }>`
    select page.id, newest.sequence, newest.event_hash as head_hash,
      leaf.sequence as leaf_sequence, leaf.removed as leaf_removed,
      case when leaf.sequence is not null then exists (
        select from ${events} kept
        where kept.${owner} = page.id and kept.sequence = leaf.sequence
          and kept.event_hash = leaf.head_hash
      ) end as leaf_holds,
      mark.id is not null
        and newest.at < ${before?.toISOString() ?? '-infinity'}::timestamptz as retires
    from (select id from ${owners} where id > ${after} order by id limit ${limit}) page
    left join lateral (
      select sequence, event_hash, ${at} as at from ${events} event
      where event.${owner} = page.id order by sequence desc limit 1
    ) newest on true
    left join lateral (
      select sequence, head_hash, removed from checkpoint_leaves known
      where known.kind = ${kind} and known.id = page.id order by checkpoint desc limit 1
    ) leaf on true
    left join retention_tombstones mark
      on mark.kind = ${kind} and mark.id = page.id and mark.removed_at is null
    order by page.id`.execute(db);
  const heads = rows.flatMap(({ head_hash, ...head }) => (head_hash ? { ...head, head_hash } : []));
  return { heads, last: rows.at(-1)?.id };
}

/** Returns a page of the leaves of a checkpoint, in the order of the tree. */
export async function leavesOf(
  db: Store,
  checkpoint: number,
  after: AfterLog,
  limit: number,
): Promise<readonly CheckpointLeaf[]> {
  const { kind, id } = after ?? { kind: '', id: '' };
  const { rows } = await sql<Selectable<Omit<CheckpointLeavesTable, 'checkpoint'>>>`
    select distinct on (kind, id) kind, id, sequence, head_hash, removed
    from checkpoint_leaves
    where checkpoint <= ${checkpoint} and (kind, id) > (${kind}, ${toText(id)})
    order by kind, id, checkpoint desc
    limit ${limit}`.execute(db);
  return rows.map(({ removed, ...leaf }) => ({
    ...leaf,
    ...defined({ removed: removed ?? undefined }),
  }));
}

/**
 * Runs an addition to checkpoint `number` under its lock; undefined if that is signed already. Two processes that
 * make the same checkpoint add to one set of leaves, and nothing is added after the signature.
 */
export async function whileUnsigned<T>(
  db: Store,
  number: number,
  run: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction().execute(async (transaction) => {
    await lockAlone(transaction, 'checkpoints');
    const signed = await transaction
      .selectFrom('checkpoints')
      .select('number')
      .where('number', '>=', number)
      .executeTakeFirst();
    return signed === undefined ? run(transaction) : undefined;
  });
}

/** Adds leaves to a checkpoint; existing ones stay as they are. */
export async function addLeaves(
  db: Store,
  checkpoint: number,
  leaves: readonly CheckpointLeaf[],
): Promise<void> {
  if (leaves.length === 0) return;
  await db
    .insertInto('checkpoint_leaves')
    .values(leaves.map((leaf) => ({ removed: null, ...leaf, id: toText(leaf.id), checkpoint })))
    .onConflict((conflict) => conflict.columns(['kind', 'id', 'checkpoint']).doNothing())
    .execute();
}

export async function addedLeaves(db: Store, checkpoint: number): Promise<number> {
  const { count } = await db
    .selectFrom('checkpoint_leaves')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('checkpoint', '=', checkpoint)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertCheckpoint(db: Store, checkpoint: Checkpoint): Promise<void> {
  await db
    .insertInto('checkpoints')
    .values({ ...checkpoint, filed_at: null, posted_at: null })
    .execute();
}

/** The destinations of log checkpoints, each with the column of its delivery time. */
type DeliveryColumn = 'filed_at' | 'posted_at';

export async function firstUndelivered(
  db: Store,
  column: DeliveryColumn,
): Promise<Checkpoint | undefined> {
  return checkpointsIn(db).where(column, 'is', null).orderBy('number').executeTakeFirst();
}

export async function noteDelivered(
  db: Store,
  number: number,
  column: DeliveryColumn,
  at: string,
): Promise<void> {
  await db
    .updateTable('checkpoints')
    .set({ [column]: at })
    .where('number', '=', number)
    .execute();
}
