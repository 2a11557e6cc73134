import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { AnnouncedSuspension, Announcement } from '../../../contracts/graph/announcement.js';
import type { TaskStatus } from '../../../contracts/plan/task.js';
import { isTaskDone, mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { newsOf, type TaskState } from '../../../domain/plan/task-state.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import {
  announced,
  aState,
  AT,
  EXPIRES,
  INTENT_ID,
  LATER,
  OPEN,
  suspended,
  TASK_ID,
  UPSTREAM_INTENT,
} from './task-samples.js';

const RUNNING = { status: 'running', assigned_agent: 'agent-1', lease_id: 'lease' } as const;

function after(state: TaskState, ...announced: readonly Announcement[]): TaskState {
  return announced.reduce((known, one) => mirrorIntent(known, one, LATER).state, state);
}

describe('a task and its intent', () => {
  it('blocks the task of a suspended intent, with the reason and the intent [R26-12, R26-15]', () => {
    const { state, events } = mirrorIntent(aState(RUNNING), suspended(2), LATER);
    const { status, blocked_reason, suspended_intent_id, version } = state.task;
    assert.deepEqual(
      { status, blocked_reason, suspended_intent_id, version },
      {
        status: 'blocked',
        blocked_reason: 'intent_suspended',
        suspended_intent_id: INTENT_ID,
        version: 2,
      },
    );
    assert.deepEqual(
      events.map(({ event_type, payload }) => [event_type, payload]),
      [
        [
          'task.blocked',
          { task_id: state.task.id, reason: 'intent_suspended', blocked_by: INTENT_ID },
        ],
      ],
    );
    assert.deepEqual(newsOf(state).suspension, {
      intent_id: INTENT_ID,
      suspended_since: AT,
      expires_at: EXPIRES,
    });
  });

  it('runs again on resume, with its claim and without the reason [R26-13, R26-14]', () => {
    const blocked = after(aState(RUNNING), suspended(2));
    const settled = { ...OPEN, resolution: 'responded', settled_at: LATER } as const;
    const { state, events } = mirrorIntent(blocked, announced(4, { suspension: settled }), LATER);
    const { version, updated_at, ...task } = state.task;
    const { version: _version, updated_at: _updated, ...before } = aState(RUNNING).task;
    assert.deepEqual(task, before);
    assert.deepEqual([version, updated_at], [3, LATER]);
    assert.deepEqual(
      events.map(({ event_type, payload }) => [event_type, payload['resolution']]),
      [['task.unblocked', 'responded']],
    );
    assert.equal(newsOf(state).suspension, null);
  });

  it('returns to what it was blocked for before [AM-36]', () => {
    const waits = { status: 'blocked', blocked_reason: 'legal review' } as const;
    const blocked = after(aState(waits), suspended(2));
    assert.equal(blocked.task.blocked_reason, 'intent_suspended');
    const { status, blocked_reason, suspended_intent_id } = after(blocked, announced(4)).task;
    assert.deepEqual(
      [status, blocked_reason, suspended_intent_id],
      ['blocked', 'legal review', null],
    );
  });

  it('goes on waiting for its dependencies after a suspension', () => {
    const blocked = after(aState({ status: 'pending' }), suspended(2));
    assert.equal(blocked.task.status, 'blocked');
    assert.equal(after(blocked, announced(4)).task.status, 'pending');
  });

  for (const reason of ['suspension_expired', 'portfolio_deadline_exceeded']) {
    it(`fails with the reason where the intent is abandoned for ${reason} [AM-37]`, () => {
      const gone = announced(4, { status: 'abandoned', abandonment_reason: reason });
      const { task } = after(aState(RUNNING), suspended(2), gone);
      assert.deepEqual(
        [task.status, task.error, task.blocked_reason, task.suspended_intent_id],
        ['failed', reason, null, null],
      );
    });
  }

  it('takes a settled question for none while the next is waited for [R26-26, R26-75]', () => {
    const settled = { ...OPEN, resolution: 'responded', settled_at: LATER } as const;
    const answered = after(aState(RUNNING), suspended(2), announced(4, { suspension: settled }));
    const waiting = { ...suspended(5), suspension: settled };
    const blocked = after(answered, waiting);
    assert.equal(blocked.task.status, 'blocked');
    assert.equal(newsOf(blocked).suspension, null);
    const { events } = mirrorIntent(blocked, announced(6, { suspension: settled }), LATER);
    assert.deepEqual(
      events.map(({ event_type, payload }) => [event_type, payload['resolution']]),
      [['task.unblocked', null]],
    );
  });

  it('says how a question ended that it had not heard of before', () => {
    const settled = { ...OPEN, resolution: 'responded', settled_at: LATER } as const;
    const next = { ...settled, suspension_id: 'next', resolution: 'expired' } as const;
    const unblockedBy = (known: AnnouncedSuspension | null) => {
      const blocked = after(aState(RUNNING), { ...suspended(2), suspension: known });
      return mirrorIntent(blocked, announced(4, { suspension: next }), LATER).events[0]?.payload;
    };
    const payload = { task_id: TASK_ID, resolution: 'expired' };
    assert.deepEqual(unblockedBy(settled), payload);
    assert.deepEqual(unblockedBy(null), payload);
  });

  it('completes with its intent, where it owes no outputs', () => {
    const output = { findings: 1 };
    const delivered = aState({ ...RUNNING, output, artifacts: ['a'] });
    const { state, events } = mirrorIntent(delivered, announced(2, { status: 'completed' }), LATER);
    assert.deepEqual([state.task.status, state.task.completed_at], ['completed', LATER]);
    assert.deepEqual(events, [
      {
        event_type: 'task.completed',
        actor: CLOCK_ACTOR,
        payload: { task_id: TASK_ID, output, artifacts: ['a'] },
      },
    ]);
  });

  it('fails with an intent that was abandoned without a reason', () => {
    const gone = announced(2, { status: 'abandoned' });
    const { events } = mirrorIntent(aState({ ...RUNNING, max_attempts: 2 }), gone, LATER);
    assert.deepEqual(events, [
      {
        event_type: 'task.failed',
        actor: CLOCK_ACTOR,
        payload: { task_id: TASK_ID, error: 'intent_abandoned', attempt: 1, will_retry: false },
      },
    ]);
  });

  it('owes the declared outputs even where its intent has completed', () => {
    const owing = aState({ ...RUNNING, outputs: { findings: 'array' } });
    const { task } = after(owing, suspended(2), announced(4, { status: 'completed' }));
    assert.deepEqual([task.status, task.error], ['running', 'The output lacks findings.']);
  });

  it('takes no part in the suspension of another intent, nor once it is over', () => {
    const other = { ...suspended(2), intent_id: UPSTREAM_INTENT };
    assert.deepEqual(after(aState(RUNNING), other), aState(RUNNING));
    for (const status of ['completed', 'cancelled', 'skipped', 'failed'] as const) {
      assert.equal(after(aState({ status }), suspended(2)).task.status, status);
    }
  });

  it('is done once its intent is closed and nothing is owed', () => {
    const completed = aState({ status: 'completed' });
    assert.equal(isTaskDone(after(completed, suspended(2))), false);
    assert.equal(isTaskDone(after(completed, announced(2, { status: 'completed' }))), true);
    assert.equal(isTaskDone(after(aState(RUNNING), announced(2, { status: 'abandoned' }))), true);
    const doneIn = (status: TaskStatus, intent: 'completed' | 'abandoned') =>
      isTaskDone({ ...aState({ status }), intent: announced(2, { status: intent }) });
    assert.equal(doneIn('failed', 'abandoned'), true);
    assert.equal(doneIn('failed', 'completed'), false, 'it can be tried again');
    assert.equal(doneIn('running', 'completed'), false, 'it owes outputs');
    assert.equal(doneIn('running', 'abandoned'), false, 'it has not failed yet');
  });
});

const STATUSES: readonly Announcement['status'][] = [
  'active',
  'suspended_awaiting_input',
  'blocked',
];
const ENDS: readonly Announcement['status'][] = [...STATUSES, 'completed', 'abandoned'];

/** The announcements in the life of an intent. It may end in any status. */
const life = fc
  .tuple(fc.array(fc.constantFrom(...STATUSES), { maxLength: 8 }), fc.constantFrom(...ENDS))
  .map(([open, end]) => [...open, end].map((status, index) => announced(index + 2, { status })));

/** The same announcements in any order, some of them twice. */
const deliveries = life.chain((all) =>
  fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length })),
);

const START: readonly TaskStatus[] = ['pending', 'ready', 'claimed', 'running', 'blocked'];

describe('a task over any deliveries', () => {
  it('ends as if only the last announcement had come [R26-12, R26-13, R26-79]', () => {
    const property = fc.property(
      deliveries,
      fc.constantFrom(...START),
      ([all, announced], status) => {
        const start = aState({ status, assigned_agent: 'agent-1' });
        const { task } = after(start, ...announced);
        const last = all.at(-1);
        assert.ok(last);
        if (last.status === 'completed' || last.status === 'abandoned') {
          assert.equal(task.status, last.status === 'completed' ? 'completed' : 'failed');
        } else if (last.status === 'suspended_awaiting_input') {
          assert.deepEqual([task.status, task.blocked_reason], ['blocked', 'intent_suspended']);
        } else {
          const untouched = [status, 'running'];
          assert.ok(untouched.includes(task.status), task.status);
          assert.equal(task.suspended_intent_id, null);
        }
        assert.equal(task.attempt, 1);
        assert.equal(task.assigned_agent, 'agent-1');
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });

  it('names the suspended intent exactly while it is blocked for it', () => {
    const property = fc.property(deliveries, ([, announced]) => {
      let state = aState({ status: 'running' });
      for (const one of announced) {
        state = mirrorIntent(state, one, LATER).state;
        const { status, blocked_reason, suspended_intent_id } = state.task;
        const mirrors = blocked_reason === 'intent_suspended';
        assert.equal(suspended_intent_id !== null, mirrors);
        assert.ok(!mirrors || status === 'blocked');
        assert.equal(newsOf(state).suspension !== null, mirrors);
      }
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
