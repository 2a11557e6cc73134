import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import { verifyChain } from '../../support/verified-chain.js';
import {
  payloadSalt,
  sealTimelineEntry,
  timelineEvent,
  type TimelineEvent,
} from '../../../domain/log/seal.js';
import { uuidFrom } from '../../../domain/kernel/hashing.js';

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
