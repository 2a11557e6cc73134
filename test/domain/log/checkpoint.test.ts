import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'mocha';
import type { Checkpoint, CheckpointLeaf } from '../../../contracts/log/checkpoint.js';
import {
  LeafTree,
  MerkleTree,
  compareLeaves,
  hashOfCheckpoint,
  signedBytes,
  unsignedOf,
} from '../../../domain/log/checkpoint.js';

const sha256 = (text: string) =>
  `sha256:${createHash('sha256').update(text, 'utf8').digest('base64url')}`;

function leaf(id: string, kind: CheckpointLeaf['kind'] = 'intent'): CheckpointLeaf {
  return { kind, id, sequence: 3, head_hash: sha256(id) };
}

const CHECKPOINT: Checkpoint = {
  number: 2,
  signed_at: '2026-11-22T10:00:00.000Z',
  tree_size: 1,
  root_hash: sha256('root'),
  previous_hash: null,
  public_key: `ed25519:${'p'.repeat(43)}`,
  signature: 's'.repeat(86),
};
const CANONICAL =
  `{"number":2,"previous_hash":null,"public_key":"${CHECKPOINT.public_key}",` +
  `"root_hash":"${CHECKPOINT.root_hash}","signed_at":"${CHECKPOINT.signed_at}","tree_size":1}`;

describe('the order of logs in a checkpoint', () => {
  it('is by kind, then by id', () => {
    const ordered = [leaf('b', 'intent'), leaf('a', 'portfolio'), leaf('a', 'suspension')];
    assert.deepEqual(ordered.toReversed().toSorted(compareLeaves), ordered);
    assert.ok(compareLeaves(leaf('a'), leaf('b')) < 0);
    assert.ok(compareLeaves(leaf('b'), leaf('a')) > 0);
    assert.equal(compareLeaves(leaf('a'), leaf('a')), 0);
  });

  it('is that of the bytes in UTF-8, where UTF-16 has another', () => {
    const [private_use, astral] = ['\ue000', '\u{10000}'];
    assert.ok(private_use > astral);
    assert.ok(compareLeaves(leaf(private_use), leaf(astral)) < 0);
  });

  it('puts an id before the ids that it begins', () => {
    assert.ok(compareLeaves(leaf('a'), leaf('a\u0000')) < 0);
    assert.ok(compareLeaves(leaf('a\u0000'), leaf('a')) > 0);
  });
});

describe('the tree of a checkpoint', () => {
  it('has the canonical JSON of each leaf in UTF-8', () => {
    const tree = new LeafTree();
    const expected = new MerkleTree();
    for (const one of [leaf('a'), leaf('ü')]) {
      assert.equal(tree.add(one), true);
      const { head_hash, id } = one;
      const text = `{"head_hash":"${head_hash}","id":"${id}","kind":"intent","sequence":3}`;
      expected.add(Buffer.from(text, 'utf8'));
    }
    assert.equal(tree.size, 2);
    const root = Buffer.from(expected.root).toString('base64url');
    assert.equal(tree.rootHash, `sha256:${root}`);
  });

  it('takes no leaf twice, and none out of order', () => {
    const tree = new LeafTree();
    assert.deepEqual(
      ['b', 'b', 'a', 'c', 'b'].map((id) => tree.add(leaf(id))),
      [true, false, false, true, false],
    );
    assert.equal(tree.size, 2);
  });
});

describe('what is signed of a checkpoint', () => {
  const stored = { ...CHECKPOINT, delivered: true };

  it('is everything but the signature, and nothing that it is stored with', () => {
    const { signature: _, ...unsigned } = CHECKPOINT;
    assert.deepEqual(unsignedOf(stored), unsigned);
  });

  it('is canonical JSON behind a line that says what it is', () => {
    const text = `holdpoint checkpoint 1\n${CANONICAL}`;
    assert.equal(Buffer.from(signedBytes(stored)).toString('utf8'), text);
  });

  it('is what the next checkpoint has the hash of', () => {
    assert.equal(hashOfCheckpoint(stored), sha256(CANONICAL));
  });
});
