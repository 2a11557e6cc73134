import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { IntentEvent } from '../../../contracts/event.js';
import { intentEventSchema } from '../../../contracts/event.js';
import type { JsonObject } from '../../../contracts/primitives.js';
import {
  hashOfEvent,
  sealEvent,
  verifyChain,
  type ReadEvent,
} from '../../../domain/intent/event-chain.js';

const INTENT_ID = '6f1f1e9a-0c57-4f0e-9d5c-3f2f7a0b1c2d';
const AT = '2026-11-20T10:00:00.000Z';

function draft(sequence: number, payload: JsonObject = { index: sequence }) {
  const id = `00000000-0000-4000-8000-${String(sequence).padStart(12, '0')}`;
  const actor = 'agent-1';
  const place = { id, intent_id: INTENT_ID, sequence };
  return { ...place, event_type: 'note', actor, payload, created_at: AT };
}

function chainOf(payloads: readonly JsonObject[]): IntentEvent[] {
  const events: IntentEvent[] = [];
  for (const payload of payloads) {
    events.push(sealEvent(draft(events.length + 1, payload), events.at(-1)?.event_hash ?? null));
  }
  return events;
}

function chain(length: number): IntentEvent[] {
  return chainOf(Array.from({ length }, (_, index) => ({ index })));
}

function headOf(events: readonly IntentEvent[]) {
  const last = events.at(-1);
  return { sequence: last?.sequence ?? 0, event_hash: last?.event_hash ?? null };
}

/** Returns kind and sequence of the first break in a log that was recorded as `recorded`. */
function firstBreak(events: readonly ReadEvent[], recorded: readonly IntentEvent[]) {
  const { chain_valid, breaks } = verifyChain(events, headOf(recorded));
  assert.equal(chain_valid, breaks.length === 0);
  return breaks[0] && `${breaks[0].kind} ${breaks[0].sequence}`;
}

/** A log of 1 to 12 events with arbitrary payloads, and the index of one of them. */
const anyLog = fc
  .array(fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>, {
    minLength: 1,
    maxLength: 12,
  })
  .map(chainOf)
  .chain((events) => fc.record({ events: fc.constant(events), at: indexOf(events.length) }));

function indexOf(length: number): fc.Arbitrary<number> {
  return fc.nat({ max: length - 1 });
}

describe('a sealed event', () => {
  it('has the SHA-256 of its other fields in canonical JSON, in base64url', () => {
    const event = sealEvent(draft(1, { b: 1, a: ['ü', 1e21] }), null);
    const canonical =
      `{"actor":"agent-1","created_at":"${AT}","event_type":"note",` +
      `"id":"${event.id}","intent_id":"${INTENT_ID}","payload":{"a":["ü",1e+21],"b":1},` +
      `"previous_event_hash":null,"sequence":1}`;
    const digest = createHash('sha256').update(canonical, 'utf8').digest('base64url');
    assert.equal(event.event_hash, `sha256:${digest}`);
    assert.deepEqual(intentEventSchema.parse(event), event);
  });

  it('is what JSON carries of it, so that its hash survives any reading back', () => {
    const odd = { none: undefined, zero: -0, list: [undefined, Number.NaN], half: '\ud800' };
    const event = sealEvent(draft(1, odd as unknown as JsonObject), null);
    const read = JSON.parse(JSON.stringify(event)) as IntentEvent;
    assert.deepEqual(read, event);
    assert.deepEqual(event.payload, { zero: 0, list: [null, null], half: '\ud800' });
    assert.equal(hashOfEvent(read), event.event_hash);
  });

  it('tells half a surrogate pair from another', () => {
    const hashes = ['\ud800', '\udc00', '\ufffd', '\\ud800'].map((text) =>
      hashOfEvent(draft(1, { text })),
    );
    assert.equal(new Set(hashes).size, hashes.length);
  });
});

describe('a log that is checked', () => {
  it('is found whole as it was recorded [R25-03]', () => {
    fc.assert(
      fc.property(anyLog, ({ events }) => {
        const { breaks, ...report } = verifyChain(events, headOf(events));
        assert.deepEqual(breaks, []);
        assert.deepEqual(report, {
          intent_id: INTENT_ID,
          event_count: events.length,
          first_sequence: 1,
          last_sequence: events.length,
          head_hash: events.at(-1)?.event_hash,
          chain_valid: true,
        });
      }),
    );
  });

  it('is found whole where it has no event yet', () => {
    assert.equal(verifyChain([], { sequence: 0, event_hash: null }).chain_valid, true);
  });

  it('shows any event of which one field was changed', () => {
    const fields = Object.keys(sealEvent(draft(1), null)) as (keyof IntentEvent)[];
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
        fc.pre(
          hashOfEvent(forged[at] ?? {}) !== hashOfEvent(events[at] ?? {}) || field === 'event_hash',
        );
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
        assert.ok(late.some(({ sequence }) => sequence === first));
        assert.ok(late.every(({ sequence }) => first <= sequence && sequence < second));
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
    const anyForgery = fc.record({ place: fc.nat(), seal: fc.boolean(), push: fc.boolean() });
    fc.assert(
      fc.property(anyLog, anyForgery, ({ events }, { place, seal, push }) => {
        const at = place % (events.length + 1);
        const {
          event_hash: _,
          previous_event_hash: previous,
          ...fake
        } = sealEvent(draft(at + 1, { forged: true }), events[at - 1]?.event_hash ?? null);
        const forged = seal ? sealEvent(fake, previous) : { ...fake, event_hash: '' };
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
        const {
          event_hash: _,
          previous_event_hash: previous,
          ...event
        } = events[at] as IntentEvent;
        const forged = sealEvent({ ...event, actor: 'mallory' }, previous);
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

  it('shows an event of another intent', () => {
    const events = chain(4);
    const other = sealEvent({ ...draft(3), intent_id: 'another' }, events[1]?.event_hash ?? null);
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
