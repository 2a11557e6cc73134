import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Task } from '../../../contracts/plan/task.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { creditWait, newsOf, storedNews } from '../../../domain/plan/task-state.js';
import { obey } from '../../../domain/plan/task.js';
import {
  AT,
  EXPIRES,
  LATER,
  OPEN,
  TASK_ID,
  aState,
  aTask,
  announced,
  suspended,
} from './task-samples.js';

describe('the clock of a task', () => {
  const asked = { ...OPEN, suspended_at: AT, settled_at: LATER };
  const HOURS_1_5 = 5_400_000;

  for (const [what, clock, question, credited] of [
    ['stands still', { used_ms: 7, since: null }, asked, { used_ms: 7, since: null }],
    ['runs', { used_ms: 7, since: AT }, asked, { used_ms: 7 - HOURS_1_5, since: AT }],
    ['runs', { used_ms: 7, since: AT }, { ...asked, settled_at: null }, { used_ms: 7, since: AT }],
    ['began later', { used_ms: 7, since: EXPIRES }, asked, { used_ms: 7, since: EXPIRES }],
  ] as const) {
    it(`that ${what} is credited from ${question.suspended_at} to ${question.settled_at ?? 'now'}`, () => {
      assert.deepEqual(creditWait(clock, question), credited);
    });
  }

  it('goes on from the start of the attempt, whatever changes meanwhile', () => {
    const working = { status: 'running', assigned_agent: 'agent-1', timeout_seconds: 60 } as const;
    const state = { ...aState(working), clock: { used_ms: 0, since: AT } };
    const owing = { ...state, task: { ...state.task, outputs: { findings: 'array' } } };
    const changed = mirrorIntent(owing, announced(2, { status: 'completed' }), LATER).state;
    assert.equal(changed.task.status, 'running');
    assert.deepEqual(changed.clock, { used_ms: 0, since: AT });
  });
});

describe('the news of a task', () => {
  const basis = {
    task_id: TASK_ID,
    revision: 1,
    name: 'review',
    status: 'ready',
    attempt: 1,
    max_attempts: 1,
    error: null,
    suspension: null,
  };

  it('say how far it has come', () => {
    assert.deepEqual(newsOf(aState()), basis);
    const intent = announced(2);
    assert.deepEqual(newsOf({ ...aState(), intent }), basis);
  });

  it('carry the output of a completed task and of no other', () => {
    const output = { findings: 1 };
    const newsAs = (status: Task['status']) => storedNews(aTask({ status, output }), 4);
    assert.deepEqual(newsAs('completed'), { ...basis, revision: 4, status: 'completed', output });
    assert.deepEqual(newsAs('failed'), { ...basis, revision: 4, status: 'failed' });
  });

  it('say that a failure is final once the intent is abandoned', () => {
    const finalOf = (status: Task['status'], intent: 'abandoned' | 'completed') =>
      newsOf({ ...aState({ status }), intent: announced(2, { status: intent }) }).final;
    assert.equal(finalOf('failed', 'abandoned'), true);
    assert.equal(finalOf('failed', 'completed'), undefined);
    assert.equal(finalOf('completed', 'abandoned'), undefined);
    assert.ok(!('final' in newsOf(aState({ status: 'failed' }))));
  });

  it('have a higher revision after each change that others can see', () => {
    let known = aState({ status: 'completed' });
    const revisions: number[] = [];
    for (const intent of [
      suspended(2),
      suspended(3),
      announced(4, { dependents_held_by: 'c' }),
      announced(5, { dependents_held_by: 'c' }),
    ]) {
      known = mirrorIntent(known, intent, LATER).state;
      revisions.push(known.revision);
    }
    assert.deepEqual(revisions, [2, 2, 3, 3]);
    const { state } = obey(aState(), { kind: 'cancel', reason: 'plan_failed' }, LATER);
    assert.equal(state.revision, 2);
  });
});
