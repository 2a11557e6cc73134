import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Task, TaskNews } from '../../../contracts/plan/task.js';
import { checkClaim, claim, mayWaitForClaim } from '../../../domain/plan/task-claim.js';
import type { TaskState } from '../../../domain/plan/task-state.js';
import { newTaskState } from '../../../domain/plan/task.js';
import {
  AT,
  EXPIRES,
  LATER,
  UPSTREAM_ID,
  UPSTREAM_INTENT,
  aState,
  aTask,
  news,
} from './task-samples.js';

const WAITS = { intent_id: UPSTREAM_INTENT, suspended_since: AT, expires_at: EXPIRES };
const DONE = { status: 'completed', output: { findings: [1] } } as const;
const notes = (changes: Partial<TaskNews> = {}) =>
  news(1, { task_id: 'notes-id', name: 'notes', ...changes });
const WIRED = { inputs: { found: 'research.findings' }, depends_on: [UPSTREAM_ID] };

function outcome(state: TaskState, agent = 'agent-1') {
  const ruling = claim(state, agent, LATER);
  return ruling.ok ? 'granted' : ruling.refusal.code;
}

function refusalOf(state: TaskState, agent = 'agent-1') {
  const ruling = checkClaim(state, agent);
  const { detail: _, ...refusal } = ruling.ok ? assert.fail() : ruling.refusal;
  return refusal;
}

describe('the agent that claims a task', () => {
  it('may claim it again without effect', () => {
    for (const status of ['claimed', 'running'] as const) {
      const state = aState({ status, assigned_agent: 'agent-1', ...WIRED });
      assert.deepEqual(claim(state, 'agent-1', LATER), { ok: true, value: { state, events: [] } });
      const ruling = checkClaim(state, 'agent-1');
      assert.deepEqual(ruling, { ok: true, value: state.task.input });
      assert.equal(mayWaitForClaim(state, 'agent-1'), false, 'it has the task already');
    }
  });

  it('claims a task that is assigned to it already', () => {
    const ruling = claim(aState({ assigned_agent: 'agent-1' }), 'agent-1', LATER);
    assert.equal(ruling.ok && ruling.value.state.task.status, 'claimed');
  });

  it('takes over a task that runs without an agent', () => {
    const ruling = claim(aState({ status: 'running' }), 'agent-1', LATER);
    const { task } = ruling.ok ? ruling.value.state : assert.fail();
    assert.deepEqual([task.status, task.assigned_agent], ['running', 'agent-1']);
    assert.equal(mayWaitForClaim(aState({ status: 'running' }), 'agent-1'), true);
  });

  const REFUSED: readonly (readonly [string, Partial<Task>, string])[] = [
    ['while another has it', { status: 'claimed', assigned_agent: 'agent-2' }, 'task_claimed'],
    ['while another works on it', { status: 'running', assigned_agent: 'agent-2' }, 'task_claimed'],
    ['if it is meant for another', { assigned_agent: 'agent-2' }, 'wrong_agent'],
    [
      'if another waits for it',
      { waiting_claim: { agent_id: 'agent-2', since: AT } },
      'task_claimed',
    ],
    ['if its permissions name others', { permissions: { allow: ['agent-2'] } }, 'wrong_agent'],
  ];
  for (const [when, fields, code] of REFUSED) {
    it(`is refused ${when}`, () => {
      const state = aState(fields);
      assert.deepEqual(refusalOf(state), { code, state: { task_status: state.task.status } });
      assert.equal(mayWaitForClaim(state, 'agent-1'), false);
    });
  }

  it('is not refused because it waits for the task itself', () => {
    const state = aState({ waiting_claim: { agent_id: 'agent-1', since: AT } });
    assert.equal(outcome(state), 'granted');
  });

  it('is allowed by a name, by an entry with a name, or where no list says otherwise', () => {
    const PERMISSIONS: readonly (readonly [Task['permissions'], string])[] = [
      ['inherit', 'granted'],
      [null, 'granted'],
      [['agent-2'], 'granted'],
      [{ allow: 'agent-2' }, 'granted'],
      [{ allow: ['agent-1'] }, 'granted'],
      [{ allow: [null, 7, { agent: 'agent-1' }] }, 'granted'],
      [{ allow: [null, 7, ['agent-1'], { agent: ['agent-1'] }] }, 'wrong_agent'],
    ];
    for (const [permissions, expected] of PERMISSIONS) {
      assert.equal(outcome(aState({ permissions })), expected, JSON.stringify(permissions));
    }
  });

  it('finds no task that has ended or is blocked by hand, and cannot wait for it', () => {
    for (const status of ['completed', 'failed', 'cancelled', 'skipped', 'blocked'] as const) {
      const state = newTaskState(aTask({ status, ...WIRED }), [news(1)]);
      assert.deepEqual(refusalOf(state), {
        code: 'invalid_transition',
        field: 'status',
        accepted: 'a task that is ready',
        state: { task_status: status },
      });
      assert.equal(mayWaitForClaim(state, 'agent-1'), false);
    }
  });

  it('comes too early while the plan holds a task back whose inputs are there', () => {
    const state = newTaskState(aTask({ status: 'pending', ...WIRED }), [news(1, DONE)]);
    assert.equal(refusalOf(state).code, 'invalid_transition');
    assert.equal(mayWaitForClaim(state, 'agent-1'), true);
  });
});

describe('the inputs of a claimed task', () => {
  const ready = (fields: Partial<Task>, ...upstream: readonly TaskNews[]) =>
    newTaskState(aTask({ ...WIRED, ...fields }), upstream);

  it('are its own where it declares none', () => {
    const ruling = checkClaim(ready({ inputs: {}, input: { order: 12 } }), 'agent-1');
    assert.deepEqual(ruling, { ok: true, value: { order: 12 } });
  });

  it('come from the phases that the references name', () => {
    const inputs = { found: 'research.findings', note: 'notes.text' };
    const text = notes({ status: 'completed', output: { text: 'fine' } });
    const ruling = checkClaim(ready({ inputs }, text, news(1, DONE)), 'agent-1');
    assert.deepEqual(ruling, { ok: true, value: { found: [1], note: 'fine' } });
  });

  it('wait for a wired phase that is suspended, and for no other [R26-74]', () => {
    const inputs = { found: 'research.findings', note: 'notes.text' };
    const first = ready({ inputs }, news(1, DONE), notes({ suspension: WAITS }));
    assert.equal(refusalOf(first).code, 'upstream_intent_suspended');
    const other = ready({}, notes({ suspension: WAITS }), news(1));
    assert.equal(refusalOf(other).code, 'unresolvable_input');
  });

  it('lack each reference that leads nowhere yet, and each other dependency that is open', () => {
    const lacking = (...upstream: readonly TaskNews[]) =>
      refusalOf(ready({}, ...upstream)).state?.['unresolvable_refs'];
    assert.deepEqual(lacking(news(1), notes()), ['research.findings', 'notes']);
    assert.deepEqual(lacking(news(1, { output: { findings: 1 } })), ['research.findings']);
    assert.deepEqual(lacking(news(1, { status: 'completed' })), ['research.findings']);
    assert.deepEqual(lacking(news(1, { ...DONE, output: { other: 1 } })), ['research.findings']);
    assert.deepEqual(lacking(), ['research.findings']);
  });
});
