import assert from 'node:assert/strict';
import { ERASURE_EVENT } from '../../../contracts/constants/erasure.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { uuidFrom } from '../../../domain/kernel/hashing.js';
import {
  checkEvent,
  endCheck,
  logOf,
  type ReadEvent,
  refusedBreak,
  startCheck,
  unexplained,
} from '../../../domain/log/chain.js';
import {
  commitmentTo,
  hashOfEvent,
  isErased,
  isIntact,
  sealEvent,
} from '../../../domain/log/seal.js';
import { verifyChain } from '../../support/verified-chain.js';
import { chain, draft, erase, headOf, INTENT_ID, seal } from './chain-samples.js';

describe('a log that is checked by its events', () => {
  it('is checked event by event, and remembers nothing but where it stands', () => {
    const events = chain(2);
    const progress = events.reduce(checkEvent, startCheck());
    assert.deepEqual(progress, {
      intent_id: INTENT_ID,
      event_count: 2,
      first_sequence: 1,
      last_sequence: 2,
      head_hash: events[1]?.event_hash,
      gaps: [],
      breaks: [],
      erased_count: 0,
      erased: [],
      uncovered: [],
    });
  });

  it('need not end with a known hash', () => {
    assert.equal(verifyChain(chain(3), { sequence: 3 }).chain_valid, true);
  });

  it('has no intent and no hash if its events name none', () => {
    const { intent_id: _intent, ...bare } = draft(1) as ReadEvent;
    const { intent_id, head_hash } = verifyChain([{ ...bare, intent_id: 7, event_hash: 7 }]);
    assert.deepEqual([intent_id, head_hash], [null, null]);
  });

  it('shows which of the missing events follow late, and which were there before', () => {
    const events = chain(6);
    const order = [1, 2, 5, 6, 3, 4, 2, 5];
    const log = order.map((sequence) => events[sequence - 1] ?? assert.fail());
    assert.deepEqual(
      verifyChain(log).breaks.map(({ kind, sequence }) => `${kind} ${sequence}`),
      ['missing 3', 'out_of_order 3', 'out_of_order 4', 'unexpected 2', 'unexpected 5'],
    );
  });

  it('shows an event of another intent', () => {
    const events = chain(4);
    const other = seal({ ...draft(9), intent_id: 'another' }, events[1]);
    const log = [...events.slice(0, 2), other, ...events.slice(2)];
    assert.deepEqual(
      verifyChain(log, headOf(events)).breaks.map(({ kind, sequence }) => [kind, sequence]),
      [['unexpected', 3]],
    );
  });

  const one = (events: readonly IntentEvent[], index: number): IntentEvent => {
    const event = events[index];
    assert.ok(event);
    return event;
  };
  const table: Record<string, [(events: IntentEvent[]) => unknown[], string[]]> = {
    'an event twice': [
      (events) => [...events.slice(0, 3), one(events, 2), ...events.slice(3)],
      ['unexpected 3'],
    ],
    'an old event at the end': [(events) => [...events, one(events, 1)], ['unexpected 2']],
    'a number that was raised': [
      (events) => events.map((event) => (event.sequence === 2 ? { ...event, sequence: 9 } : event)),
      ['changed 2'],
    ],
    'an event without a hash': [
      (events) =>
        events.map(({ event_hash, ...event }) =>
          event.sequence === 2 ? event : { ...event, event_hash },
        ),
      ['changed 2', 'unlinked 3'],
    ],
    'a field that was added': [
      (events) => events.map((event) => (event.sequence === 2 ? { ...event, proof: 'x' } : event)),
      ['changed 2'],
    ],
    'an id that does not follow from the hash': [
      (events) => events.map((event) => (event.sequence === 2 ? { ...event, id: 'x' } : event)),
      ['changed 2'],
    ],
    'a payload without its salt': [
      (events) =>
        events.map(({ payload_salt, ...event }) =>
          event.sequence === 2 ? event : { ...event, payload_salt },
        ),
      ['changed 2'],
    ],
    'a salt without its payload': [
      (events) =>
        events.map(({ payload, ...event }) =>
          event.sequence === 2 ? event : { ...event, payload },
        ),
      ['changed 2'],
    ],
    'a payload beside the word that it was erased': [
      (events) =>
        events.map((event) =>
          event.sequence === 2 ? { ...erase(event), payload: { index: 1 } } : event,
        ),
      ['changed 2'],
    ],
    'a salt beside the word that the payload was erased': [
      (events) =>
        events.map((event) =>
          event.sequence === 2 ? { ...event, payload: {}, erased: true } : event,
        ),
      ['changed 2'],
    ],
    'another word than that it was erased': [
      (events) =>
        events.map((event) => (event.sequence === 2 ? { ...erase(event), erased: 'yes' } : event)),
      ['changed 2'],
    ],
    'a whole event that is said to be erased': [
      (events) => events.map((one) => (one.sequence === 2 ? { ...one, erased: true } : one)),
      ['changed 2'],
    ],
    'a number that JSON cannot say': [
      (events) =>
        events.map((event) =>
          event.sequence === 2 ? { ...event, payload: { index: Infinity } } : event,
        ),
      ['changed 2'],
    ],
    'two breaks': [
      (events) =>
        events
          .filter(({ sequence }) => sequence !== 2)
          .map((event) => (event.sequence === 5 ? { ...event, actor: 'x' } : event)),
      ['missing 2', 'changed 5'],
    ],
  };
  for (const [name, [tamper, found]] of Object.entries(table)) {
    it(`names every place of ${name}`, () => {
      const events = chain(6);
      const { breaks } = verifyChain(tamper(events) as ReadEvent[], headOf(events));
      assert.deepEqual(
        breaks.map(({ kind, sequence }) => `${kind} ${sequence}`),
        found,
      );
    });
  }

  it('tells the first hundred breaks', () => {
    const log = chain(150).map((event) => ({ ...event, actor: 'mallory' }));
    assert.equal(verifyChain(log).breaks.length, 100);
  });
});

describe('a log of which the store refused a row', () => {
  const refused = { intent_id: INTENT_ID, suspension_id: null, reason: 'conflict' };

  it('is not whole, although its events are', () => {
    const events = chain(3);
    const progress = events.reduce(checkEvent, startCheck());
    const found = [
      refusedBreak({ ...refused, kind: 'event', sequence: 2 }),
      refusedBreak({ ...refused, kind: 'timeline', sequence: null, reason: '22007' }),
    ];
    const report = endCheck(progress, headOf(events), found);
    assert.equal(report.chain_valid, false);
    assert.deepEqual(report.breaks, [
      {
        sequence: 2,
        kind: 'refused',
        detail: 'The store refused a row of the kind event (conflict) and set it aside.',
      },
      {
        sequence: 0,
        kind: 'refused',
        detail: 'The store refused a row of the kind timeline (22007) and set it aside.',
      },
    ]);
  });
});

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
