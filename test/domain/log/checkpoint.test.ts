import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { type IntentEvent, intentEventSchema } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Checkpoint, CheckpointLeaf } from '../../../contracts/log/checkpoint.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { uuidFrom } from '../../../domain/kernel/hashing.js';
import {
  compareLeaves,
  hashOfCheckpoint,
  LeafTree,
  MerkleTree,
  settledBefore,
  signedBytes,
  unsignedOf,
} from '../../../domain/log/checkpoint.js';
import {
  hashOfEvent,
  isIntact,
  payloadSalt,
  sealTimelineEntry,
  timelineEvent,
  type TimelineEvent,
} from '../../../domain/log/seal.js';
import { verifyChain } from '../../support/verified-chain.js';
import { AT, draft, erase, INTENT_ID, LOG_KEY, seal } from './chain-samples.js';

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

describe('what retention removes', () => {
  it('ended so many whole days before now', () => {
    const now = new Date('2026-03-24T10:00:00.123Z');
    assert.equal(settledBefore(now, 1).toISOString(), '2026-03-23T10:00:00.123Z');
    assert.equal(settledBefore(now, 30).toISOString(), '2026-02-22T10:00:00.123Z');
    assert.equal(settledBefore(now, 0).toISOString(), now.toISOString());
  });
});

describe('a sealed event', () => {
  it('has the SHA-256 of its other fields in canonical JSON, with its payload committed to', () => {
    const event = seal(draft(1, { b: 1, a: ['ü', 1e21] }));
    const salt = createHmac('sha256', LOG_KEY).update('1').digest('base64url');
    const payload = `{"payload":{"a":["ü",1e+21],"b":1},"salt":"${salt}"}`;
    const canonical =
      `{"actor":"agent-1","created_at":"${AT}","event_type":"note","intent_id":"${INTENT_ID}",` +
      `"payload_commitment":"${sha256(payload)}","previous_event_hash":null,` +
      `"principal":"agent-1","sequence":1}`;
    assert.equal(event.event_hash, sha256(canonical));
    assert.equal(event.payload_salt, salt);
    assert.equal(event.id, uuidFrom(event.event_hash));
    assert.deepEqual(intentEventSchema.parse(event), event);
  });

  it('covers who proved to be behind it, and where it comes from [R25-03]', () => {
    const said = { principal: 'agent-2', claimed: true, trace_id: 't-1', parent_event_id: 'p-1' };
    const hashes = Object.entries(said).map(([field, value]) =>
      hashOfEvent({ ...seal(draft(1)), [field]: value }),
    );
    assert.equal(new Set([...hashes, seal(draft(1)).event_hash]).size, 5);
  });

  it('is what JSON carries of it, so that its hash survives any reading back', () => {
    const odd = { none: undefined, zero: -0, list: [undefined, Number.NaN], half: '\ud800' };
    const event = seal(draft(1, odd as unknown as JsonObject));
    const read = JSON.parse(JSON.stringify(event)) as IntentEvent;
    assert.deepEqual(read, event);
    assert.deepEqual(event.payload, { zero: 0, list: [null, null], half: '\ud800' });
    assert.equal(isIntact(read), true);
  });

  it('tells half a surrogate pair from another', () => {
    const hashes = ['\ud800', '\udc00', '\ufffd', '\\ud800'].map(
      (text) => seal(draft(1, { text })).event_hash,
    );
    assert.equal(new Set(hashes).size, hashes.length);
  });

  it('keeps its hash and its id without its payload', () => {
    const event = seal(draft(1, { name: 'Ada Lovelace' }));
    const left = erase(event);
    assert.deepEqual([left.id, left.event_hash], [event.id, hashOfEvent(left)]);
    assert.equal(isIntact(left), true);
  });
});

describe('the salt of a payload', () => {
  it('differs from event to event, and from log to log', () => {
    const anyPlace = fc.tuple(fc.string(), fc.integer({ min: 1 }));
    fc.assert(
      fc.property(anyPlace, anyPlace, (one, other) => {
        fc.pre(one.join() !== other.join());
        assert.notEqual(payloadSalt(...one), payloadSalt(...other));
      }),
    );
  });

  it('makes equal payloads unequal, so that one commitment does not tell of another', () => {
    const one = seal(draft(1, { value: 'yes' }));
    const two = seal(draft(2, { value: 'yes' }), one);
    assert.notEqual(one.payload_commitment, two.payload_commitment);
  });
});

const ID = '0b7a9c1e-5d43-4a8f-8e2b-9c6d5e4f3a2b';

function entry(sequence: number): TimelineEntry {
  return {
    sequence,
    at: '2026-11-20T10:00:00.000Z',
    kind: 'attempt',
    detail: { attempt: sequence },
  };
}

function timeline(length: number): TimelineEvent[] {
  let head: string | null = null;
  return Array.from({ length }, (_, index) => {
    const seal = sealTimelineEntry(ID, entry(index + 1), head, payloadSalt('a key', index + 1));
    head = seal.event_hash;
    return timelineEvent(ID, entry(index + 1), seal);
  });
}

function broken(events: readonly TimelineEvent[]): string[] {
  return verifyChain(events).breaks.map(({ kind, sequence }) => `${kind} ${sequence}`);
}

describe('the chain over a timeline', () => {
  it('holds as it was recorded, and belongs to the suspension', () => {
    const report = verifyChain(timeline(4));
    assert.deepEqual(report.breaks, []);
    assert.equal(report.intent_id, ID);
  });

  it('shows each change of a field, and each lost entry', () => {
    const changes = [
      { at: '2026-11-20T11:00:00.000Z' },
      { kind: 'opened' },
      { payload: { attempt: 7 } },
      { payload_salt: 'A'.repeat(43) },
      { id: ID },
    ];
    for (const change of changes) {
      const changed = timeline(4).map((one) => (one.sequence === 2 ? { ...one, ...change } : one));
      assert.deepEqual(broken(changed), ['changed 2'], Object.keys(change).join());
    }
    assert.deepEqual(broken(timeline(4).toSpliced(1, 1)), ['missing 2']);
  });

  it('takes no entry without a hash', () => {
    for (const at of [1, 3]) {
      const events = timeline(4).map((one) =>
        one.sequence === at ? { ...one, event_hash: '', payload_commitment: '' } : one,
      );
      assert.deepEqual(broken(events)[0], `changed ${at}`);
    }
  });

  it('keeps an erased detail apart from a changed one', () => {
    const erased = timeline(3).map((one) =>
      one.sequence === 2
        ? (({ payload_salt: _salt, ...rest }) => ({ ...rest, payload: {}, erased: true }))(one)
        : one,
    );
    const report = verifyChain(erased);
    assert.deepEqual([report.breaks, report.erased], [[], [2]]);
  });
});

describe('an entry of a timeline as it is exported', () => {
  const sealed = sealTimelineEntry(ID, entry(1), null, 'salt');
  const fields = {
    suspension_id: ID,
    sequence: 1,
    at: '2026-11-20T10:00:00.000Z',
    kind: 'attempt',
    payload: { attempt: 1 },
  };

  it('has what its hash covers, its salt, and an id that follows from its hash', () => {
    assert.deepEqual(timelineEvent(ID, entry(1), sealed), {
      id: uuidFrom(sealed.event_hash),
      ...fields,
      ...sealed,
    });
    assert.equal(sealed.payload_salt, 'salt');
    assert.equal(sealed.previous_event_hash, null);
  });

  it('says that its detail was erased, if only the salt is gone', () => {
    const { payload_salt: _, ...seal } = sealed;
    assert.deepEqual(timelineEvent(ID, entry(1), { ...seal, payload_salt: null }), {
      id: uuidFrom(sealed.event_hash),
      ...fields,
      ...seal,
      erased: true,
    });
  });
});
