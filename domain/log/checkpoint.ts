import { base64urlnopad } from '@scure/base';
import type {
  Checkpoint,
  CheckpointLeaf,
  UnsignedCheckpoint,
} from '../../contracts/log/checkpoint.js';
import { canonicalJson, hashJsonBase64Url } from '../kernel/hashing.js';
import { utf8Bytes } from '../kernel/text.js';
import { MerkleTree } from './merkle.js';

/** Prevents the reuse of a signature for something else. */
const CONTEXT = 'holdpoint checkpoint 1\n';

/** The bytes of a leaf: its canonical JSON (RFC 8785) in UTF-8. */
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

/** The signed part of a log checkpoint, without its other fields. */
export function unsignedOf(checkpoint: UnsignedCheckpoint): UnsignedCheckpoint {
  const { number, signed_at, tree_size, root_hash, previous_hash, public_key } = checkpoint;
  return { number, signed_at, tree_size, root_hash, previous_hash, public_key };
}

/** The bytes that the signature of a checkpoint covers. */
export function signedBytes(checkpoint: UnsignedCheckpoint): Uint8Array {
  return utf8Bytes(CONTEXT + canonicalJson(unsignedOf(checkpoint)));
}

/** The hash of a checkpoint as the next one covers it. */
export function hashOfCheckpoint(checkpoint: Checkpoint | UnsignedCheckpoint): string {
  return `sha256:${hashJsonBase64Url(unsignedOf(checkpoint))}`;
}
