import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import type { TaskNews } from '../../../contracts/plan/task.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { checkClaim, mayWaitForClaim } from '../../../domain/plan/task-claim.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { patchTask } from '../../../domain/plan/task-patch.js';
import {
  andThen,
  newsOf,
  type TaskState,
  timeoutOf,
  unchanged,
} from '../../../domain/plan/task-state.js';
import {
  expireTask,
  newTaskState,
  obey,
  proceed,
  retryTask,
  takeUpstream,
} from '../../../domain/plan/task.js';
import {
  announced,
  aState,
  AT,
  aTask,
  EXPIRES,
  LATER,
  news,
  OPEN,
  suspended,
  UPSTREAM_ID,
  UPSTREAM_INTENT,
} from './task-samples.js';

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

const WAITS = { intent_id: UPSTREAM_INTENT, suspended_since: AT, expires_at: EXPIRES };
const HELD = { dependents_held_by: 'c' };
const WAITING = { status: 'blocked', suspension: WAITS, ...HELD } as const;
const RUNNING = { status: 'running', suspension: null, ...HELD } as const;
const OVER = { status: 'completed', suspension: null, output: { findings: 1 }, ...HELD } as const;

function wired(changes: Partial<TaskState['task']> = {}): TaskState {
  const inputs = { found: 'research.findings' };
  return aState({ status: 'pending', depends_on: [UPSTREAM_ID], inputs, ...changes }, [news(1)]);
}

function afterNews(state: TaskState, ...upstream: readonly TaskNews[]): TaskState {
  return upstream.reduce((known, next) => takeUpstream(known, next, LATER).state, state);
}

const showing = ({ task }: TaskState) => [task.status, task.blocked_reason];
const HELD_BACK = ['blocked', 'upstream_suspended'];

describe('a phase that a coordinator holds', () => {
  it('is blocked from the suspension until its upstream completes [R26-33, AM-40]', () => {
    const held = afterNews(wired(), news(2, WAITING));
    assert.deepEqual(showing(held), HELD_BACK);
    const resumed = afterNews(held, news(3, RUNNING));
    assert.deepEqual(showing(resumed), HELD_BACK);
    assert.deepEqual(showing(afterNews(resumed, news(4, OVER))), ['ready', null]);
  });

  it('tells why, and that it goes on', () => {
    const { state, events } = takeUpstream(wired(), news(2, WAITING), AT);
    assert.deepEqual(
      events.map(({ event_type, payload }) => [event_type, payload['coordinator_id']]),
      [['task.blocked', 'c']],
    );
    const released = takeUpstream(state, news(3, OVER), AT).events;
    assert.deepEqual(
      released.map(({ event_type, payload }) => [event_type, payload['resolution']]),
      [
        ['task.unblocked', null],
        ['task.ready', undefined],
      ],
    );
  });

  it('is released where the coordinator lets go [AM-40]', () => {
    const held = afterNews(wired(), news(2, WAITING));
    const { dependents_held_by: _none, ...free } = WAITING;
    assert.deepEqual(showing(afterNews(held, news(3, free))), ['pending', null]);
  });

  it('stays blocked where its upstream is abandoned [AM-35, AM-40]', () => {
    const held = afterNews(wired(), news(2, WAITING));
    assert.deepEqual(
      showing(afterNews(held, news(3, { ...RUNNING, status: 'failed' }))),
      HELD_BACK,
    );
  });

  it('is held while ready, where its upstream is suspended again', () => {
    const ready = afterNews(wired(), news(2, { status: 'completed', output: { findings: 1 } }));
    assert.equal(ready.task.status, 'ready');
    assert.deepEqual(showing(afterNews(ready, news(3, { ...OVER, suspension: WAITS }))), HELD_BACK);
  });

  it('goes on where an agent has it already [AM-43]', () => {
    for (const status of ['claimed', 'running', 'failed'] as const) {
      assert.deepEqual(showing(afterNews(wired({ status }), news(2, WAITING))), [status, null]);
    }
  });

  it('is only who is wired by an input, not by a mere dependency [R26-33]', () => {
    assert.equal(afterNews(wired({ inputs: {} }), news(2, WAITING)).task.status, 'pending');
    const statics = wired({ inputs: { x: '$trigger.research' } });
    assert.equal(afterNews(statics, news(2, WAITING)).task.status, 'pending');
  });

  it('refuses a claim as before, and keeps one that waits [R26-74, AM-42]', () => {
    const held = afterNews(wired(), news(2, WAITING));
    const refused = checkClaim(held, 'agent-1');
    assert.equal(!refused.ok && refused.refusal.code, 'upstream_intent_suspended');
    assert.equal(mayWaitForClaim(held, 'agent-1'), true);
    const resumed = checkClaim(afterNews(held, news(3, RUNNING)), 'agent-1');
    assert.equal(!resumed.ok && resumed.refusal.code, 'unresolvable_input');
  });

  it('takes no write but its cancellation', () => {
    const held = afterNews(wired(), news(2, WAITING));
    const write = (status: 'running' | 'cancelled') =>
      patchTask(held, { request: { status }, actor: 'agent-1', at: AT, maxBytes: 1_000 });
    const refused = write('running');
    assert.equal(!refused.ok && refused.refusal.code, 'invalid_transition');
    assert.equal(write('cancelled').ok, true);
  });

  it('comes back to it after a suspension of its own intent [AM-36]', () => {
    const mirror = (state: TaskState, intent: Announcement): TaskState =>
      andThen(mirrorIntent(state, intent, AT), (next) => proceed(next, AT)).state;
    const own = mirror(afterNews(wired(), news(2, WAITING)), suspended(2));
    assert.deepEqual(showing(own), ['blocked', 'intent_suspended']);
    assert.deepEqual(showing(mirror(own, announced(3))), HELD_BACK);
    const released = mirror(afterNews(own, news(3, OVER)), announced(3));
    assert.deepEqual(showing(released), ['ready', null]);
  });

  it('comes to the same in whatever order the news arrive', () => {
    const story = [WAITING, RUNNING, WAITING, { ...WAITING, dependents_held_by: 'd' }, OVER];
    const all = story.map((fields, index) => news(index + 2, fields));
    const orders = fc.tuple(fc.nat(all.length), fc.shuffledSubarray([...all, ...all]));
    fc.assert(
      fc.property(orders, ([length, order]) => {
        const heard = all.slice(0, length);
        const known = order.filter((one) => heard.includes(one));
        const newest = heard.findLast((one) => known.includes(one));
        const expected = newest ? afterNews(wired(), newest) : wired();
        assert.deepEqual(showing(afterNews(wired(), ...known)), showing(expected));
      }),
    );
  });

  it('tells its own followers who holds them', () => {
    const intent = announced(2, { dependents_held_by: 'c' });
    const { state } = mirrorIntent(unchanged(wired()).state, intent, AT);
    assert.equal(newsOf(state).dependents_held_by, 'c');
    assert.ok(state.revision > wired().revision);
  });
});
