import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { findUnstorable } from '../../api/http/json-body.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { verifyChain } from '../support/verified-chain.js';
import { hashOfEvent, payloadSalt, sealEvent } from '../../domain/log/seal.js';
import { writeRows } from '../../store/journal-writer.js';
import { eventsInOrder, logEnd } from '../../store/queries/event-log.js';
import { useStore } from '../support/store.js';
import { anEvent, anIntent, instant } from './rows.js';

const WHOLE = { after: 0, upTo: 1_000, limit: 1_000 };

/** What a JSON text can say and a database may spell otherwise. */
const ODD_TEXTS = [
  '1.0',
  '-0',
  '0.1',
  '1e21',
  '1E-7',
  '1e308',
  '5e-324',
  '123456789012345678901234567890',
  '9007199254740993',
  '1.7976931348623157e308',
  '-1e-300',
  '0.30000000000000004',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufdd0fdd0"',
  '"\\\\u0000"',
  '"é"',
  '"e\\u0301"',
  '{"a":1,"a":2}',
  '{"b":1,"a":{"\\u0000":0,"":1}}',
  '{"10":1,"9":2,"é":3,"z":4}',
  '[[],{}]',
];

const anyText = fc
  .array(fc.oneof(fc.nat({ max: 0xffff }), fc.constantFrom(0, 0x5c, 0x75, 0xd800, 0xdfff, 0xfdd0)))
  .map((units) => String.fromCharCode(...units));
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
);
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)),
    fc.constantFrom(...ODD_TEXTS).map((text) => JSON.parse(text) as unknown),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
}));
/** A payload of any text; the API refuses some of these, but workflows of agents write them too. */
const anyPayload = fc
  .dictionary(anyText, anyJson, { maxKeys: 5 })
  .map((payload) => JSON.parse(JSON.stringify(payload)) as JsonObject)
  .filter((payload) => findUnstorable(payload)?.code !== 'invalid_request');

describe('a stored log', () => {
  const store = useStore();

  async function written(payloads: readonly JsonObject[], name = 'note'): Promise<IntentEvent[]> {
    const intent_id = randomUUID();
    const events: IntentEvent[] = [];
    for (const payload of payloads) {
      const place = { intent_id, sequence: events.length + 1, event_type: name };
      const by = { actor: name, principal: name };
      const draft = { ...place, ...by, payload, created_at: instant(0) };
      const salt = payloadSalt('a log key', place.sequence);
      events.push(sealEvent(draft, events.at(-1)?.event_hash ?? null, salt));
    }
    const last = { last_sequence: events.length, head_hash: events.at(-1)?.event_hash ?? null };
    const rows = events.map((event): JournalRow => ({ kind: 'event', event }));
    await writeRows(store.db, [
      ...rows,
      { kind: 'intent', intent: anIntent({ id: intent_id }), ...last },
    ]);
    return events;
  }

  it('hashes as what was written, whatever JSON the payload holds', async () => {
    const logs = fc.tuple(fc.array(anyPayload, { minLength: 1, maxLength: 8 }), anyText);
    await fc.assert(
      fc.asyncProperty(logs, async ([payloads, name]) => {
        const events = await written(payloads, name);
        const read = await eventsInOrder(store.db, events[0]?.intent_id ?? '', WHOLE);
        assert.deepEqual(read, events);
        assert.deepEqual(read.map(hashOfEvent), events.map(hashOfEvent));
        assert.deepEqual(verifyChain(read).breaks, []);
      }),
      { numRuns: 150 },
    );
  });

  it('hashes as what was written for each odd spelling', async () => {
    const payloads = ODD_TEXTS.map((text) => JSON.parse(`{"value":${text}}`) as JsonObject);
    const events = await written(payloads);
    const read = await eventsInOrder(store.db, events[0]?.intent_id ?? '', WHOLE);
    assert.deepEqual(verifyChain(read).breaks, []);
    assert.equal(read.length, ODD_TEXTS.length);
  });

  it('is read in order, part by part', async () => {
    const events = await written(Array.from({ length: 7 }, (_, index) => ({ index })));
    const id = events[0]?.intent_id ?? '';
    const part = (after: number, upTo: number, limit: number) =>
      eventsInOrder(store.db, id, { after, upTo, limit });
    assert.deepEqual(await part(0, 7, 3), events.slice(0, 3));
    assert.deepEqual(await part(3, 5, 3), events.slice(3, 5));
    assert.deepEqual(await part(7, 7, 3), []);
  });

  it('tells how it ends, and up to where it has events', async () => {
    const events = await written([{ index: 0 }, { index: 1 }]);
    const intent_id = events[0]?.intent_id ?? '';
    const more = anEvent({ intent_id, sequence: 3 });
    await writeRows(store.db, [{ kind: 'event', event: more }]);
    const end = { last_sequence: 2, head_hash: events[1]?.event_hash, newest_event: 3 };
    assert.deepEqual(await logEnd(store.db, intent_id), end);
    assert.equal(await logEnd(store.db, randomUUID()), undefined);
  });

  it('ends nowhere where only the intent is there', async () => {
    const intent = anIntent();
    await writeRows(store.db, [{ kind: 'intent', intent, last_sequence: 0 }]);
    const end = { last_sequence: 0, head_hash: null, newest_event: 0 };
    assert.deepEqual(await logEnd(store.db, intent.id), end);
  });
});
