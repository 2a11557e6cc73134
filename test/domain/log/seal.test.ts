import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { intentEventSchema, type IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { hashOfEvent, isIntact, payloadSalt } from '../../../domain/log/seal.js';
import { uuidFrom } from '../../../domain/kernel/hashing.js';
import { AT, INTENT_ID, LOG_KEY, draft, erase, seal } from './chain-samples.js';

const sha256 = (text: string) =>
  `sha256:${createHash('sha256').update(text, 'utf8').digest('base64url')}`;

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
