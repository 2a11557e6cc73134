import { setImmediate as otherWorkDone } from 'node:timers/promises';
import { LOG_KINDS } from '../contracts/checkpoint.js';
import type {
  Checkpoint,
  CheckpointLeaf,
  LogKind,
  UnsignedCheckpoint,
} from '../contracts/checkpoint.js';
import { LeafTree, hashOfCheckpoint, signedBytes } from '../domain/log/checkpoint.js';
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

/**
 * Signs a checkpoint over the heads of all logs and stores it. Every page of logs is read and written in a transaction
 * of its own: a leaf says how one log ended at one moment, and nothing joins it to those of other logs, so there is no
 * need for one snapshot, for which the embedded store would let everybody wait (docs/adr/0040). A leaf never takes the
 * place of one that its log does not continue.
 *
 * @param goOn - called between two pages; throws if the work is to end
 * @throws Error if others sign so fast that three tries are not enough
 */
export async function takeCheckpoint(
  db: Store,
  key: CheckpointKey,
  now: () => Date,
  goOn: () => void = () => undefined,
): Promise<TakenCheckpoint> {
  for (let tries = 0; tries < 3; tries += 1) {
    const previous = await latestCheckpoint(db);
    const number = (previous?.number ?? 0) + 1;
    const broken = await gatherLeaves(db, number, goOn);
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
  number: number,
  goOn: () => void,
): Promise<readonly BrokenLog[] | undefined> {
  const broken: BrokenLog[] = [];
  for (const kind of LOG_KINDS) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after;
      const page = await whileUnsigned(db, number, async (transaction) => {
        const { heads, last } = await logHeads(transaction, kind, from, PAGE);
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

/** The leaf of a log whose end has changed since the last one. */
function newLeaf(kind: LogKind, head: LogHead, broken: BrokenLog[]): CheckpointLeaf | undefined {
  const { id, sequence, head_hash, leaf_sequence, leaf_removed, leaf_holds } = head;
  if (leaf_sequence === null) return { kind, id, sequence, head_hash };
  if (leaf_removed === null && leaf_holds === true) {
    return sequence > leaf_sequence ? { kind, id, sequence, head_hash } : undefined;
  }
  broken.push({ kind, id });
  return undefined;
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
