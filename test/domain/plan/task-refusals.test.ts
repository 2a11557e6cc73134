import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Task, TaskStatus } from '../../../contracts/plan/task.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { checkTaskVersion, checkTaskWriter, patchTask } from '../../../domain/plan/task-patch.js';
import type { TaskState } from '../../../domain/plan/task-state.js';
import { takeUpstream } from '../../../domain/plan/task.js';
import {
  AT,
  EXPIRES,
  LATER,
  UPSTREAM_INTENT,
  aState,
  aTask,
  news,
  suspended,
} from './task-samples.js';
import { caller } from '../../support/callers.js';

function writeOf(status: TaskStatus) {
  return { request: { status }, actor: 'bob', at: LATER, maxBytes: 1_000 };
}

describe('a refused status write', () => {
  function refusalOf(state: TaskState, status: TaskStatus) {
    const ruling = patchTask(state, writeOf(status));
    const { detail: _, ...refusal } = ruling.ok ? assert.fail() : ruling.refusal;
    return refusal;
  }
  const rules = (status: string, accepted: string) => ({
    code: 'invalid_transition',
    field: 'status',
    accepted,
    state: { task_status: status, current_version: 1 },
  });

  it('says which status the task has and which it can take', () => {
    const running = aState({ status: 'running' });
    const accepted = 'completed, failed, blocked, cancelled';
    assert.deepEqual(refusalOf(running, 'ready'), rules('running', accepted));
    const over = 'nothing: the task is over';
    const completed = aState({ status: 'completed' });
    assert.deepEqual(refusalOf(completed, 'ready'), rules('completed', over));
  });

  it('says that only cancelling is left while a coordinator holds the task', () => {
    const inputs = { found: 'research.findings' };
    const waits = { intent_id: UPSTREAM_INTENT, suspended_since: AT, expires_at: EXPIRES };
    const pending = aState({ status: 'pending', inputs }, [news(1)]);
    const held = news(2, { suspension: waits, dependents_held_by: 'c' });
    const refusal = refusalOf(takeUpstream(pending, held, AT).state, 'running');
    const { state: _, ...expected } = rules('blocked', 'cancelled');
    const { state, ...found } = refusal;
    assert.deepEqual(found, expected);
    assert.deepEqual(state, { task_status: 'blocked', current_version: 2 });
  });

  it('says what an operator has to decide first', () => {
    const blocked = mirrorIntent(aState({ status: 'running' }), suspended(2), AT).state;
    const { code, field } = refusalOf(blocked, 'running');
    assert.deepEqual([code, field], ['intent_suspended', 'status']);
  });

  const pending = (...upstream: Parameters<typeof aState>[1] & object) =>
    aState({ status: 'pending' }, upstream);
  const done = news(1, { status: 'completed' });
  it('comes too early while the plan or a dependency holds the task back', () => {
    const closed = { revision: 1, open: false };
    for (const state of [
      { ...pending(), gate: closed },
      { ...pending(done), gate: closed },
      pending(news(1)),
      pending(done, news(1, { task_id: 'other' })),
    ]) {
      assert.equal(refusalOf(state, 'ready').code, 'invalid_transition');
    }
    const skipped = news(1, { task_id: 'other', status: 'skipped' });
    assert.equal(patchTask(pending(done, skipped), writeOf('ready')).ok, true);
  });

  it('says that the attempts are used up only if they are', () => {
    const used = { attempt: 2, max_attempts: 2 };
    const detailOf = (fields: Partial<Task>) => {
      const ruling = patchTask(aState({ ...used, ...fields }), writeOf('ready'));
      return ruling.ok ? 'granted' : ruling.refusal.detail;
    };
    assert.match(detailOf({ status: 'failed' }), /its attempts are used up\.$/);
    assert.doesNotMatch(detailOf({ status: 'running' }), /attempts/);
    assert.equal(detailOf({ status: 'pending' }), 'granted');
  });

  it('says on which version the task is', () => {
    const ruling = checkTaskVersion(aTask({ version: 2 }), 1);
    const { state } = ruling.ok ? assert.fail() : ruling.refusal;
    assert.deepEqual(state, { current_version: 2, task_status: 'ready' });
  });
});

describe('the writer of a task', () => {
  it('may be anybody while no agent has it', () => {
    assert.deepEqual(checkTaskWriter(aTask(), caller('anybody'), 'write'), {
      ok: true,
      value: true,
    });
  });

  it('is refused if another agent has it', () => {
    const ruling = checkTaskWriter(
      aTask({ assigned_agent: 'agent-1' }),
      caller('agent-2'),
      'write',
    );
    const { code, state } = ruling.ok ? assert.fail() : ruling.refusal;
    assert.deepEqual([code, state], ['wrong_agent', { task_status: 'ready' }]);
  });
});
