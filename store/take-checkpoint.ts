import { setImmediate as otherWorkDone } from 'node:timers/promises';
import { LOG_KINDS } from '../contracts/checkpoint.js';
import type {
  Checkpoint,
  CheckpointLeaf,
  LogKind,
  UnsignedCheckpoint,
} from '../contracts/checkpoint.js';
import { LeafTree, hashOfCheckpoint, signedBytes } from '../domain/log/checkpoint.js';
import { settledBefore } from '../domain/log/retention.js';
import type { CheckpointKey } from '../runtime/checkpoint-key.js';
import {
  addLeaves,
  addedLeaves,
  insertCheckpoint,
  latestCheckpoint,
  leavesOf,
  logHeads,
  whileUnsigned,
} from './queries/checkpoint.js';
import type { AfterLog, LogHead } from './queries/checkpoint.js';
import type { Store } from './schema.js';

/** Logs that are read in one statement: few enough that nobody waits for it for long. */
const PAGE = 500;

/** The checkpoint with its signature. */
export function signed(key: CheckpointKey, checkpoint: UnsignedCheckpoint): Checkpoint {
  return { ...checkpoint, signature: key.sign(signedBytes(checkpoint)) };
}

/** A log whose end is not behind the end that a checkpoint has of it: it was cut off or made anew. */
export type BrokenLog = Pick<CheckpointLeaf, 'kind' | 'id'>;

export interface TakenCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The first hundred. Their leaves stay as they were. */
  readonly broken: readonly BrokenLog[];
}

export interface CheckpointOptions {
  readonly key: CheckpointKey;
  readonly now: () => Date;
  /** Called between two pages; throws if the work is to end. */
  readonly goOn?: () => void;
  /** After so many days retention removes what has ended; never without. */
  readonly settledDays?: number | undefined;
}

/**
 * Signs a checkpoint over the heads of all logs and stores it. Every page of logs is read and written in a transaction
 * of its own: a leaf says how one log ended at one moment, and nothing joins it to those of other logs, so there is no
 * need for one snapshot, for which the embedded store would let everybody wait (docs/adr/0040). A leaf never takes the
 * place of one that its log does not continue. A log that retention is about to remove is signed as removed, as long as
 * it is still there and its last event is old enough (docs/adr/0042).
 *
 * @throws Error if others sign so fast that three tries are not enough
 */
export async function takeCheckpoint(
  db: Store,
  { key, now, goOn = () => undefined, settledDays }: CheckpointOptions,
): Promise<TakenCheckpoint> {
  const before = settledDays === undefined ? undefined : settledBefore(now(), settledDays);
  for (let tries = 0; tries < 3; tries += 1) {
    const previous = await latestCheckpoint(db);
    const number = (previous?.number ?? 0) + 1;
    const broken = await gatherLeaves(db, { number, before }, goOn);
    if (broken === undefined) continue;
    const { tree, added } = await treeOf(db, number, goOn);
    const checkpoint = await whileUnsigned(db, number, async (transaction) => {
      if ((await addedLeaves(transaction, number)) !== added) return undefined;
      const next = signed(key, {
        number,
        signed_at: now().toISOString(),
        tree_size: tree.size,
        root_hash: tree.rootHash,
        previous_hash: previous ? hashOfCheckpoint(previous) : null,
        public_key: key.public_key,
      });
      await insertCheckpoint(transaction, next);
      return next;
    });
    if (checkpoint !== undefined) return { checkpoint, broken };
  }
  throw new Error('another process signs checkpoints at the same time');
}

/** Adds the ends that have changed to a checkpoint; undefined if somebody signed it meanwhile. */
async function gatherLeaves(
  db: Store,
  { number, before }: { readonly number: number; readonly before: Date | undefined },
  goOn: () => void,
): Promise<readonly BrokenLog[] | undefined> {
  const broken: BrokenLog[] = [];
  for (const kind of LOG_KINDS) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after;
      const page = await whileUnsigned(db, number, async (transaction) => {
        const { heads, last } = await logHeads(transaction, kind, {
          after: from,
          limit: PAGE,
          before,
        });
        const leaves = heads.flatMap((head) => newLeaf(kind, head, broken) ?? []);
        await addLeaves(transaction, number, leaves);
        return { last };
      });
      if (page === undefined) return undefined;
      after = page.last;
      goOn();
      await otherWorkDone();
    }
  }
  return broken.slice(0, 100);
}

/** The leaf of a log whose end has changed since the last one, or that is to be removed. */
function newLeaf(kind: LogKind, head: LogHead, broken: BrokenLog[]): CheckpointLeaf | undefined {
  const { id, sequence, head_hash, leaf_sequence, leaf_removed, leaf_holds, retires } = head;
  const leaf = { kind, id, sequence, head_hash };
  const wasRemoved = leaf_removed !== null;
  if (leaf_sequence !== null && leaf_holds !== true) {
    broken.push({ kind, id });
    return undefined;
  }
  if (retires) return wasRemoved ? undefined : { ...leaf, removed: 'retention' };
  return wasRemoved || sequence > (leaf_sequence ?? 0) ? leaf : undefined;
}

/** The tree of a checkpoint, and how many leaves it added to those of before. */
async function treeOf(
  db: Store,
  number: number,
  goOn: () => void,
): Promise<{ readonly tree: LeafTree; readonly added: number }> {
  const added = await addedLeaves(db, number);
  const tree = new LeafTree();
  for (let after: AfterLog; ;) {
    const leaves = await leavesOf(db, number, after, PAGE);
    for (const leaf of leaves) tree.add(leaf);
    if (leaves.length < PAGE) return { tree, added };
    after = leaves.at(-1);
    goOn();
    await otherWorkDone();
  }
}
