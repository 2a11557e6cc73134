import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Intent, StatePatch } from '../../../contracts/intent/intent.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { newIntent } from '../../../domain/intent/entity.js';
import { shortened } from '../../../domain/kernel/text.js';
import { recordedKey } from '../../../domain/suspension/record/events.js';
import {
  keepSubmitted,
  writeState,
  writeStatus,
} from '../../../domain/openintent/question-writes.js';
import { granted, ID, INTENT_ID, OPENED_AT, refused, settledWith } from '../samples.js';
import { caller } from '../../support/callers.js';

const LIMITS = {
  attempts: 100,
  ladderEntries: 200,
  ladderEntriesPerAttempt: 20,
  choices: 100,
  questionBytes: 9_000,
  windowSeconds: 1_000_000,
};
const RECORD = { id: ID, question: 'Refund?', response_type: 'text' };

function intentWith(fields: Partial<Intent> = {}): Intent {
  const request = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;
  const identity = { id: INTENT_ID, created_by: 'agent', owner: 'agent', created_at: OPENED_AT };
  return { ...newIntent(request, identity), ...fields };
}

const write = (questionIsOpen = false, maxBytes = 10_000) => ({
  by: caller('agent-1'),
  asker: 'agent-1',
  actor: 'refunder',
  ...(questionIsOpen && { lastId: ID }),
  now: Date.parse(OPENED_AT),
  questionIsOpen,
  maxBytes,
  limits: LIMITS,
});
const set = (value: JsonObject, path = '_suspension'): StatePatch => ({ op: 'set', path, value });
const suspended = (state: JsonObject = {}) =>
  intentWith({ status: 'suspended_awaiting_input', state });

describe('a question in two writes', () => {
  it('opens with the second, whichever that is [AM-33]', () => {
    const first = granted(writeState(intentWith(), [set(RECORD)], write()));
    assert.equal(first.opens, undefined);
    const request = { status: 'suspended_awaiting_input' } as const;
    const second = granted(writeStatus(first.intent, request, write()));
    assert.equal(second.opens?.record.id, ID);
    assert.deepEqual([second.intent.version, second.intent.state], [3, { _suspension: RECORD }]);

    const waits = granted(writeStatus(intentWith(), request, write()));
    assert.equal(waits.opens, undefined);
    const asked = granted(writeState(waits.intent, [set(RECORD)], write()));
    assert.equal(asked.opens?.record.id, ID);
    assert.deepEqual([asked.intent.version, asked.intent.state], [3, { _suspension: RECORD }]);
  });

  it('opens with a record whose resolution is null, and is logged after the write', () => {
    const open = { ...RECORD, resolution: null };
    const request = { status: 'suspended_awaiting_input' } as const;
    const byStatus = granted(
      writeStatus(intentWith({ state: { _suspension: open } }), request, write()),
    );
    const byState = granted(writeState(suspended(), [set(open)], write()));
    const logged = [byStatus, byState].map(({ events }) =>
      events.map(({ event_type, actor }) => [event_type, actor]),
    );
    assert.deepEqual(logged, [
      [
        ['status_changed', 'refunder'],
        ['intent.suspended', 'refunder'],
      ],
      [
        ['state_patched', 'refunder'],
        ['intent.suspended', 'refunder'],
      ],
    ]);
    assert.deepEqual([byStatus.opens?.record.id, byState.opens?.record.id], [ID, ID]);
  });

  it('is not opened by another status', () => {
    const intent = intentWith({ state: { _suspension: RECORD } });
    const blocked = granted(writeStatus(intent, { status: 'blocked' }, write()));
    assert.deepEqual([blocked.opens, blocked.intent.status], [undefined, 'blocked']);
  });

  it('leaves a settled or unreadable record where it is, and waits for another', () => {
    for (const left of [{ ...RECORD, resolution: 'responded' }, { note: 1 }]) {
      const intent = intentWith({ state: { _suspension: left } });
      const request = { status: 'suspended_awaiting_input' } as const;
      const waits = granted(writeStatus(intent, request, write()));
      assert.deepEqual([waits.opens, waits.intent.state], [undefined, { _suspension: left }]);
      const gone = granted(
        writeState(waits.intent, [{ op: 'remove', path: '_suspension' }], write()),
      );
      assert.deepEqual([gone.opens, gone.intent.state], [undefined, {}]);
    }
  });

  it('is refused with the status where the record that is there cannot be asked [R25-86]', () => {
    const record = { ...RECORD, timeout_seconds: 2.5 };
    const intent = intentWith({ state: { _suspension: record } });
    const refusal = refused(writeStatus(intent, { status: 'suspended_awaiting_input' }, write()));
    assert.deepEqual(
      [refusal.code, refusal.field],
      ['invalid_patch', '_suspension.timeout_seconds'],
    );
  });

  it('is plain state in an intent that is not suspended', () => {
    for (const value of [RECORD, { ...RECORD, resolution: null }, { anything: true }]) {
      const change = granted(writeState(intentWith(), [set(value)], write()));
      assert.deepEqual([change.opens, change.intent.state], [undefined, { _suspension: value }]);
    }
  });

  it('counts towards the size of the state, as all that is written', () => {
    const long = set({ ...RECORD, question: 'x'.repeat(500) });
    assert.equal(
      refused(writeState(suspended(), [long], write(false, 500))).code,
      'state_too_large',
    );
  });

  it('is not asked of a closed intent', () => {
    const closed = intentWith({ status: 'completed' });
    assert.equal(refused(writeState(closed, [set(RECORD)], write())).code, 'intent_closed');
  });

  it('keeps what was given when it ends', () => {
    const record = settledWith({ fallback_policy: 'use_default_and_continue' });
    const change = { intent: suspended({ _suspension: { ...record } as never }), events: [] };
    const { intent } = keepSubmitted(RECORD, record, change);
    const { resolution, settled_by, settled_at, response, responded_at, responded_by } = record;
    const settlement = { resolution, settled_by, settled_at, response, responded_at, responded_by };
    assert.deepEqual(intent.state['_suspension'], { ...RECORD, ...settlement });
  });
});

describe('a status write', () => {
  const SUSPENDED = 'suspended_awaiting_input';

  for (const [from, questionIsOpen, to, expected] of [
    ['draft', false, SUSPENDED, SUSPENDED],
    ['active', false, SUSPENDED, SUSPENDED],
    ['blocked', false, SUSPENDED, 'invalid_transition'],
    ['completed', false, SUSPENDED, 'intent_closed'],
    [SUSPENDED, false, SUSPENDED, SUSPENDED],
    [SUSPENDED, false, 'active', 'active'],
    [SUSPENDED, false, 'abandoned', 'abandoned'],
    [SUSPENDED, false, 'completed', 'intent_suspended'],
    [SUSPENDED, true, SUSPENDED, 'intent_suspended'],
    [SUSPENDED, true, 'active', 'intent_suspended'],
    ['draft', false, 'active', 'active'],
    ['draft', true, 'completed', 'invalid_transition'],
    ['active', false, 'active', 'invalid_transition'],
    ['completed', false, 'active', 'intent_closed'],
  ] as const) {
    const open = questionIsOpen ? ', with a question open' : '';
    it(`of ${to} while the intent is ${from}${open} leads to ${expected}`, () => {
      const ruling = writeStatus(
        intentWith({ status: from }),
        { status: to },
        write(questionIsOpen),
      );
      assert.equal(ruling.ok ? ruling.value.intent.status : ruling.refusal.code, expected);
    });
  }
});

describe('a resolution in a state write', () => {
  for (const resolution of ['responded', 'expired']) {
    it(`is left to the server: ${resolution}`, () => {
      const patches = [set({ ...RECORD, resolution })];
      const open = suspended({ _suspension: RECORD });
      const refusal = refused(writeState(open, patches, write(true)));
      assert.equal(refusal.code, 'invalid_patch');
      assert.match(refusal.detail, new RegExp(`Only the server settles .* as ${resolution}`));
    });
  }

  it('is dropped from a new question, which is asked', () => {
    for (const resolution of ['responded', 'expired', 'cancelled', 'odd', 0, {}]) {
      const patches = [set({ ...RECORD, resolution, response: 'yes' })];
      const { intent, opens, dropped } = granted(writeState(suspended(), patches, write()));
      assert.deepEqual(intent.state['_suspension'], RECORD);
      assert.equal(opens?.record.resolution, undefined);
      assert.equal(opens?.record.id, RECORD.id);
      assert.deepEqual(dropped, ['resolution', 'response']);
    }
  });
});

describe('a record that was there before the intent waited for it', () => {
  const { id: _id, ...nameless } = RECORD;
  const waits = suspended({ _suspension: nameless });

  it('is judged where it is written once more, and left where something else is', () => {
    const again = refused(writeState(waits, [set(nameless)], write()));
    assert.deepEqual([again.code, again.field], ['invalid_patch', '_suspension.id']);
    const note: StatePatch = { op: 'set', path: 'note', value: 1 };
    assert.equal(granted(writeState(waits, [note], write())).opens, undefined);
    assert.equal(granted(writeState(waits, [set(RECORD)], write())).opens?.record.id, RECORD.id);
  });
});

describe('a withdrawal by writing', () => {
  const open = suspended({ _suspension: RECORD });
  const withdrawalIn = (intent: Intent, patch: StatePatch) =>
    granted(writeState(intent, [patch], write(true))).withdraws;

  it('is for who asked, or an admin, whoever owns the intent', () => {
    const patch = set({ resolution: 'cancelled' });
    const by = (who: Caller) => writeState(open, [patch], { ...write(true), by: who });
    for (const who of [caller('agent-1'), caller('root', 'admin')]) {
      const change = granted(by(who));
      assert.deepEqual([change.intent, change.events], [open, []]);
    }
    for (const who of [caller('agent'), caller('alice', 'operator')]) {
      assert.equal(refused(by(who)).code, 'forbidden');
    }
  });

  it('leaves the same record as cancelled, by any path', () => {
    const ways: StatePatch[] = [
      set({ ...RECORD, resolution: 'cancelled', reason: 'moot' }),
      { op: 'set', path: '/_suspension/resolution', value: 'cancelled' },
      set({ resolution: 'cancelled' }),
    ];
    const found = ways.map((way) => withdrawalIn(open, way));
    const withdrawal = { suspension_id: ID };
    assert.deepEqual(found, [{ ...withdrawal, reason: 'moot' }, withdrawal, withdrawal]);
  });

  it('has no reason if that is empty or no text', () => {
    for (const reason of ['', 7, null]) {
      const patch = set({ ...RECORD, resolution: 'cancelled', reason });
      assert.deepEqual(withdrawalIn(open, patch), { suspension_id: ID });
    }
  });

  it('is nothing else', () => {
    const cancelled = { op: 'set', path: '_suspension/resolution', value: 'cancelled' } as const;
    const never: readonly (readonly [Intent, StatePatch])[] = [
      [open, set({ ...RECORD, id: 'other', resolution: 'cancelled' })],
      [open, set({ ...RECORD, resolution: 'responded' })],
      [open, { op: 'append', path: '_suspension', value: 1 }],
      [suspended(), cancelled],
      [suspended({ _suspension: { ...RECORD, resolution: 'expired' } }), cancelled],
      [intentWith({ state: { _suspension: RECORD } }), cancelled],
    ];
    for (const [intent, patch] of never) {
      assert.equal(refused(writeState(intent, [patch], write(true))).code, 'invalid_patch');
    }
  });

  it('takes the shortened id, as whoever did not make the intent reads it [AM-45]', () => {
    const read = { ...RECORD, id: shortened(ID), resolution: 'cancelled' };
    assert.deepEqual(withdrawalIn(open, set(read)), { suspension_id: ID });
  });

  it('writes nothing besides, for both together could be refused in halves', () => {
    const mixed = [set({}, 'note'), set({ resolution: 'cancelled' })];
    const refusal = refused(writeState(open, mixed, write(true)));
    assert.deepEqual([refusal.code, refusal.field], ['invalid_patch', '_suspension']);
    assert.match(refusal.detail, /in a write of its own/);
  });
});

describe('what an event tells of a suspension', () => {
  it('is the same by suspension, type, attempt and ladder entry', () => {
    const key = (event_type: string, payload: JsonObject) => recordedKey({ event_type, payload });
    const told = { suspension_id: ID, attempt: 2, channel_hint: 'email', escalated_to: null };
    const escalated = key('intent.suspension_escalated', told);
    assert.equal(
      key('intent.suspension_escalated', { ...told, escalated_to: '', x: 1 }),
      escalated,
    );
    for (const other of [{ attempt: 3 }, { channel_hint: 'sms' }, { escalated_to: 'bob' }]) {
      assert.notEqual(key('intent.suspension_escalated', { ...told, ...other }), escalated);
    }
    const renotified = key('intent.suspension_renotified', told);
    assert.equal(key('intent.suspension_renotified', { ...told, channel_hint: 'sms' }), renotified);
    assert.notEqual(renotified, escalated);
    assert.notEqual(key('intent.suspension_renotified', { ...told, attempt: 3 }), renotified);
    assert.equal(key('intent.resumed', told), undefined);
    assert.equal(key('intent.suspended', { suspension_id: 7 }), undefined);
  });

  for (const event_type of [
    'intent.suspended',
    'intent.suspension_renotified',
    'intent.suspension_escalated',
  ]) {
    it(`is another for another suspension: ${event_type}`, () => {
      const payload = { suspension_id: ID, attempt: 2, channel_hint: null, escalated_to: null };
      const other = { ...payload, suspension_id: INTENT_ID };
      const key = recordedKey({ event_type, payload });
      assert.notEqual(key, undefined);
      assert.equal(recordedKey({ event_type, payload: { ...payload } }), key);
      assert.notEqual(recordedKey({ event_type, payload: other }), key);
    });
  }

  it('is one decision for an approval, either way', () => {
    const key = (event_type: string, approval_id: string) =>
      recordedKey({ event_type, payload: { approval_id } });
    const decision = key('governance.approval_granted', 'a-1');
    assert.notEqual(decision, undefined);
    assert.equal(key('governance.approval_denied', 'a-1'), decision);
    assert.notEqual(key('governance.approval_granted', 'a-2'), decision);
    assert.equal(key('governance.approval_requested', 'a-1'), undefined);
  });
});
