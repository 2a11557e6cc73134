import assert from 'node:assert/strict';
import {
  type Intent,
  type IntentStatus,
  intentStatusSchema,
  type StatePatch,
} from '../../../contracts/intent/intent.js';
import {
  changeState,
  changeStatus,
  checkOpen,
  checkTransition,
  checkVersion,
  createdEvent,
  describeIntent,
  isClosed,
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

const INTENT = newIntent(
  { title: 'Refund', status: 'active', state: {}, constraints: {} },
  { id: INTENT_ID, created_by: 'agent-1', owner: 'agent-1', created_at: OPENED_AT },
);

describe('the details of an intent', () => {
  it('tell title, status, version and creator', () => {
    assert.equal(
      describeIntent(INTENT),
      '**Refund**\n\n- Status: `active`, version 1\n- Created by agent-1',
    );
  });

  it('tell that it waits for an answer', () => {
    assert.equal(
      describeIntent({ ...INTENT, status: 'suspended_awaiting_input' }),
      '**Refund**\n\n- Status: `suspended_awaiting_input`, version 1\n' +
        '- Waits for the answer to its question\n- Created by agent-1',
    );
  });

  it('name the question that it waits for', () => {
    const state = { _suspension: { id: 'question_7' } };
    const text = describeIntent({ ...INTENT, state, status: 'suspended_awaiting_input' });
    assert.match(text, /^- Waits for the answer to question question\\_7$/m);
  });

  it('tell why it was abandoned', () => {
    const text = describeIntent({
      ...INTENT,
      status: 'abandoned',
      abandonment_reason: 'suspension_expired',
    });
    assert.match(text, /Abandoned: suspension\\_expired/);
  });

  it('take Markdown in a title literally', () => {
    const text = describeIntent({ ...INTENT, title: '*bold* [link] `code` <b>' });
    assert.ok(text.startsWith('**\\*bold\\* \\[link\\] \\`code\\` \\<b\\>**'), text);
  });
});

const STATUSES = intentStatusSchema.options;

/** The result of a write from one status to another: granted, or the code of its refusal. */
const TABLE: Readonly<Record<IntentStatus, Readonly<Record<IntentStatus, string>>>> = {
  draft: {
    draft: 'invalid_transition',
    active: 'granted',
    blocked: 'invalid_transition',
    suspended_awaiting_input: 'invalid_transition',
    completed: 'invalid_transition',
    abandoned: 'granted',
  },
  active: {
    draft: 'invalid_transition',
    active: 'invalid_transition',
    blocked: 'granted',
    suspended_awaiting_input: 'invalid_transition',
    completed: 'granted',
    abandoned: 'granted',
  },
  blocked: {
    draft: 'invalid_transition',
    active: 'granted',
    blocked: 'invalid_transition',
    suspended_awaiting_input: 'invalid_transition',
    completed: 'invalid_transition',
    abandoned: 'granted',
  },
  suspended_awaiting_input: {
    draft: 'intent_suspended',
    active: 'intent_suspended',
    blocked: 'intent_suspended',
    suspended_awaiting_input: 'intent_suspended',
    completed: 'intent_suspended',
    abandoned: 'granted',
  },
  completed: {
    draft: 'intent_closed',
    active: 'intent_closed',
    blocked: 'intent_closed',
    suspended_awaiting_input: 'intent_closed',
    completed: 'intent_closed',
    abandoned: 'intent_closed',
  },
  abandoned: {
    draft: 'intent_closed',
    active: 'intent_closed',
    blocked: 'intent_closed',
    suspended_awaiting_input: 'intent_closed',
    completed: 'intent_closed',
    abandoned: 'intent_closed',
  },
};

describe('a status write', () => {
  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const expected = TABLE[from][to];
      it(`from ${from} to ${to} is ${expected}`, () => {
        const ruling = checkTransition(from, to);
        assert.equal(ruling.ok ? 'granted' : ruling.refusal.code, expected);
      });
    }
  }

  it('grants the status that was asked for', () => {
    assert.equal(granted(checkTransition('draft', 'active')), 'active');
  });

  it('cannot complete a suspended intent [R25-09]', () => {
    const refusal = refused(checkTransition('suspended_awaiting_input', 'completed'));
    assert.equal(refusal.code, 'intent_suspended');
    assert.deepEqual(refusal.state, { intent_status: 'suspended_awaiting_input' });
  });

  it('can abandon a suspended intent [AM-02]', () => {
    assert.ok(checkTransition('suspended_awaiting_input', 'abandoned').ok);
  });

  it('never suspends, and names the way that does [R25-05]', () => {
    for (const from of ['draft', 'active', 'blocked'] as const) {
      const refusal = refused(checkTransition(from, 'suspended_awaiting_input'));
      assert.match(refusal.detail, /POST .*\/suspend/);
      assert.deepEqual(refusal.state, { intent_status: from });
    }
  });

  it('tells what a refused write could have been', () => {
    const refusal = refused(checkTransition('active', 'draft'));
    assert.equal(refusal.field, 'status');
    assert.equal(refusal.accepted, 'blocked, completed, abandoned');
    assert.match(refusal.detail, /from active to draft/);
  });

  it('says of a closed intent which status it has, and of a suspended one what it may become', () => {
    const closed = refused(checkTransition('completed', 'active'));
    assert.deepEqual(closed.state, { intent_status: 'completed' });
    const suspended = refused(checkTransition('suspended_awaiting_input', 'active'));
    assert.deepEqual([suspended.field, suspended.accepted], ['status', 'abandoned']);
  });

  it('finds an intent closed when completed or abandoned', () => {
    assert.deepEqual(STATUSES.filter(isClosed), ['completed', 'abandoned']);
  });
});
