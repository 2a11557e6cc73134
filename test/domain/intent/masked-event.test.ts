import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { payloadSalt, sealEvent } from '../../../domain/log/seal.js';
import { maskedEvent } from '../../../domain/intent/masked-event.js';
import { ID, INTENT_ID, OPENED_AT } from '../samples.js';

const SHORT = `${ID.slice(0, 8)}…`;

function eventWith(payload: JsonObject) {
  const event = {
    intent_id: INTENT_ID,
    sequence: 1,
    event_type: 'note',
    actor: 'agent-1',
    principal: 'agent-1',
    payload,
    created_at: OPENED_AT,
  };
  return sealEvent(event, null, payloadSalt('a log key', 1));
}

const patched = (...patches: JsonValue[]): JsonObject => ({ patches, version: 2 });
const set = (path: string, value: JsonValue): JsonObject => ({ op: 'set', path, value });

describe('an event for readers who may not answer', () => {
  const record = { id: ID, question: 'Refund?' };
  const MASKED: readonly (readonly [string, JsonObject, JsonObject])[] = [
    [
      'the id of its question',
      { suspension_id: ID, attempt: 1 },
      { suspension_id: SHORT, attempt: 1 },
    ],
    [
      'the id in a whole record that a patch writes',
      patched(set('/_suspension', record), set('a', ID)),
      patched(set('/_suspension', { ...record, id: SHORT }), set('a', ID)),
    ],
    [
      'the id alone that a patch writes into the record',
      patched(set('_suspension//id', ID)),
      patched(set('_suspension//id', SHORT)),
    ],
    [
      'the ids of both',
      { suspension_id: ID, ...patched(set('_suspension/id', ID)) },
      { suspension_id: SHORT, ...patched(set('_suspension/id', SHORT)) },
    ],
  ];
  for (const [what, payload, shown] of MASKED) {
    it(`shows only the beginning of ${what} and says so [R25-100]`, () => {
      const event = eventWith(payload);
      const { payload_salt: _, ...rest } = event;
      assert.deepEqual(maskedEvent(event), { ...rest, payload: shown, masked: true });
    });
  }

  it('has no salt with a shortened id, so that nobody can try ids against the commitment', () => {
    const event = maskedEvent(eventWith({ suspension_id: ID }));
    assert.equal(Object.hasOwn(event, 'payload_salt'), false);
  });

  const SHOWN: readonly (readonly [string, JsonObject])[] = [
    ['without an id', { note: 'hello' }],
    ['whose id is no text', { suspension_id: 7 }],
    ['whose patches are no list', { patches: 'none' }],
    ['with a patch that is no object', patched(null, 'text')],
    ['with a patch without a path', patched({ op: 'set', path: 7, value: record })],
    ['that writes another part of the state', patched(set('suspension', record))],
    ['that writes an id of the same name elsewhere', patched(set('a/id', ID))],
    ['that writes another field of the record', patched(set('_suspension/question', ID))],
    ['that writes below a field of the record', patched(set('_suspension/id/deep', ID))],
    ['that writes something else in place of the record', patched(set('_suspension', 'gone'))],
    ['that removes the record', patched({ op: 'remove', path: '_suspension' })],
    ['that removes the id', patched({ op: 'remove', path: '_suspension/id' })],
  ];
  for (const [which, payload] of SHOWN) {
    it(`is the recorded event ${which}`, () => {
      const event = eventWith(payload);
      assert.equal(maskedEvent(event), event);
    });
  }
});
