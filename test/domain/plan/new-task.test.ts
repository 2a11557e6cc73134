import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createTaskRequestSchema, type Task, type TaskNews } from '../../../contracts/plan/task.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { timeoutOf, type TaskRules } from '../../../domain/plan/task-state.js';
import {
  NO_RULES,
  expireTask,
  obey,
  retryTask,
  takeGate,
  takeUpstream,
} from '../../../domain/plan/task.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import {
  AT,
  INTENT_ID,
  LATER,
  TASK_ID,
  UPSTREAM_ID,
  aState,
  aTask,
  announced,
  news,
  suspended,
} from './task-samples.js';

const OTHER = '66666666-6666-4666-8666-666666666666';
const eventsOf = ({ events }: ReturnType<typeof expireTask>) =>
  events.map(({ event_type, actor, payload }) => ({ event_type, actor, payload }));

describe('a new task', () => {
  it('is ready, at version 1 and in its first attempt', () => {
    const request = createTaskRequestSchema.parse({ intent_id: INTENT_ID, name: 'review' });
    assert.deepEqual(aTask(), {
      ...request,
      id: TASK_ID,
      version: 1,
      status: 'ready',
      description: null,
      plan_id: null,
      parent_task_id: null,
      timeout_seconds: null,
      assigned_agent: null,
      inputs: {},
      outputs: {},
      blocks: [],
      output: null,
      artifacts: [],
      lease_id: null,
      waiting_claim: null,
      error: null,
      blocked_reason: null,
      suspended_intent_id: null,
      retry_policy: 'default',
      attempt: 1,
      created_by: 'planner',
      created_at: AT,
      updated_at: AT,
      started_at: null,
      completed_at: null,
    });
  });

  it('keeps what the request says', () => {
    const request = {
      description: 'Read it twice',
      parent_task_id: OTHER,
      timeout_seconds: 60,
      assigned_agent: 'agent-1',
    };
    const { description, parent_task_id, timeout_seconds, assigned_agent } = aTask({}, request);
    assert.deepEqual({ description, parent_task_id, timeout_seconds, assigned_agent }, request);
  });

  it('waits if it has dependencies or a plan', () => {
    assert.equal(aTask({}, { depends_on: [UPSTREAM_ID] }).status, 'pending');
    assert.equal(aTask({}, { plan_id: OTHER }).status, 'pending');
  });

  it('is held back by its plan until the plan opens', () => {
    assert.deepEqual(aState().gate, { revision: 0, open: true });
    assert.deepEqual(aState({ plan_id: OTHER }).gate, { revision: 0, open: false });
  });
});

describe('a task that waits', () => {
  const done = { status: 'completed', output: { findings: 1, secret: 2 } } as const;
  const both = [news(1), news(1, { task_id: OTHER, name: 'notes' })];
  const pending = (fields: Partial<Task> = {}, rules?: TaskRules) =>
    aState({ status: 'pending', depends_on: [UPSTREAM_ID, OTHER], ...fields }, both, rules);

  it('knows the news of each dependency, and is ready once all have ended', () => {
    const one = takeUpstream(pending(), news(2, { ...done, task_id: OTHER, name: 'notes' }), AT);
    assert.equal(one.state.task.status, 'pending');
    assert.deepEqual(
      one.state.upstream.map(({ task_id, status }) => [task_id, status]),
      [
        [UPSTREAM_ID, 'running'],
        [OTHER, 'completed'],
      ],
    );
    const two = takeUpstream(one.state, news(2, done), AT);
    assert.deepEqual(eventsOf(two), [
      {
        event_type: 'task.ready',
        actor: CLOCK_ACTOR,
        payload: { task_id: TASK_ID, resolved_dependencies: [UPSTREAM_ID, OTHER] },
      },
    ]);
  });

  it('ignores a task that it does not depend on, and news of the same revision', () => {
    const state = pending();
    const stranger = news(9, { ...done, task_id: '77777777-7777-4777-8777-777777777777' });
    assert.equal(takeUpstream(state, stranger, AT).state, state);
    assert.equal(takeUpstream(state, news(1, done), AT).state, state);
  });

  it('keeps only the outputs that an input or the condition names', () => {
    const kept = (fields: Partial<Task>, when?: string) => {
      const rules = when === undefined ? NO_RULES : { ...NO_RULES, condition: { id: 'c', when } };
      const { state } = takeUpstream(pending(fields, rules), news(2, done), AT);
      return state.upstream[0]?.output;
    };
    assert.deepEqual(kept({}), {});
    assert.deepEqual(kept({ inputs: { found: 'research.findings', x: 'notes.secret' } }), {
      findings: 1,
    });
    assert.deepEqual(kept({}, "tasks['research'].output.secret.deep"), { secret: 2 });
    assert.deepEqual(kept({}, `tasks['${UPSTREAM_ID}'].output.secret`), { secret: 2 });
    assert.deepEqual(kept({}, "tasks['notes'].output.secret"), {});
    const { state } = takeUpstream(pending(), news(2, { ...done, output: null }), AT);
    assert.equal(state.upstream[0]?.output, null);
  });

  it('hears the newest decision of its plan only', () => {
    const state = { ...aState({ status: 'pending' }), gate: { revision: 2, open: false } };
    for (const revision of [1, 2]) {
      assert.equal(takeGate(state, { revision, open: true }, AT).state, state);
    }
    assert.equal(takeGate(state, { revision: 3, open: true }, AT).state.task.status, 'ready');
  });

  const skippedFor = (when: string, ...upstream: readonly TaskNews[]) => {
    const rules = { ...NO_RULES, condition: { id: 'c', when } };
    const waiting_claim = { agent_id: 'agent-1', since: AT };
    const state = aState({ status: 'pending', waiting_claim }, upstream, rules);
    return takeGate(state, { revision: 1, open: true }, LATER);
  };

  it('is skipped with an event if its condition does not hold', () => {
    const change = skippedFor("tasks['research'].output.findings > 1", news(1, done));
    const { status, completed_at, waiting_claim } = change.state.task;
    assert.deepEqual([status, completed_at, waiting_claim], ['skipped', LATER, null]);
    assert.deepEqual(eventsOf(change), [
      {
        event_type: 'task.skipped',
        actor: CLOCK_ACTOR,
        payload: { task_id: TASK_ID, condition_id: 'c', reason: 'condition is false' },
      },
    ]);
  });

  it('finds the task of its condition by name or by id, among all its dependencies', () => {
    const other = { ...done, task_id: OTHER, name: 'notes' };
    const all = [news(1, { ...done, output: { findings: 0 } }), news(1, other)];
    const statusFor = (when: string) => skippedFor(when, ...all).state.task.status;
    assert.equal(statusFor("tasks['notes'].output.findings == 1"), 'claimed');
    assert.equal(statusFor(`tasks['${OTHER}'].output.findings == 1`), 'claimed');
    assert.equal(statusFor("tasks['research'].output.findings == 1"), 'skipped');
    assert.equal(statusFor("tasks['nobody'].output.findings == null"), 'claimed');
    assert.equal(statusFor('no condition at all'), 'claimed');
  });
});

describe('the end of a task', () => {
  const running = { status: 'running', assigned_agent: 'agent-1', timeout_seconds: 60 } as const;
  const clock = { used_ms: 0, since: AT };

  it('by timeout says whether it will be tried again', () => {
    for (const [max_attempts, will_retry] of [
      [1, false],
      [2, true],
    ] as const) {
      const change = expireTask({ ...aState({ ...running, max_attempts }), clock }, LATER);
      assert.deepEqual(eventsOf(change), [
        {
          event_type: 'task.failed',
          actor: CLOCK_ACTOR,
          payload: { task_id: TASK_ID, error: 'timeout', attempt: 1, will_retry },
        },
      ]);
    }
  });

  it('never comes by timeout without one, or while no agent works', () => {
    assert.equal(timeoutOf({ timeout_seconds: null }, clock), undefined);
    const waiting = mirrorIntent(aState({ timeout_seconds: 60 }), suspended(2), AT).state;
    const idle = mirrorIntent(waiting, announced(3), AT).state;
    assert.deepEqual([idle.task.status, idle.task.assigned_agent], ['running', null]);
    assert.equal(timeoutOf(idle.task, idle.clock), undefined);
    assert.equal(expireTask(idle, LATER).state, idle);
  });

  it('by order of the plan names the reason', () => {
    const waits = { waiting_claim: { agent_id: 'agent-1', since: AT } };
    const cancelled = obey(aState(waits), { kind: 'cancel', reason: 'plan_failed' }, LATER);
    assert.deepEqual(eventsOf(cancelled), [
      {
        event_type: 'task.cancelled',
        actor: CLOCK_ACTOR,
        payload: { task_id: TASK_ID, reason: 'plan_failed' },
      },
    ]);
    assert.equal(cancelled.state.task.waiting_claim, null);
    const skipped = obey(aState({ status: 'failed' }), { kind: 'skip' }, LATER);
    assert.deepEqual(eventsOf(skipped), [
      {
        event_type: 'task.skipped',
        actor: CLOCK_ACTOR,
        payload: { task_id: TASK_ID, condition_id: null, reason: 'task_failed' },
      },
    ]);
    assert.equal(skipped.state.task.completed_at, LATER);
  });

  it('is taken back for the attempt that failed, and for no other', () => {
    const failed = aState({ status: 'failed', attempt: 2, max_attempts: 3 });
    assert.deepEqual(eventsOf(retryTask(failed, 2, LATER)), [
      {
        event_type: 'task.retrying',
        actor: CLOCK_ACTOR,
        payload: { task_id: TASK_ID, attempt: 3, next_attempt_at: null },
      },
    ]);
    assert.equal(retryTask(failed, 1, LATER).state, failed);
    const ongoing = aState({ status: 'running', attempt: 2, max_attempts: 3 });
    assert.equal(retryTask(ongoing, 2, LATER).state, ongoing);
  });
});
