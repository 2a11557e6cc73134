import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { PatchTaskRequest, TaskStatus } from '../../../contracts/plan/task.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import {
  checkTaskWriter,
  checkTaskVersion,
  forceTask,
  patchTask,
} from '../../../domain/plan/task-patch.js';
import { retryTask } from '../../../domain/plan/task.js';
import { UPSTREAM_SUSPENDED, type TaskState } from '../../../domain/plan/task-state.js';
import { announced, aState, aTask, AT, LATER, suspended } from './task-samples.js';
import { caller } from '../../support/callers.js';

const OPERATOR = caller('alice', 'operator');

function write(state: TaskState, request: PatchTaskRequest) {
  return patchTask(state, { request, actor: 'agent-1', at: LATER, maxBytes: 1_000 });
}

function force(state: TaskState, request: PatchTaskRequest, by = caller('agent-1')) {
  return forceTask(state, { request, actor: 'agent-1', at: LATER, maxBytes: 1_000 }, by);
}

function codeOf(state: TaskState, request: PatchTaskRequest): string | undefined {
  const ruling = write(state, request);
  return ruling.ok ? undefined : ruling.refusal.code;
}

/** The status writes that RFC-0012 §1.2 allows. */
const ALLOWED: readonly (readonly [TaskStatus, TaskStatus])[] = [
  ...(['pending', 'ready', 'claimed', 'running', 'blocked', 'failed'] as const).map(
    (from) => [from, 'cancelled'] as const,
  ),
  ['pending', 'ready'],
  ['ready', 'claimed'],
  ['claimed', 'running'],
  ['running', 'completed'],
  ['running', 'failed'],
  ['running', 'blocked'],
  ['blocked', 'running'],
  ['failed', 'ready'],
];
const ALL: readonly TaskStatus[] = [
  'pending',
  'ready',
  'claimed',
  'running',
  'blocked',
  'completed',
  'failed',
  'cancelled',
  'skipped',
];

describe('a write of a task', () => {
  it('goes where the status machine leads, and nowhere else', () => {
    for (const from of ALL) {
      for (const to of ALL) {
        const isAllowed = ALLOWED.some(([a, b]) => a === from && b === to);
        const ruling = write(aState({ status: from, max_attempts: 2 }), { status: to });
        assert.equal(ruling.ok, isAllowed, `${from} → ${to}`);
      }
    }
  });

  it('completes nothing whose output is not as declared', () => {
    const state = aState({ status: 'running', outputs: { findings: 'array', note: 'string' } });
    assert.equal(codeOf(state, { status: 'completed' }), 'missing_output');
    const output = { findings: 'none', note: '' };
    assert.equal(codeOf(state, { status: 'completed', output }), 'output_type_mismatch');
  });

  it('is refused while the intent waits for an operator, but for cancelling', () => {
    const blocked = mirrorIntent(aState({ status: 'running' }), suspended(2), AT).state;
    assert.equal(codeOf(blocked, { status: 'running' }), 'intent_suspended');
    assert.equal(codeOf(blocked, { status: 'cancelled' }), undefined);
  });

  it('tries a task again only once its intent goes on [R26-12]', () => {
    const failed = aState({ status: 'failed', max_attempts: 2 });
    const waiting = mirrorIntent(failed, suspended(2), AT).state;
    assert.equal(waiting.task.status, 'failed');
    const again = retryTask(waiting, 1, AT);
    assert.equal(codeOf(waiting, { status: 'ready' }), 'intent_suspended');
    assert.equal(again.state.task.status, 'blocked');
    assert.equal(again.state.task.suspended_intent_id, again.state.task.intent_id);
    const types = again.events.map(({ event_type }) => event_type);
    assert.deepEqual(types, ['task.retrying', 'task.blocked']);
    const { task } = mirrorIntent(again.state, announced(3), AT).state;
    assert.deepEqual([task.status, task.attempt, task.blocked_reason], ['running', 2, null]);
  });

  it('tries no task again whose intent was abandoned [AM-37]', () => {
    const failed = aState({ status: 'failed', max_attempts: 2 });
    const { state } = mirrorIntent(failed, announced(2, { status: 'abandoned' }), AT);
    const granted = retryTask(state, 1, LATER, true);
    assert.deepEqual([granted.state, granted.events], [state, []]);
    assert.equal(codeOf(state, { status: 'ready' }), 'invalid_transition');
    const forced = force(state, { status: 'ready' });
    assert.equal(!forced.ok && forced.refusal.code, 'invalid_transition');
  });

  it('is refused to who neither has nor made the task', () => {
    const task = aTask({ assigned_agent: 'agent-1' });
    assert.equal(checkTaskWriter(task, caller('agent-1'), 'write').ok, true);
    assert.equal(checkTaskWriter(task, caller('planner'), 'write').ok, true);
    assert.equal(checkTaskWriter(task, caller('root', 'admin'), 'write').ok, true);
    assert.equal(checkTaskWriter(task, caller('agent-2'), 'write').ok, false);
  });

  it('is refused on any version but the current one', () => {
    const refusal = ['version_conflict', '2', { current_version: 2, task_status: 'ready' }];
    const pick = ({ code, accepted, state }: Refusal) => [code, accepted, state];
    const rulings = [1, 2, 3].map((ifMatch) => checkTaskVersion(aTask({ version: 2 }), ifMatch));
    assert.deepEqual(
      rulings.map((ruling) => ruling.ok || pick(ruling.refusal)),
      [refusal, true, refusal],
    );
  });

  describe('is refused through an API without a status machine', () => {
    const waiting = mirrorIntent(aState({ status: 'running' }), suspended(2), AT).state;
    const open = { revision: 1, open: false } as const;
    const HELD: readonly (readonly [string, TaskState, string])[] = [
      ['while its intent waits for an answer', waiting, 'intent_suspended'],
      [
        'while a coordinator holds it',
        aState({ status: 'blocked', blocked_reason: UPSTREAM_SUSPENDED }),
        'invalid_transition',
      ],
      [
        'while a checkpoint holds it',
        { ...aState({ status: 'pending' }), gate: { ...open, held: 'checkpoint' } },
        'invalid_transition',
      ],
    ];
    for (const [how, state, code] of HELD) {
      it(`if it is to go on ${how}, but not to people`, () => {
        for (const status of ['ready', 'claimed', 'running', 'completed', 'skipped'] as const) {
          const ruling = force(state, { status });
          assert.equal(!ruling.ok && ruling.refusal.code, code, status);
          for (const by of [caller('alice', 'operator'), caller('root', 'admin')]) {
            assert.equal(force(state, { status }, by).ok, true, status);
          }
        }
        for (const status of ['cancelled', 'failed', 'blocked', 'pending'] as const) {
          assert.equal(force(state, { status }).ok, true, status);
        }
      });
    }

    it('to a person where nothing holds it', () => {
      const ruling = force(aState({ status: 'running' }), { status: 'completed' }, OPERATOR);
      assert.equal(!ruling.ok && ruling.refusal.code, 'forbidden');
    });
  });

  it('reaches any status through an API without a status machine', () => {
    const request = { status: 'completed' } as const;
    const forced = force(aState({ status: 'pending' }), request);
    assert.ok(forced.ok);
    assert.equal(forced.value.state.task.status, 'completed');
  });
});
