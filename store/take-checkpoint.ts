import { setImmediate as otherWorkDone } from 'node:timers/promises';
import {
  LOG_KINDS,
  type Checkpoint,
  type CheckpointLeaf,
  type LogKind,
  type UnsignedCheckpoint,
} from '../contracts/log/checkpoint.js';
import {
  LeafTree,
  hashOfCheckpoint,
  settledBefore,
  signedBytes,
} from '../domain/log/checkpoint.js';
import type { CheckpointKey } from '../runtime/checkpoint-key.js';
import {
  addLeaves,
  addedLeaves,
  insertCheckpoint,
  latestCheckpoint,
  leavesOf,
  logHeads,
  whileUnsigned,
  type AfterLog,
  type LogHead,
} from './queries/checkpoint.js';
import type { Store } from './schema.js';

/** The logs that one statement reads: few enough that nobody waits long for it. */
const PAGE = 500;

export function signed(key: CheckpointKey, checkpoint: UnsignedCheckpoint): Checkpoint {
  return { ...checkpoint, signature: key.sign(signedBytes(checkpoint)) };
}

/** A log that does not continue the end in its last checkpoint: it was cut off or rewritten. */
export type BrokenLog = Pick<CheckpointLeaf, 'kind' | 'id'>;

export interface TakenCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The first hundred broken logs; their leaves are not updated. */
  readonly broken: readonly BrokenLog[];
}

export interface CheckpointOptions {
  readonly key: CheckpointKey;
  readonly now: () => Date;
  /** Called between two pages; throws if the work is to end. */
  readonly goOn?: () => void;
  /** The days after which retention removes what has ended; never without. */
  readonly settledDays?: number | undefined;
}

/**
 * Signs a checkpoint over the heads of all logs and stores it, each page of logs in its own transaction, because
 * leaves are independent (docs/adr/0040). A leaf never replaces one that its log does not continue. A log that
 * retention is about to remove is signed as removed (docs/adr/0042).
 *
 * @throws Error if three tries fail because others sign at the same time
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

/** Adds the changed ends of logs to a checkpoint; undefined if another process signed it meanwhile. */
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
        const range = { after: from, limit: PAGE, before };
        const { heads, last } = await logHeads(transaction, kind, range);
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

/** Returns the leaf of a log that has changed since its last one, or that is to be removed. */
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

/** Returns the tree of a checkpoint, and the number of leaves that it added. */
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
