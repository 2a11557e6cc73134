import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Intent, StatePatch } from '../../../contracts/intent/intent.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import type { Settlement } from '../../../contracts/suspension/suspension.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { writePlainState, writeState } from '../../../domain/openintent/question-writes.js';
import {
  checkFirstState,
  judgeRecord,
  wireRecord,
} from '../../../domain/openintent/record-rule.js';
import { claimsIn, stateWithoutClaims } from '../../../domain/openintent/claims.js';
import { settlementOf } from '../../../domain/suspension/record/state.js';
import { shortened } from '../../../domain/kernel/text.js';
import { caller } from '../../support/callers.js';
import { ID, INTENT_ID, OPENED_AT, granted, refused } from '../samples.js';

const NEXT_ID = '99999999-9999-4999-8999-999999999999';
const ASKED = { id: ID, question: 'Refund?', response_type: 'text', suspended_at: OPENED_AT };
const ANSWER = { resolution: 'responded', response: 'no', responded_by: 'alice' };
const ANSWERED = { ...ASKED, ...ANSWER, settled_at: OPENED_AT, settled_by: 'operator' };
const NEXT = { id: NEXT_ID, question: 'Again?', response_type: 'text' };

const open = { questionIsOpen: true, lastId: ID };
const settled = { questionIsOpen: false, lastId: ID };
const unknown = { questionIsOpen: false };

/** Everything that a client may try to make of a record. */
const FORGED: Readonly<Record<string, JsonValue | undefined>> = {
  'another answer': { ...ANSWERED, response: 'yes' },
  'another operator': { ...ANSWERED, responded_by: 'bob' },
  'no resolution': ASKED,
  'a withdrawal': { ...ANSWERED, resolution: 'cancelled' },
  'a note': { ...ANSWERED, note: 'mine' },
  'a question without an id': { question: 'Again?' },
  'a text': 'answered',
  nothing: undefined,
};

describe('a record as the OpenIntent SDK reads it', () => {
  it('has neither response schema nor approval, which the SDK does not know', () => {
    const asked = { ...ASKED, response_schema: {}, approval: {} };
    assert.deepEqual(wireRecord(asked), wireRecord(ASKED));
  });
});

describe('the record of a settled question', () => {
  for (const [what, after] of Object.entries(FORGED)) {
    it(`does not become ${what}`, () => {
      const refusal = refused(judgeRecord(ANSWERED, after, settled));
      assert.deepEqual([refusal.code, refusal.field], ['invalid_patch', '_suspension']);
    });
  }

  it('stays where it is written as it was read, through either API', () => {
    const short = { ...ANSWERED, id: shortened(ID) };
    for (const read of [ANSWERED, short, wireRecord(ANSWERED), wireRecord(short)]) {
      assert.deepEqual(granted(judgeRecord(ANSWERED, read, settled)), ANSWERED);
    }
  });

  it('stays where the SDK reads another end than it has [R26-28]', () => {
    const ended = {
      ...ASKED,
      resolution: 'expired',
      reason: 'portfolio_deadline',
      settled_at: OPENED_AT,
    };
    const read = wireRecord(ended);
    assert.equal(read['resolution'], 'cancelled');
    assert.deepEqual(granted(judgeRecord(ended, read, settled)), ended);
  });

  it('gives way to one with an unused id, whatever that claims', () => {
    const claiming: readonly JsonObject[] = [
      { ...NEXT, response: 'yes', responded_by: 'alice' },
      { ...NEXT, votes: [], resolution: 'responded' },
      { ...NEXT, resolution: 'cancelled' },
    ];
    for (const next of claiming) {
      assert.deepEqual(granted(judgeRecord(ANSWERED, next, settled)), NEXT);
    }
    const copied = granted(judgeRecord(ANSWERED, { ...ANSWERED, id: NEXT_ID }, settled));
    assert.deepEqual(copied, { ...ASKED, id: NEXT_ID });
    const used = { ...NEXT, ...ANSWER };
    const refusal = refused(judgeRecord(ANSWERED, used, { ...settled, usedIds: [NEXT_ID] }));
    assert.equal(refusal.code, 'invalid_patch');
  });

  it('gives way to an unresolved one with an unused id, as a whole', () => {
    for (const next of [NEXT, { ...NEXT, resolution: null }]) {
      assert.deepEqual(granted(judgeRecord(ANSWERED, next, settled)), next);
    }
    const usedIds = ['some', NEXT_ID];
    assert.equal(
      refused(judgeRecord(ANSWERED, NEXT, { ...settled, usedIds })).code,
      'invalid_patch',
    );
  });
});

describe('the record of an open question', () => {
  it('changes in no way', () => {
    const changes = { ...FORGED, 'the next question': NEXT, 'an answer': ANSWERED };
    for (const [what, after] of Object.entries(changes)) {
      if (what === 'no resolution') continue;
      assert.equal(refused(judgeRecord(ASKED, after, open)).code, 'invalid_patch', what);
    }
  });

  it('stays where it is written as it was read', () => {
    for (const read of [ASKED, { ...ASKED, id: shortened(ID) }, wireRecord(ASKED)]) {
      assert.deepEqual(granted(judgeRecord(ASKED, read, open)), ASKED);
    }
  });
});

describe('a record that no suspension has opened', () => {
  it('is plain state, whatever it is', () => {
    for (const before of [undefined, ASKED, { note: 1 }, 'text']) {
      for (const after of [undefined, ASKED, NEXT, { note: 2 }, 'text', 7]) {
        assert.deepEqual(granted(judgeRecord(before, after, unknown)), after);
        assert.deepEqual(granted(judgeRecord(before, after, { ...settled, lastId: 'x' })), after);
      }
    }
  });

  it('gets no resolution, for nobody has answered it', () => {
    for (const resolution of ['responded', 'expired', 'cancelled', 'anything', false]) {
      for (const before of [undefined, ASKED, NEXT]) {
        assert.deepEqual(granted(judgeRecord(before, { ...ASKED, resolution }, unknown)), ASKED);
      }
    }
  });

  it('is no list, in which nobody looks for a record', () => {
    for (const before of [undefined, ASKED, 'text']) {
      const refusal = refused(judgeRecord(before, [{ ...ASKED, ...ANSWER }], unknown));
      assert.equal(refusal.code, 'invalid_patch');
    }
    const { code, field } = refused(checkFirstState({ _suspension: [ANSWERED] }));
    assert.deepEqual([code, field], ['invalid_request', 'state._suspension']);
    for (const state of [{}, { order: [1] }, { _suspension: ANSWERED }, { _suspension: 'text' }]) {
      assert.ok(checkFirstState(state).ok);
    }
  });
});

const CLAIMED = {
  resolution: 'responded',
  response: 'yes',
  responded_by: 'alice',
  responded_at: OPENED_AT,
  submitted_by: 'alice',
  votes: [{ principal: 'alice', decision: 'approved' }],
  metadata: { comment: 'fine' },
  settled_by: 'operator',
  settled_at: OPENED_AT,
  settled_how: 'well',
  comment: 'I, the CFO, approve',
  data: { limit: 1_000_000 },
  reason: 'portfolio_deadline_exceeded',
  approval: { prompt: 'Pay?' },
  question_version: 2,
  amended_at: OPENED_AT,
  erased_at: OPENED_AT,
};

/** All that the end of a question can write: a field that is added has to be added here too. */
const SETTLEMENT: { readonly [K in keyof Required<Settlement>]: NonNullable<Settlement[K]> } = {
  resolution: 'responded',
  settled_by: 'operator',
  settled_at: OPENED_AT,
  response: 'yes',
  responded_at: OPENED_AT,
  responded_by: 'alice',
  submitted_by: 'alice',
  comment: 'fine',
  data: {},
  metadata: {},
  reason: 'moot',
  votes: [],
  approval: {} as NonNullable<Settlement['approval']>,
  question: 'Refund?',
  text_format: 'plain',
  choices: [],
  context: {},
  response_schema: {},
  question_version: 2,
  amended_at: OPENED_AT,
};
/** What an amendment replaces of the question itself. */
const ASKED_FIELDS = ['question', 'text_format', 'choices', 'context', 'response_schema'];

describe('a new question that claims an answer', () => {
  const choices = [{ value: 'yes', metadata: { votes: 1 } }];
  const asked = { ...NEXT, choices };

  it('claims one by each field that an end writes, but for those of the question', () => {
    const written = settlementOf(SETTLEMENT);
    assert.deepEqual(Object.keys(written).sort(), Object.keys(SETTLEMENT).sort());
    const plain = Object.keys(written).filter(
      (name) => claimsIn({ [name]: written[name as keyof Settlement] as JsonValue }).length === 0,
    );
    assert.deepEqual(plain.sort(), [...ASKED_FIELDS].sort());
  });

  it('is kept without it, and with all else', () => {
    for (const before of [undefined, { note: 1 }, { ...asked, response: 'no' }]) {
      const kept = granted(judgeRecord(before, { ...asked, ...CLAIMED }, unknown));
      assert.deepEqual(kept, asked);
    }
    const next = granted(judgeRecord(ANSWERED, { ...asked, metadata: { by: 'me' } }, settled));
    assert.deepEqual(next, asked);
  });

  it('is kept without each of its claims alone', () => {
    for (const [name, value] of Object.entries(CLAIMED)) {
      const kept = granted(judgeRecord(undefined, { ...asked, [name]: value }, unknown));
      assert.deepEqual(kept, asked, name);
    }
  });

  it('begins an intent without it', () => {
    const state = { order: 7, _suspension: { ...asked, ...CLAIMED } };
    assert.deepEqual(stateWithoutClaims(state), { order: 7, _suspension: asked });
    assert.equal(stateWithoutClaims(ASKED), ASKED);
  });
});

describe('a write of the state', () => {
  const request = { title: 'Refund', status: 'active', constraints: {} } as const;
  const identity = { id: INTENT_ID, created_by: 'agent', owner: 'agent', created_at: OPENED_AT };
  const intentWith = (state: JsonObject): Intent => newIntent({ ...request, state }, identity);
  const limits = {
    attempts: 1,
    ladderEntries: 1,
    ladderEntriesPerAttempt: 1,
    choices: 1,
    questionBytes: 9_000,
    windowSeconds: 1_000_000,
  };
  const write = {
    by: caller('agent'),
    actor: 'agent',
    now: Date.parse(OPENED_AT),
    maxBytes: 10_000,
    ...settled,
    limits,
  };
  const answered = intentWith({ order: 12, _suspension: ANSWERED });
  const set = (path: string, value: JsonValue): StatePatch => ({ op: 'set', path, value });
  const short = { ...ANSWERED, id: shortened(ID) };

  for (const [api, change] of [
    ['the OpenIntent API', writeState],
    ['our own API', writePlainState],
  ] as const) {
    it(`keeps the record through ${api}, beside what it changes`, () => {
      const patches = [set('order', 13), set('_suspension', short)];
      const { intent } = granted(change(answered, patches, write));
      assert.deepEqual(intent.state, { order: 13, _suspension: ANSWERED });
    });

    it(`forges no answer through ${api}, by no path`, () => {
      for (const patch of [
        set('_suspension/response', 'yes'),
        set('/_suspension//response', 'yes'),
        set('_suspension', { ...ANSWERED, response: 'yes' }),
        { op: 'append', path: '_suspension/log', value: 1 } as const,
        { op: 'remove', path: '_suspension' } as const,
        { op: 'remove', path: '_suspension/resolution' } as const,
      ]) {
        assert.equal(refused(change(answered, [patch], write)).code, 'invalid_patch');
      }
    });
  }

  it('asks a question that claims an answer without it, in state, record and log', () => {
    const fresh = intentWith({ order: 1 });
    const waits = { ...fresh, status: 'suspended_awaiting_input' } as const;
    const first = { ...write, lastId: undefined };
    const whole = [set('order', 2), set('/_suspension', { ...NEXT, ...CLAIMED })];
    const parts = [
      set('_suspension', NEXT),
      ...Object.entries(CLAIMED).map(([name, value]) => set(`_suspension/${name}`, value)),
      { op: 'append', path: '_suspension/votes', value: 'yes' } as const,
    ];
    for (const intent of [waits, fresh]) {
      for (const patches of [whole, parts]) {
        const change = granted(writeState(intent, patches, first));
        assert.deepEqual(change.intent.state['_suspension'], NEXT);
        assert.deepEqual([...(change.dropped ?? [])].sort(), Object.keys(CLAIMED).sort());
        const text = JSON.stringify([change.events, change.opens ?? null]);
        assert.doesNotMatch(text, /alice|settled_|"fine"/);
        assert.equal(change.opens?.record.id, intent === waits ? NEXT_ID : undefined);
      }
    }
    const later = granted(writeState(fresh, [set('_suspension', NEXT)], first)).intent;
    const claims = [set('_suspension/response', 'yes')];
    assert.deepEqual(granted(writeState(later, claims, first)).intent.state['_suspension'], NEXT);
    assert.equal(refused(writePlainState(later, claims, first)).code, 'invalid_patch');
  });

  it('leaves nothing in the log that it claims and takes back', () => {
    const fresh = intentWith({ order: 1 });
    const waits = { ...fresh, status: 'suspended_awaiting_input' } as const;
    const first = { ...write, lastId: undefined };
    const forged = { ...NEXT, response: 'forged' };
    const ways: readonly (readonly StatePatch[])[] = [
      [set('_suspension', forged), { op: 'remove', path: '_suspension/response' }],
      [set('_suspension/response', 'forged'), set('order', 2), set('_suspension', NEXT)],
      [
        set('_suspension', [forged]),
        set('_suspension/0/response', 'forged'),
        set('_suspension', NEXT),
      ],
      [{ op: 'append', path: '_suspension', value: forged }, set('_suspension', NEXT)],
      [set('_suspension', NEXT), set('_suspension/resolution/x', 'forged')],
    ];
    for (const [index, patches] of ways.entries()) {
      for (const intent of [waits, fresh]) {
        const change = granted(writeState(intent, patches, first));
        assert.deepEqual(change.intent.state['_suspension'], NEXT, `${index}`);
        assert.doesNotMatch(JSON.stringify(change.events), /forged/, `${index}`);
        assert.deepEqual(change.dropped, [index === 4 ? 'resolution' : 'response']);
      }
    }
    const back = [set('_suspension/response', 'forged'), set('_suspension', ANSWERED)];
    for (const change of [writeState, writePlainState]) {
      const { intent, events } = granted(change(answered, back, write));
      assert.deepEqual(intent.state['_suspension'], ANSWERED);
      assert.doesNotMatch(JSON.stringify(events), /forged/);
    }
  });

  it('logs what it sends where that claims nothing', () => {
    const fresh = intentWith({});
    const first = { ...write, lastId: undefined };
    const patches = [set('_suspension', NEXT), set('_suspension/resolution', null)];
    const { events, dropped } = granted(writeState(fresh, patches, first));
    assert.deepEqual([events[0]?.payload['patches'], dropped], [patches, undefined]);
    const echo = [set('order', 13), set('/_suspension', short)];
    const kept = granted(writeState(answered, echo, write));
    assert.deepEqual([kept.events[0]?.payload['patches'], kept.dropped], [echo, undefined]);
  });

  it('asks the next question through the OpenIntent API alone', () => {
    const patches = [set('_suspension', NEXT)];
    const { intent, opens } = granted(writeState(answered, patches, write));
    assert.deepEqual([intent.state['_suspension'], opens], [NEXT, undefined]);
    assert.equal(refused(writePlainState(answered, patches, write)).code, 'invalid_patch');
    const waits = { ...answered, status: 'suspended_awaiting_input' } as const;
    assert.equal(granted(writeState(waits, patches, write)).opens?.record.id, NEXT_ID);
  });

  it('does not ask again what it leaves as it was', () => {
    const waits = { ...answered, status: 'suspended_awaiting_input' } as const;
    const { opens, intent } = granted(writeState(waits, [set('_suspension', short)], write));
    assert.deepEqual([opens, intent.state['_suspension']], [undefined, ANSWERED]);
  });

  it('refuses through our own API what it refused before', () => {
    const wrong = refused(writePlainState(answered, [set('order/place', 1)], write));
    assert.deepEqual([wrong.code, wrong.field], ['invalid_patch', 'patches[0].path']);
    const large = refused(writePlainState(answered, [set('x', 'x'.repeat(10_000))], write));
    assert.equal(large.code, 'state_too_large');
    const first = refused(writePlainState(intentWith({}), [set('_suspension', ASKED)], write));
    assert.equal(first.field, 'patches[0].path');
  });
});
