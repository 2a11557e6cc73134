import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';
import type {
  Checkpoint,
  CheckpointLeaf,
  UnsignedCheckpoint,
} from '../../contracts/log/checkpoint.js';
import { canonicalJson, hashJsonBase64Url } from '../kernel/hashing.js';
import { utf8Bytes } from '../kernel/text.js';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of a leaf by RFC 6962 §2.1. */
function leafHash(content: Uint8Array): Uint8Array {
  return sha256(concatBytes(LEAF, content));
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(NODE, left, right));
}

interface Subtree {
  /** The number of leaves, a power of two. */
  readonly size: number;
  readonly hash: Uint8Array;
}

/** A Merkle tree (RFC 6962 §2.1). It keeps one hash for each bit of the number of leaves. */
export class MerkleTree {
  private subtrees: Subtree[] = [];
  private leaves = 0;

  get size(): number {
    return this.leaves;
  }

  add(content: Uint8Array): void {
    this.leaves += 1;
    let added: Subtree = { size: 1, hash: leafHash(content) };
    for (let last = this.subtrees.at(-1); last?.size === added.size; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      added = { size: added.size * 2, hash: nodeHash(last.hash, added.hash) };
    }
    this.subtrees.push(added);
  }

  /** The root over all leaves so far; the hash of an empty input if there are none. */
  get root(): Uint8Array {
    const [last, ...others] = this.subtrees.toReversed();
    if (last === undefined) return sha256(new Uint8Array());
    return others.reduce((right, { hash }) => nodeHash(hash, right), last.hash);
  }
}

/** Prevents the reuse of a signature for another purpose. */
const CONTEXT = 'holdpoint checkpoint 1\n';

/** The bytes of a leaf: canonical JSON (RFC 8785) in UTF-8. */
function leafBytes(leaf: CheckpointLeaf): Uint8Array {
  return utf8Bytes(canonicalJson(leaf));
}

/** Compares two leaves by kind, then by id, both byte by byte: the order of the tree, and of `COLLATE "C"`. */
export function compareLeaves(
  a: Pick<CheckpointLeaf, 'kind' | 'id'>,
  b: Pick<CheckpointLeaf, 'kind' | 'id'>,
): number {
  return (
    compareBytes(utf8Bytes(a.kind), utf8Bytes(b.kind)) ||
    compareBytes(utf8Bytes(a.id), utf8Bytes(b.id))
  );
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const differs = a.findIndex((byte, index) => byte !== b[index]);
  return differs === -1 ? a.length - b.length : (a[differs] ?? 0) - (b[differs] ?? -1);
}

/** The tree over the ends of logs. Leaves are added in their order. */
export class LeafTree {
  private readonly tree = new MerkleTree();
  private last: CheckpointLeaf | undefined;

  get size(): number {
    return this.tree.size;
  }

  /** The root as `sha256:<base64url>`. */
  get rootHash(): string {
    return `sha256:${base64urlnopad.encode(this.tree.root)}`;
  }

  /** Adds a leaf; returns false, and ignores it, if it does not come after the last one. */
  add(leaf: CheckpointLeaf): boolean {
    if (this.last !== undefined && compareLeaves(this.last, leaf) >= 0) return false;
    this.last = leaf;
    this.tree.add(leafBytes(leaf));
    return true;
  }
}

export function unsignedOf(checkpoint: UnsignedCheckpoint): UnsignedCheckpoint {
  const { number, signed_at, tree_size, root_hash, previous_hash, public_key } = checkpoint;
  return { number, signed_at, tree_size, root_hash, previous_hash, public_key };
}

export function signedBytes(checkpoint: UnsignedCheckpoint): Uint8Array {
  return utf8Bytes(CONTEXT + canonicalJson(unsignedOf(checkpoint)));
}

/** The hash of a checkpoint, which the next one contains. */
export function hashOfCheckpoint(checkpoint: Checkpoint | UnsignedCheckpoint): string {
  return `sha256:${hashJsonBase64Url(unsignedOf(checkpoint))}`;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Retention removes what ended before this instant. */
export function settledBefore(now: Date, settledDays: number): Date {
  return new Date(now.getTime() - settledDays * DAY_MS);
}
