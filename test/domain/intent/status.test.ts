import assert from 'node:assert/strict';
import { intentStatusSchema, type IntentStatus } from '../../../contracts/intent/intent.js';
import { checkTransition, isClosed } from '../../../domain/intent/entity.js';
import { granted, refused } from '../samples.js';

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
