import fc from 'fast-check';
import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { patchTask } from '../../../domain/plan/task-patch.js';
import { timeoutOf, type TaskState } from '../../../domain/plan/task-state.js';
import { expireTask, newTaskState, obey, retryTask } from '../../../domain/plan/task.js';
import { AT, OPEN, aTask, announced } from './task-samples.js';

const after = (seconds: number) => toInstant(toMillis(AT) + seconds * 1_000);

/** A task that may take 300 seconds, whose agent starts at `AT`. */
function running(): TaskState {
  const claimed = { status: 'claimed', assigned_agent: 'agent-1', timeout_seconds: 300 } as const;
  const write = { actor: 'agent-1', at: AT, maxBytes: 1_024 };
  const state = newTaskState(aTask({ ...claimed, max_attempts: 2 }), []);
  const started = patchTask(state, { ...write, request: { status: 'running' } });
  return started.ok ? started.value.state : assert.fail(started.refusal.detail);
}

const due = ({ task, clock }: TaskState) => timeoutOf(task, clock);

function asks(state: TaskState, version: number, seconds: number, heard = seconds): TaskState {
  const suspension = { ...OPEN, suspended_at: after(seconds) };
  const announcement = announced(version, { status: 'suspended_awaiting_input', suspension });
  return mirrorIntent(state, announcement, after(heard)).state;
}

function goesOn(state: TaskState, version: number, asked: number, seconds: number): TaskState {
  const times = { suspended_at: after(asked), settled_at: after(seconds) };
  const suspension = { ...OPEN, ...times, resolution: 'responded' as const };
  return mirrorIntent(state, announced(version, { suspension }), after(seconds)).state;
}

describe('the time of a task', () => {
  it('is over after timeout_seconds, which uses up the attempt', () => {
    const state = running();
    assert.equal(due(state), after(300));
    assert.equal(expireTask(state, after(299)).state, state);
    const { state: failed, events } = expireTask(state, after(300));
    assert.deepEqual([failed.task.status, failed.task.error], ['failed', 'timeout']);
    const { task_id: _id, ...payload } = events[0]?.payload ?? {};
    assert.deepEqual(payload, { error: 'timeout', attempt: 1, will_retry: true });
    assert.equal(expireTask(failed, after(900)).state, failed);
  });

  it('stands still while the intent waits for an operator [R26-79]', () => {
    const waiting = asks(running(), 1, 100);
    assert.equal(due(waiting), undefined);
    assert.equal(expireTask(waiting, after(9_000)).state, waiting);
    assert.equal(due(goesOn(waiting, 2, 100, 5_000)), after(5_200));
  });

  it('stands still from when the question was asked, however late that is heard [R26-79]', () => {
    const waiting = asks(running(), 1, 100, 290);
    assert.equal(due(goesOn(waiting, 2, 100, 5_000)), after(5_200));
    assert.equal(due(goesOn(running(), 2, 100, 5_000)), after(300 + 4_900));
  });

  it('stands still from when the question is waited for, however late that is heard [R26-79]', () => {
    const status = 'suspended_awaiting_input';
    const announcement = announced(1, { status, suspension: null, suspended_since: after(100) });
    const waiting = mirrorIntent(running(), announcement, after(290)).state;
    assert.equal(due(mirrorIntent(waiting, announced(2), after(5_000)).state), after(5_200));
  });

  it('is given back once for a question that was settled before it was heard of [R26-79]', () => {
    const credited = goesOn(running(), 2, 100, 5_000);
    const again = announced(3, { suspension: credited.intent?.suspension ?? null });
    assert.equal(due(mirrorIntent(credited, again, after(5_100)).state), after(300 + 4_900));
  });

  it('stands still while the task is blocked for anything else', () => {
    const request = { status: 'blocked', blocked_reason: 'legal' } as const;
    const write = { request, actor: 'agent-1', at: after(50), maxBytes: 1_024 };
    const blocked = patchTask(running(), write);
    assert.ok(blocked.ok);
    assert.equal(due(blocked.value.state), undefined);
  });

  it('begins anew with each attempt', () => {
    const { state: failed } = expireTask(running(), after(300));
    const { state: ready } = retryTask(failed, 1, after(400));
    assert.deepEqual([ready.task.attempt, due(ready)], [2, undefined]);
    assert.deepEqual(ready.clock, { used_ms: 0, since: null });
  });

  it('is only that of the agent, whatever questions come between [R26-79]', () => {
    const spans = fc.array(fc.tuple(fc.nat(20), fc.nat(10_000)), { maxLength: 10 });
    const property = fc.property(spans, (all) => {
      let [state, now, waited] = [running(), 0, 0];
      all.forEach(([works, waits], index) => {
        const asked = now + works;
        now = asked + waits;
        waited += waits;
        state = goesOn(asks(state, 2 * index + 1, asked), 2 * index + 2, asked, now);
      });
      assert.equal(due(state), after(300 + waited));
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('an order of the plan', () => {
  it('cancels what is open, and nothing that is over', () => {
    const order = { kind: 'cancel', reason: 'plan_failed' } as const;
    const { state, events } = obey(running(), order, AT);
    assert.deepEqual([state.task.status, state.task.error], ['cancelled', 'plan_failed']);
    assert.equal(events[0]?.event_type, 'task.cancelled');
    for (const status of ['completed', 'failed', 'skipped', 'cancelled'] as const) {
      assert.deepEqual(obey(newTaskState(aTask({ status }), []), order, AT).events, []);
    }
  });

  it('skips a task that failed, and no other', () => {
    const skip = (status: 'failed' | 'ready') =>
      obey(newTaskState(aTask({ status }), []), { kind: 'skip' }, AT).state.task.status;
    assert.deepEqual([skip('failed'), skip('ready')], ['skipped', 'ready']);
  });

  it('tries a task again as often as it may, and once more where that is granted [R26-79]', () => {
    const used = newTaskState(aTask({ status: 'failed' }), []);
    assert.equal(retryTask(used, 1, AT).state, used);
    const { task } = retryTask(used, 1, AT, true).state;
    assert.deepEqual([task.status, task.attempt, task.max_attempts], ['ready', 2, 2]);
    assert.equal(retryTask(used, 2, AT, true).state, used);
  });

  it('blocks what is tried again while the intent waits for an operator [R26-12]', () => {
    const failed = asks(newTaskState(aTask({ status: 'failed' }), []), 1, 0);
    assert.equal(failed.task.status, 'failed');
    const { task } = retryTask(failed, 1, AT, true).state;
    assert.deepEqual([task.status, task.blocked_reason], ['blocked', 'intent_suspended']);
  });

  it('blocks what is tried again while the question is still to come [R26-12]', () => {
    const failed = newTaskState(aTask({ status: 'failed' }), []);
    const waiting = announced(1, { status: 'suspended_awaiting_input', suspension: null });
    const { state } = mirrorIntent(failed, waiting, AT);
    assert.equal(retryTask(state, 1, AT, true).state.task.status, 'blocked');
  });
});
