import assert from 'node:assert/strict';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type {
  DeclaredOutputs,
  DeclaredTypes,
  Task,
  TaskStatus,
} from '../../../contracts/plan/task.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { validateOutput } from '../../../domain/plan/task-output.js';
import { checkTaskWriter, patchTask } from '../../../domain/plan/task-patch.js';
import { creditWait, newsOf, storedNews, type TaskState } from '../../../domain/plan/task-state.js';
import { obey, takeUpstream } from '../../../domain/plan/task.js';
import { caller } from '../../support/callers.js';
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
  TASK_ID,
  UPSTREAM_INTENT,
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

const TYPES: DeclaredTypes = {
  Finding: { source: 'string', confidence: { type: 'number', required: false } },
  Report: { finding: 'Finding' },
};

function check(outputs: DeclaredOutputs, output: JsonObject) {
  return validateOutput({ id: TASK_ID, name: 'review', outputs }, TYPES, output);
}

function fieldOf(outputs: DeclaredOutputs, output: JsonObject) {
  const ruling = check(outputs, output);
  return ruling.ok ? undefined : ruling.refusal.field;
}

function stateOf(outputs: DeclaredOutputs, output: JsonObject) {
  const ruling = check(outputs, output);
  assert.ok(!ruling.ok);
  return [ruling.refusal.code, ruling.refusal.state];
}

describe('the output of a task', () => {
  it('is taken where it has what was declared, and more', () => {
    const output = { summary: 'fine', sources: [], more: null };
    const ruling = check({ summary: 'string', sources: 'array' }, output);
    assert.deepEqual(ruling, { ok: true, value: output });
    assert.ok(check({}, { anything: 1 }).ok, 'nothing declared');
    assert.ok(check({ note: { type: 'string', required: false } }, {}).ok, 'optional');
  });

  it('is refused with every key that is missing', () => {
    const outputs = { a: 'string', b: 'number', c: { type: 'array', required: false } };
    assert.deepEqual(stateOf(outputs, {}), [
      'missing_output',
      { task_id: TASK_ID, phase_name: 'review', missing_keys: ['a', 'b'] },
    ]);
    assert.equal(stateOf({ toString: 'string' }, {})[0], 'missing_output');
  });

  it('is refused for the first wrong key, after those that fit', () => {
    const outputs = { a: 'string', b: 'number', c: 'number' };
    assert.equal(fieldOf(outputs, { a: '', b: '1', c: '2' }), 'output.b');
    assert.equal(fieldOf(outputs, { a: '' }), 'output');
  });

  const MISMATCHES: readonly (readonly [string, JsonObject, string, string, string])[] = [
    ['number', { value: '1' }, 'value', 'number', 'string'],
    ['string', { value: null }, 'value', 'string', 'null'],
    ['object', { value: [] }, 'value', 'object', 'array'],
    ['array', { value: {} }, 'value', 'array', 'object'],
    ['boolean', { value: 0 }, 'value', 'boolean', 'number'],
    ['Finding', { value: 'x' }, 'value', 'Finding', 'string'],
    ['Finding', { value: {} }, 'value.source', 'string', 'missing'],
    ['Report', { value: { finding: { source: 1 } } }, 'value.finding.source', 'string', 'number'],
  ];
  for (const [type, output, key, expected_type, actual_type] of MISMATCHES) {
    it(`is refused where ${key} is ${actual_type} instead of ${expected_type}`, () => {
      assert.deepEqual(stateOf({ value: type }, output), [
        'output_type_mismatch',
        { task_id: TASK_ID, phase_name: 'review', key, expected_type, actual_type },
      ]);
    });
  }
});

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
