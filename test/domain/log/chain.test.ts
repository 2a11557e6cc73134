import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ERASURE_EVENT } from '../../../contracts/constants/erasure.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { ReadEvent } from '../../../domain/log/chain.js';
import { verifyChain } from '../../support/verified-chain.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import {
  INTENT_ID,
  chain,
  chainOf,
  draft,
  erase,
  firstBreak,
  headOf,
  seal,
  withErasure,
} from './chain-samples.js';

type AnyPayload = fc.Arbitrary<JsonObject>;
const anyPayload = fc.dictionary(fc.string(), fc.jsonValue()) as AnyPayload;
/** What stands in them makes no difference to what is found in a log; that any are sealed is shown once. */
const anySmallPayload = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), {
  maxKeys: 2,
}) as AnyPayload;

/** A log with these payloads, and the index of one of its events. */
function logOf(payload: AnyPayload, maxLength: number) {
  return fc
    .array(payload, { minLength: 1, maxLength })
    .map(chainOf)
    .chain((events) => fc.record({ events: fc.constant(events), at: indexOf(events.length) }));
}

/** A log of 1 to 12 events with arbitrary payloads, and the index of one of them. */
const anyLog = logOf(anySmallPayload, 12);

function indexOf(length: number): fc.Arbitrary<number> {
  return fc.nat({ max: length - 1 });
}

describe('a log that is checked', () => {
  it('is found whole as it was recorded [R25-03]', () => {
    fc.assert(
      fc.property(logOf(anyPayload, 4), ({ events }) => {
        const { breaks, ...report } = verifyChain(events, headOf(events));
        assert.deepEqual(breaks, []);
        assert.deepEqual(report, {
          intent_id: INTENT_ID,
          event_count: events.length,
          first_sequence: 1,
          last_sequence: events.length,
          head_hash: events.at(-1)?.event_hash,
          chain_valid: true,
          erased_count: 0,
          erased: [],
        });
      }),
    );
  });

  it('is found whole where it has no event yet', () => {
    assert.equal(verifyChain([], { sequence: 0, event_hash: null }).chain_valid, true);
  });

  it('shows any event of which one field was changed', () => {
    const fields = Object.keys(seal(draft(1))) as (keyof IntentEvent)[];
    const change = fc.record({
      field: fc.constantFrom(...fields.filter((field) => field !== 'sequence')),
      value: fc.jsonValue({ maxDepth: 2 }),
    });
    fc.assert(
      fc.property(anyLog, change, ({ events, at }, { field, value }) => {
        fc.pre(JSON.stringify(events[at]?.[field]) !== JSON.stringify(value));
        const forged = events.map((event, index) =>
          index === at ? { ...event, [field]: value } : event,
        );
        fc.pre(!jsonEqual(forged[at]?.[field] ?? null, events[at]?.[field] ?? null));
        assert.equal(firstBreak(forged as ReadEvent[], events), `changed ${at + 1}`);
      }),
      { numRuns: 500 },
    );
  });

  it('shows any event that was removed', () => {
    fc.assert(
      fc.property(anyLog, ({ events, at }) => {
        const left = events.filter((_, index) => index !== at);
        assert.equal(firstBreak(left, events), `missing ${at + 1}`);
      }),
    );
  });

  it('shows any two events that changed places', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), ({ events, at }, far) => {
        fc.pre(events.length > 1);
        const other = (at + 1 + (far % (events.length - 1))) % events.length;
        const swapped = [...events];
        swapped[at] = events[other] as IntentEvent;
        swapped[other] = events[at] as IntentEvent;
        const [first, second] = [Math.min(at, other) + 1, Math.max(at, other) + 1];
        assert.equal(firstBreak(swapped, events), `missing ${first}`);
        const late = verifyChain(swapped).breaks.filter(({ kind }) => kind === 'out_of_order');
        const sequences = late.map(({ sequence }) => sequence);
        assert.ok(sequences.includes(first), `${first} is late`);
        const between = sequences.every((sequence) => first <= sequence && sequence < second);
        assert.ok(between, `${sequences.join()} are late`);
      }),
    );
  });

  it('shows two events whose numbers changed places', () => {
    fc.assert(
      fc.property(anyLog, ({ events, at }) => {
        fc.pre(at > 0);
        const [before, here] = [events[at - 1] as IntentEvent, events[at] as IntentEvent];
        const renumbered = [...events];
        renumbered[at - 1] = { ...here, sequence: at };
        renumbered[at] = { ...before, sequence: at + 1 };
        assert.equal(firstBreak(renumbered, events), `changed ${at}`);
      }),
    );
  });

  it('shows an event that was added, sealed or not, with a number of its own or not', () => {
    const anyForgery = fc.record({ place: fc.nat(), resealed: fc.boolean(), push: fc.boolean() });
    fc.assert(
      fc.property(anyLog, anyForgery, ({ events }, { place, resealed, push }) => {
        const at = place % (events.length + 1);
        const sealed = seal(draft(at + 1, { forged: true }), events[at - 1]);
        const forged = resealed ? sealed : { ...sealed, event_hash: '' };
        const rest = events.slice(at);
        const pushed = rest.map((event) => ({ ...event, sequence: event.sequence + 1 }));
        const log = [...events.slice(0, at), forged, ...(push ? pushed : rest)] as ReadEvent[];
        const found = firstBreak(log, events) ?? 'nothing';
        assert.ok([at + 1, at + 2].includes(Number(found.split(' ')[1])), `${found} at ${at}`);
      }),
    );
  });

  it('shows the follower of an event that was changed and sealed again', () => {
    fc.assert(
      fc.property(anyLog, ({ events, at }) => {
        const { payload } = events[at] as IntentEvent;
        const forged = seal({ ...draft(at + 1, payload), actor: 'mallory' }, events[at - 1]);
        const log = events.map((one, index) => (index === at ? forged : one));
        const next = Math.min(at + 2, events.length);
        assert.equal(firstBreak(log, events), `unlinked ${next}`);
      }),
    );
  });

  it('shows by its end alone that every event from one on was made anew', () => {
    const events = chain(5);
    const anew = chainOf([
      { index: 0 },
      { index: 1 },
      { forged: true },
      { index: 3 },
      { index: 4 },
    ]);
    assert.equal(verifyChain(anew).chain_valid, true);
    assert.equal(firstBreak(anew, events), 'unlinked 5');
  });

  it('shows that its end was cut off, or that it goes on', () => {
    const events = chain(5);
    assert.equal(firstBreak(events.slice(0, 3), events), 'missing 4');
    assert.equal(firstBreak([], events), 'missing 1');
    assert.equal(firstBreak(events, events.slice(0, 3)), 'unexpected 4');
    assert.equal(verifyChain(events.slice(0, 3)).chain_valid, true);
  });
});

describe('a log of which payloads were erased', () => {
  const anyErasure = anyLog.chain(({ events }) =>
    fc.record({ events: fc.constant(events), erased: fc.subarray(events.map((_, at) => at)) }),
  );
  const without = (events: readonly IntentEvent[], erased: readonly number[]) =>
    events.map((event, at) => (erased.includes(at) ? erase(event) : event));

  it('is found whole, and says which were', () => {
    fc.assert(
      fc.property(anyErasure, ({ events: before, erased }) => {
        const events = withErasure(before);
        const report = verifyChain(without(events, erased), headOf(events));
        assert.deepEqual(report.breaks, []);
        assert.deepEqual(
          [report.erased_count, report.erased],
          [erased.length, erased.map((at) => at + 1)],
        );
      }),
    );
  });

  it('is found broken where no event says that they were [R25-03]', () => {
    const [first, second, third] = chain(3) as [IntentEvent, IntentEvent, IntentEvent];
    const kinds = (log: readonly IntentEvent[]) =>
      verifyChain(log).breaks.map(({ kind, sequence }) => `${kind} ${sequence}`);
    assert.deepEqual(kinds([first, erase(second), third]), ['removed 2']);
    const [, , , erasure] = withErasure([first, second, third]);
    const later = seal(draft(5), erasure);
    const log = [first, erase(second), third, erasure as IntentEvent, erase(later)];
    assert.deepEqual(kinds(log), ['removed 5']);
    const forged = { ...draft(4, { through_sequence: 3 }), event_type: ERASURE_EVENT };
    const unlinked = seal(forged, first);
    assert.deepEqual(kinds([first, erase(second), third, unlinked]), ['unlinked 4']);
    assert.deepEqual(kinds([first, erase(second), third, erase(erasure as IntentEvent)]), [
      'removed 2',
      'removed 4',
    ]);
  });

  it('still shows an event of which another field was changed', () => {
    const fields = ['actor', 'event_type', 'created_at', 'payload_commitment', 'id'] as const;
    const anyField = fc.constantFrom(...fields);
    fc.assert(
      fc.property(anyLog, anyField, ({ events, at }, field) => {
        const log = events.map((event, index) =>
          index === at ? { ...erase(event), [field]: 'x' } : event,
        );
        assert.equal(firstBreak(log, events), `changed ${at + 1}`);
      }),
    );
  });

  it('still shows an event that was removed, and one that stands elsewhere', () => {
    const events = chain(4).map(erase);
    const [first, second, third, fourth] = events;
    assert.equal(firstBreak([first, second, fourth] as ReadEvent[], events), 'missing 3');
    const swapped = [first, third, second, fourth] as ReadEvent[];
    assert.deepEqual(verifyChain(swapped).erased, [1, 3, 4]);
    assert.equal(firstBreak(swapped, events), 'missing 2');
  });

  it('may lack them altogether, and tells the first hundred', () => {
    const log = withErasure(chain(150)).map((event) => {
      if (event.event_type === ERASURE_EVENT) return event;
      const { payload: _, payload_salt: _salt, ...rest } = event;
      return { ...rest, erased: true };
    });
    const { erased_count, erased, chain_valid } = verifyChain(log as ReadEvent[]);
    assert.deepEqual(
      [erased_count, erased.length, erased.at(-1), chain_valid],
      [150, 100, 100, true],
    );
  });
});
