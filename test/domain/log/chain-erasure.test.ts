import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ERASURE_EVENT } from '../../../contracts/constants/erasure.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import {
  checkEvent,
  logOf,
  refusedBreak,
  startCheck,
  unexplained,
  type ReadEvent,
} from '../../../domain/log/chain.js';
import { verifyChain } from '../../support/verified-chain.js';
import {
  commitmentTo,
  hashOfEvent,
  isErased,
  isIntact,
  sealEvent,
} from '../../../domain/log/seal.js';
import { uuidFrom } from '../../../domain/kernel/hashing.js';
import { INTENT_ID, chain, draft, erase, seal } from './chain-samples.js';

const kinds = (log: readonly ReadEvent[]) =>
  verifyChain(log).breaks.map(({ kind, sequence }) => `${kind} ${sequence}`);

/** A log of which the second event was erased, and an event behind it that may say so. */
function erasedWith(payload: unknown, changes: Partial<IntentEvent> = {}): IntentEvent[] {
  const [first, second, third] = chain(3) as [IntentEvent, IntentEvent, IntentEvent];
  const erasure = { ...draft(4, payload as JsonObject), event_type: ERASURE_EVENT };
  return [first, erase(second), third, { ...seal(erasure, third), ...changes }];
}

describe('an event that says what was erased', () => {
  it('covers what it names, up to the very event', () => {
    assert.deepEqual(kinds(erasedWith({ through_sequence: 2 })), []);
    assert.deepEqual(kinds(erasedWith({ through_sequence: 1 })), ['removed 2']);
  });

  it('covers nothing with anything but a number', () => {
    for (const payload of [{ through_sequence: '3' }, {}, null, 'all', ['3']]) {
      assert.deepEqual(kinds(erasedWith(payload)), ['removed 2'], JSON.stringify(payload));
    }
  });

  it('covers nothing if it was changed itself', () => {
    const forged = erasedWith({ through_sequence: 3 }, { actor: 'mallory' });
    assert.deepEqual(kinds(forged), ['changed 4', 'removed 2']);
  });

  it('covers nothing if it is one of another type', () => {
    const [first, second, third] = chain(3) as [IntentEvent, IntentEvent, IntentEvent];
    const note = seal(draft(4, { through_sequence: 3 }), third);
    assert.deepEqual(kinds([first, erase(second), third, note]), ['removed 2']);
  });

  it('is waited for by a hundred events at most, as no more are told', () => {
    const progress = chain(150).map(erase).reduce(checkEvent, startCheck());
    assert.deepEqual(
      [progress.uncovered.length, progress.uncovered.at(-1), progress.erased.length],
      [100, 100, 100],
    );
    assert.equal(progress.erased_count, 150);
  });
});

describe('details that are gone and that nobody erased', () => {
  /** The only entry of a log that this field names. */
  function erasedEntryOf(log: 'intent_id' | 'run_id' | 'suspension_id'): ReadEvent {
    const { intent_id, ...entry } = draft(1);
    const { payload_salt: _, ...sealed } = sealEvent({ ...entry, [log]: intent_id }, null, 'salt');
    return { ...sealed, payload: {}, erased: true };
  }

  it('are looked for in the log of an intent or a run, which has to say so itself', () => {
    assert.deepEqual(kinds([erasedEntryOf('intent_id')]), ['removed 1']);
    assert.deepEqual(kinds([erasedEntryOf('run_id')]), ['removed 1']);
    assert.deepEqual(kinds([erasedEntryOf('suspension_id')]), []);
  });

  it('are breaks of a timeline, one for each', () => {
    const [first, second, third] = chain(3) as [IntentEvent, IntentEvent, IntentEvent];
    const progress = [first, erase(second), erase(third)].reduce(checkEvent, startCheck());
    const detail = (sequence: number) =>
      `Entry ${sequence} has no details, and nobody erased them.`;
    assert.deepEqual(unexplained(progress), [
      { sequence: 2, kind: 'removed', detail: detail(2) },
      { sequence: 3, kind: 'removed', detail: detail(3) },
    ]);
    assert.deepEqual(unexplained(startCheck()), []);
  });
});

describe('an event that was sealed by hand', () => {
  /** An event whose hash and id are right, whatever its commitment covers. */
  function forged(changes: JsonObject, payload_commitment: string): ReadEvent {
    const { payload_salt: _, payload: _payload, ...event } = seal(draft(1)) as ReadEvent;
    const linked = { ...event, payload_commitment, ...changes };
    const event_hash = hashOfEvent(linked);
    return { ...linked, event_hash, id: uuidFrom(event_hash) };
  }
  const payload = { index: 1 };
  const commitmentOf = (covered: JsonObject) =>
    commitmentTo(covered['payload'] as JsonObject, covered['salt'] as string);

  it('is as it was recorded with a payload, a salt and a commitment to both', () => {
    const whole = forged({ payload, payload_salt: 'salt' }, commitmentTo(payload, 'salt'));
    assert.equal(isIntact(whole), true);
  });

  it('is not without a salt, or with one that is no text', () => {
    assert.equal(isIntact(forged({ payload }, commitmentOf({ payload }))), false);
    const numbered = { payload, salt: 7 };
    assert.equal(isIntact(forged({ payload, payload_salt: 7 }, commitmentOf(numbered))), false);
  });

  it('is not without a payload', () => {
    const salted = forged({ payload_salt: 'salt' }, commitmentOf({ salt: 'salt' }));
    assert.equal(isIntact(salted), false);
  });

  it('is not with a word that it was erased beside what it commits to', () => {
    const commitment = commitmentTo(payload, 'salt');
    for (const erased of [true, false, 'yes']) {
      const said = forged({ payload, payload_salt: 'salt', erased }, commitment);
      assert.equal(isIntact(said), false);
    }
  });

  it('is not with a number that JSON cannot say', () => {
    assert.equal(isIntact({ ...seal(draft(1)), payload: { index: Infinity } }), false);
  });
});

describe('an erased payload', () => {
  it('is one of which nothing is left, and that is said to be erased', () => {
    const { payload_salt: _, ...left } = erase(seal(draft(1)));
    const { payload: _payload, ...bare } = left;
    assert.deepEqual([left, bare].map(isErased), [true, true]);
    const { erased: _erased, ...unsaid } = left;
    const others = [
      unsaid,
      { ...left, erased: 'yes' },
      { ...left, payload_salt: 'salt' },
      { ...left, payload: { index: 1 } },
    ];
    assert.deepEqual(others.map(isErased), [false, false, false, false]);
  });
});

describe('what a check takes from an event', () => {
  it('is that it has a hash: only entries of timelines were once without', () => {
    assert.deepEqual(kinds(chain(1).map((event) => ({ ...event, event_hash: '' }))), ['changed 1']);
  });

  it('is the log that it belongs to', () => {
    assert.equal(logOf({ intent_id: INTENT_ID }), INTENT_ID);
    assert.equal(logOf({ suspension_id: 'a question' }), 'a question');
    assert.equal(logOf({ intent_id: 7, suspension_id: null }), null);
  });

  it('is, of a row that the store refused, where it belongs', () => {
    const row = { intent_id: INTENT_ID, suspension_id: null, reason: 'conflict' };
    assert.deepEqual(refusedBreak({ ...row, kind: 'event', sequence: 3 }), {
      sequence: 3,
      kind: 'refused',
      detail: 'The store refused a row of the kind event (conflict) and set it aside.',
    });
    assert.equal(refusedBreak({ ...row, kind: 'timeline', sequence: null }).sequence, 0);
  });
});
