import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TASK_STATUSES } from '../../../contracts/constants/statuses.js';
import { isGate, isNews, isOrder, isPlanEvent } from '../../../domain/plan/message-form.js';
import { AT, EXPIRES, UPSTREAM_INTENT, news } from './task-samples.js';

const NO_OBJECTS = [undefined, null, 'text', 7, [], [1]];
const WAITS = { intent_id: UPSTREAM_INTENT, suspended_since: AT, expires_at: EXPIRES };

/** Tests a form with one that is whole, and with others in which one field is replaced. */
function recognises(
  isWhole: (message: unknown) => boolean,
  whole: object,
  accepted: readonly object[],
  broken: Readonly<Record<string, readonly unknown[]>>,
): void {
  it('are taken in their whole form', () => {
    for (const fields of [{}, ...accepted]) {
      const message = { ...whole, ...fields };
      assert.equal(isWhole(message), true, JSON.stringify(message));
    }
  });

  for (const [field, values] of Object.entries(broken)) {
    it(`are refused with another ${field}`, () => {
      for (const value of values) {
        const message = { ...whole, [field]: value };
        assert.equal(isWhole(message), false, JSON.stringify(message));
      }
    });
  }

  it('are refused if they are no objects', () => {
    for (const message of NO_OBJECTS) assert.equal(isWhole(message), false, String(message));
  });
}

describe('news of a task', () => {
  recognises(
    isNews,
    news(1),
    [
      ...TASK_STATUSES.map((status) => ({ status })),
      { error: 'broken' },
      { output: null },
      { output: { findings: [] } },
      { output: undefined },
      { suspension: WAITS },
      { suspension: { ...WAITS, expires_at: null } },
      { dependents_held_by: 'coordinator' },
      { final: true },
    ],
    {
      task_id: [undefined, 7],
      name: [undefined, 7],
      revision: [undefined, '1', 1.5],
      attempt: [undefined, '1', 1.5],
      max_attempts: [undefined, '1', Infinity],
      status: [undefined, 'gone', 1],
      error: [undefined, 7],
      final: [false, 'true', null],
      output: ['text', [], 7],
      dependents_held_by: [null, 7],
      suspension: [
        undefined,
        'text',
        [],
        { ...WAITS, intent_id: 7 },
        { ...WAITS, suspended_since: null },
        { ...WAITS, expires_at: 7 },
        { ...WAITS, expires_at: undefined },
      ],
    },
  );
});

describe('changes to the gate of a task', () => {
  recognises(isGate, { revision: 2, open: true }, [{ open: false, held: 'checkpoint' }], {
    held: ['coordinator', true],
    revision: [undefined, '2', 0.5],
    open: [undefined, 'true', 1],
  });
});

describe('orders to cancel a task', () => {
  recognises(isOrder, { kind: 'cancel', reason: 'plan_failed' }, [{ kind: 'skip' }], {
    kind: [undefined, 'stop'],
    reason: [undefined, 7],
  });
});

describe('orders to skip a task', () => {
  it('need no reason', () => {
    assert.equal(isOrder({ kind: 'skip' }), true);
  });
});

describe('events of a task or a plan', () => {
  recognises(
    isPlanEvent,
    { event_type: 'task.ready', actor: 'clock', principal: 'holdpoint', payload: {} },
    [{ event_type: 'plan.checkpoint_reached' }, { payload: { task_id: 'a' } }],
    {
      principal: [undefined, 7],
      event_type: [
        undefined,
        7,
        'intent.resumed',
        'task',
        'task.',
        'task.a b',
        'task.ready.again',
        'a task.ready',
        'taskXready',
        ['task.ready'],
      ],
      actor: [undefined, 7],
      payload: [undefined, 'text', []],
    },
  );
});
