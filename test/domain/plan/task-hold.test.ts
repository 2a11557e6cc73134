import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { Announcement } from '../../../contracts/graph/announcement.js';
import type { TaskNews } from '../../../contracts/plan/task.js';
import { checkClaim, mayWaitForClaim } from '../../../domain/plan/task-claim.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { patchTask } from '../../../domain/plan/task-patch.js';
import { andThen, newsOf, unchanged, type TaskState } from '../../../domain/plan/task-state.js';
import { proceed, takeUpstream } from '../../../domain/plan/task.js';
import {
  announced,
  aState,
  AT,
  EXPIRES,
  LATER,
  news,
  suspended,
  UPSTREAM_ID,
  UPSTREAM_INTENT,
} from './task-samples.js';

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
