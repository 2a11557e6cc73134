import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { MerkleTree } from '../../../domain/log/checkpoint.js';

const digest = (...parts: readonly Uint8Array[]) =>
  createHash('sha256').update(Buffer.concat(parts)).digest();

/** The definition of RFC 6962 §2.1, word for word. */
function treeHash(leaves: readonly Uint8Array[]): Buffer {
  const [only] = leaves;
  if (only === undefined) return digest();
  if (leaves.length === 1) return digest(Buffer.of(0), only);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return digest(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

function rootOf(leaves: readonly Uint8Array[]): string {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  assert.equal(tree.size, leaves.length);
  return Buffer.from(tree.root).toString('hex');
}

describe('a Merkle tree', () => {
  it('has the roots of the test vectors of Certificate Transparency', () => {
    const leaves = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ].map((hex) => Buffer.from(hex, 'hex'));
    const roots = [
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    assert.deepEqual(
      roots.map((_, size) => rootOf(leaves.slice(0, size))),
      roots,
    );
  });

  it('has the root of the definition for any leaves', () => {
    const leaf = fc.uint8Array({ maxLength: 4 });
    fc.assert(
      fc.property(fc.array(leaf, { maxLength: 70 }), (leaves) => {
        assert.equal(rootOf(leaves), treeHash(leaves).toString('hex'));
      }),
    );
  });
});
