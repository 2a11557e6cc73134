import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of a leaf as RFC 6962 §2.1 makes it. */
function leafHash(content: Uint8Array): Uint8Array {
  return sha256(concatBytes(LEAF, content));
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(concatBytes(NODE, left, right));
}

interface Subtree {
  /** The number of its leaves, a power of two. */
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

  /** Adds a leaf behind the others. */
  add(content: Uint8Array): void {
    this.leaves += 1;
    let added: Subtree = { size: 1, hash: leafHash(content) };
    for (let last = this.subtrees.at(-1); last?.size === added.size; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      added = { size: added.size * 2, hash: nodeHash(last.hash, added.hash) };
    }
    this.subtrees.push(added);
  }

  /** The root over all leaves so far; without any, the hash of nothing. */
  get root(): Uint8Array {
    const [last, ...others] = this.subtrees.toReversed();
    if (last === undefined) return sha256(new Uint8Array());
    return others.reduce((right, { hash }) => nodeHash(hash, right), last.hash);
  }
}
