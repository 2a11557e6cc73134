import assert from 'node:assert/strict';
import type { Intent, IntentStatus, StatePatch } from '../../../contracts/intent/intent.js';
import {
  changeState,
  changeStatus,
  checkOpen,
  checkVersion,
  createdEvent,
  movedTo,
  newIntent,
  statusChanged,
} from '../../../domain/intent/entity.js';
import { granted, INTENT_ID, OPENED_AT, refused } from '../samples.js';

const LATER = '2026-03-24T10:30:00.000Z';
const IDENTITY = { id: INTENT_ID, created_by: 'agent-1', owner: 'agent-1', created_at: OPENED_AT };
const REQUEST = { title: 'Refund', status: 'active', state: {}, constraints: {} } as const;

function intentWith(fields: Partial<Intent> = {}): Intent {
  return { ...newIntent(REQUEST, IDENTITY), version: 4, ...fields };
}

describe('a new intent', () => {
  it('is at version 1, in the status of the request', () => {
    assert.deepEqual(newIntent({ ...REQUEST, status: 'draft', state: { a: 1 } }, IDENTITY), {
      id: INTENT_ID,
      title: 'Refund',
      description: null,
      status: 'draft',
      version: 1,
      state: { a: 1 },
      constraints: {},
      parent_intent_id: null,
      depends_on: [],
      created_by: 'agent-1',
      owner: 'agent-1',
      created_at: OPENED_AT,
      updated_at: OPENED_AT,
    });
  });

  it('keeps its description', () => {
    const { description } = newIntent({ ...REQUEST, description: 'Order 12' }, IDENTITY);
    assert.equal(description, 'Order 12');
  });

  it('keeps its parent, its dependencies and its governance policy', () => {
    const links = { parent_intent_id: 'parent', depends_on: ['a', 'b'] };
    const policy = { governance_policy: { max_cost: 5 } };
    const intent = newIntent({ ...REQUEST, ...links, ...policy }, IDENTITY);
    const { parent_intent_id, depends_on, governance_policy } = intent;
    assert.deepEqual({ parent_intent_id, depends_on, governance_policy }, { ...links, ...policy });
  });
});

describe('the first event of an intent', () => {
  it('names title and status', () => {
    assert.deepEqual(createdEvent(intentWith()), {
      event_type: 'intent_created',
      actor: 'agent-1',
      principal: 'agent-1',
      payload: { title: 'Refund', status: 'active' },
    });
  });

  it('names the parent and the dependencies if there are any', () => {
    const { payload } = createdEvent(intentWith({ parent_intent_id: 'p', depends_on: ['a'] }));
    assert.deepEqual(payload, {
      title: 'Refund',
      status: 'active',
      parent_id: 'p',
      depends_on: ['a'],
    });
  });
});

describe('the version that If-Match names', () => {
  it('passes where it is current', () => {
    assert.equal(granted(checkVersion(intentWith(), 4)), true);
  });

  for (const other of [0, 3, 5, Number.NaN]) {
    it(`is refused as ${other} where 4 is current`, () => {
      const refusal = refused(checkVersion(intentWith({ status: 'blocked' }), other));
      assert.equal(refusal.code, 'version_conflict');
      assert.equal(refusal.accepted, '4');
      assert.deepEqual(refusal.state, { current_version: 4, intent_status: 'blocked' });
    });
  }
});

describe('an intent', () => {
  const OPEN: Readonly<Record<IntentStatus, boolean>> = {
    draft: true,
    active: true,
    blocked: true,
    suspended_awaiting_input: true,
    completed: false,
    abandoned: false,
  };
  for (const [status, open] of Object.entries(OPEN) as [IntentStatus, boolean][]) {
    it(`is ${open ? 'open' : 'closed'} when ${status}`, () => {
      const ruling = checkOpen(intentWith({ status }));
      assert.deepEqual(
        ruling.ok ? ruling.value : [ruling.refusal.code, ruling.refusal.state],
        open || ['intent_closed', { intent_status: status }],
      );
    });
  }
});

describe('a change of status', () => {
  it('moves one version on with one event', () => {
    const before = intentWith();
    const { intent, events } = granted(changeStatus(before, { status: 'blocked' }, 'bob', LATER));
    assert.deepEqual(intent, { ...before, status: 'blocked', version: 5, updated_at: LATER });
    assert.deepEqual(events, [statusChanged('blocked', 5, 'bob')]);
    assert.equal(before.version, 4);
  });

  it('keeps the reason of an abandonment in the record, of others in the event only', () => {
    const outcomes = (['abandoned', 'blocked'] as const).map((status) =>
      granted(changeStatus(intentWith(), { status, reason: 'because' }, 'bob', LATER)),
    );
    assert.deepEqual(
      outcomes.map(({ intent, events }) => [
        intent.abandonment_reason,
        events[0]?.payload['reason'],
      ]),
      [
        ['because', 'because'],
        [undefined, 'because'],
      ],
    );
  });

  it('abandons without a reason if nobody gives one', () => {
    const { intent, events } = movedTo(intentWith(), 'abandoned', 'bob', LATER);
    assert.ok(!('abandonment_reason' in intent));
    assert.deepEqual(events[0]?.payload, { status: 'abandoned', version: 5 });
  });

  it('is refused as the status machine says', () => {
    const refusal = refused(changeStatus(intentWith(), { status: 'draft' }, 'bob', LATER));
    assert.equal(refusal.code, 'invalid_transition');
  });
});

describe('the event of a change of status', () => {
  it('names no reason where there is none', () => {
    assert.deepEqual(statusChanged('active', 2, 'bob'), {
      event_type: 'status_changed',
      actor: 'bob',
      payload: { status: 'active', version: 2 },
    });
  });
});

describe('a change of state', () => {
  const PATCHES: StatePatch[] = [
    { op: 'set', path: 'a/b', value: 1 },
    { op: 'remove', path: 'old' },
  ];

  it('moves one version on with the patches in the event', () => {
    const before = intentWith({ state: { old: true } });
    const { intent, events } = granted(changeState(before, PATCHES, 'bob', LATER, 1_000));
    assert.deepEqual(intent, { ...before, state: { a: { b: 1 } }, version: 5, updated_at: LATER });
    assert.deepEqual(events, [
      { event_type: 'state_patched', actor: 'bob', payload: { patches: PATCHES, version: 5 } },
    ]);
    assert.deepEqual(before.state, { old: true });
  });

  const REFUSED: readonly (readonly [string, Partial<Intent>, StatePatch, string])[] = [
    ['once completed', { status: 'completed' }, { op: 'remove', path: 'a' }, 'intent_closed'],
    ['once abandoned', { status: 'abandoned' }, { op: 'remove', path: 'a' }, 'intent_closed'],
    ['at its question', {}, { op: 'remove', path: '_suspension' }, 'invalid_patch'],
    ['beyond the limit', {}, { op: 'set', path: 'a', value: 'x'.repeat(99) }, 'state_too_large'],
  ];
  for (const [when, fields, patch, code] of REFUSED) {
    it(`is refused ${when} [R25-86]`, () => {
      const ruling = changeState(intentWith(fields), [patch], 'bob', LATER, 100);
      assert.equal(refused(ruling).code, code);
    });
  }
});
