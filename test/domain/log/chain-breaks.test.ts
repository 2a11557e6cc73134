import assert from 'node:assert/strict';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import {
  checkEvent,
  endCheck,
  refusedBreak,
  startCheck,
  type ReadEvent,
} from '../../../domain/log/chain.js';
import { verifyChain } from '../../support/verified-chain.js';
import { INTENT_ID, chain, draft, erase, headOf, seal } from './chain-samples.js';

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
