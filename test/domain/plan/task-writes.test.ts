import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { PatchTaskRequest, Task } from '../../../contracts/plan/task.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { forceTask, patchTask } from '../../../domain/plan/task-patch.js';
import type { TaskState } from '../../../domain/plan/task-state.js';
import { AT, LATER, TASK_ID, UPSTREAM_ID, aState, announced } from './task-samples.js';
import { caller } from '../../support/callers.js';

function writeOf(request: PatchTaskRequest, maxBytes = 1_000) {
  return { request, actor: 'bob', at: LATER, maxBytes };
}

/** Returns the fields of a task that a write has changed. */
function changesOf(before: Task, after: Task): JsonObject {
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Task]),
  );
  return Object.fromEntries(changed);
}

type Row = readonly [
  what: string,
  before: Partial<Task>,
  request: PatchTaskRequest,
  changes: JsonObject,
  event: string,
  payload: JsonObject,
];

const BLOCKED = { status: 'blocked', blocked_reason: 'legal review' } as const;
const CLAIM = { agent_id: 'agent-1', since: AT };
const OUTPUT = { findings: [1] };
const STARTED = { started_at: AT, assigned_agent: 'agent-1' };

const ROWS: readonly Row[] = [
  [
    'makes it ready and names what it waited for',
    { status: 'pending', depends_on: [UPSTREAM_ID] },
    { status: 'ready' },
    { status: 'ready' },
    'task.ready',
    { resolved_dependencies: [UPSTREAM_ID] },
  ],
  [
    'tries it again',
    { status: 'failed', max_attempts: 3, assigned_agent: 'agent-1', error: 'broken' },
    { status: 'ready' },
    { status: 'ready', attempt: 2, assigned_agent: null, error: null },
    'task.retrying',
    { attempt: 2, next_attempt_at: null },
  ],
  [
    'claims it for the writer',
    { status: 'ready' },
    { status: 'claimed' },
    { status: 'claimed', assigned_agent: 'bob' },
    'task.claimed',
    { agent_id: 'bob', lease_id: null },
  ],
  [
    'claims it for another agent',
    { status: 'ready' },
    { status: 'claimed', assigned_agent: 'agent-2' },
    { status: 'claimed', assigned_agent: 'agent-2' },
    'task.claimed',
    { agent_id: 'agent-2', lease_id: null },
  ],
  [
    'starts it for its agent',
    { status: 'claimed', assigned_agent: 'agent-1' },
    { status: 'running' },
    { status: 'running', started_at: LATER },
    'task.started',
    { agent_id: 'agent-1' },
  ],
  [
    'starts it for another agent',
    { status: 'claimed', assigned_agent: 'agent-1' },
    { status: 'running', assigned_agent: 'agent-2' },
    { status: 'running', assigned_agent: 'agent-2', started_at: LATER },
    'task.started',
    { agent_id: 'agent-2' },
  ],
  [
    'unblocks it and keeps when it was started',
    { ...BLOCKED, ...STARTED },
    { status: 'running' },
    { status: 'running', blocked_reason: null },
    'task.unblocked',
    { resolution: null },
  ],
  [
    'blocks it for a reason',
    { status: 'running' },
    { status: 'blocked', blocked_reason: 'legal review' },
    { ...BLOCKED },
    'task.blocked',
    { reason: 'legal review', blocked_by: null },
  ],
  [
    'blocks it without a reason',
    { status: 'running' },
    { status: 'blocked' },
    { status: 'blocked', blocked_reason: 'waiting' },
    'task.blocked',
    { reason: 'waiting', blocked_by: null },
  ],
  [
    'completes it with what the write delivers',
    { status: 'running', ...STARTED, error: 'owes output', waiting_claim: CLAIM },
    { status: 'completed', output: OUTPUT, artifacts: ['report.pdf'] },
    {
      status: 'completed',
      output: OUTPUT,
      artifacts: ['report.pdf'],
      completed_at: LATER,
      error: null,
      waiting_claim: null,
    },
    'task.completed',
    { output: OUTPUT, artifacts: ['report.pdf'], duration_ms: 5_400_000 },
  ],
  [
    'completes it with what was delivered before',
    { status: 'running', output: OUTPUT, artifacts: ['a'] },
    { status: 'completed' },
    { status: 'completed', completed_at: LATER },
    'task.completed',
    { output: OUTPUT, artifacts: ['a'], duration_ms: null },
  ],
  [
    'fails it with an error and attempts left',
    { status: 'running', max_attempts: 2 },
    { status: 'failed', error: 'broken' },
    { status: 'failed', error: 'broken' },
    'task.failed',
    { error: 'broken', attempt: 1, will_retry: true },
  ],
  [
    'fails it without an error and without attempts left',
    { status: 'running' },
    { status: 'failed' },
    { status: 'failed', error: 'failed' },
    'task.failed',
    { error: 'failed', attempt: 1, will_retry: false },
  ],
  [
    'cancels it for a reason',
    { ...BLOCKED, waiting_claim: CLAIM },
    { status: 'cancelled', error: 'no budget' },
    { status: 'cancelled', error: 'no budget', blocked_reason: null, waiting_claim: null },
    'task.cancelled',
    { reason: 'no budget' },
  ],
  [
    'cancels it without a reason',
    { status: 'ready' },
    { status: 'cancelled' },
    { status: 'cancelled' },
    'task.cancelled',
    { reason: null },
  ],
];

describe('a status write of a task', () => {
  for (const [what, fields, request, changes, event_type, payload] of ROWS) {
    it(what, () => {
      const before = aState(fields);
      const written = patchTask(before, writeOf(request));
      const { state, events } = written.ok ? written.value : assert.fail(written.refusal.detail);
      const { status } = request;
      const { version, updated_at, ...changed } = changesOf(before.task, state.task);
      assert.deepEqual([version, updated_at], [2, LATER]);
      assert.deepEqual(changed, changes);
      // A claim is the deed of the agent that gets the task.
      const actor = status === 'claimed' ? (state.task.assigned_agent ?? '') : 'bob';
      assert.deepEqual(events, [{ event_type, actor, payload: { task_id: TASK_ID, ...payload } }]);
    });
  }

  it('cannot take a reason that only the server gives', () => {
    for (const blocked_reason of ['intent_suspended', 'upstream_suspended']) {
      const request = { status: 'blocked', blocked_reason } as const;
      const written = patchTask(aState({ status: 'running' }), writeOf(request));
      assert.equal(written.ok && written.value.state.task.blocked_reason, 'waiting');
    }
  });

  it('needs the declared output only to complete', () => {
    const owing = aState({ status: 'running', outputs: { findings: 'array' } });
    assert.equal(patchTask(owing, writeOf({ status: 'failed' })).ok, true);
    assert.equal(patchTask(owing, writeOf({ status: 'completed' })).ok, false);
  });

  it('may take as many bytes as the limit allows, and none more', () => {
    const output = { text: 'x'.repeat(100) };
    const bytes = jsonBytes([output, undefined]);
    const running = aState({ status: 'running' });
    assert.equal(patchTask(running, writeOf({ status: 'completed', output }, bytes)).ok, true);
    for (const write of [patchTask, forceTask]) {
      const request = writeOf({ status: 'completed', output }, bytes - 1);
      const ruling = write(running, request, caller('bob'));
      const { code, field } = ruling.ok ? assert.fail() : ruling.refusal;
      assert.deepEqual([code, field], ['state_too_large', 'output']);
    }
  });
});

describe('a status write without a status machine', () => {
  function forced(state: TaskState, request: PatchTaskRequest) {
    const ruling = forceTask(state, writeOf(request), caller('bob'));
    return ruling.ok ? ruling.value : assert.fail(ruling.refusal.detail);
  }

  it('claims a task for the agent of the write, of the task, or for the writer', () => {
    const claims: readonly (readonly [Partial<Task>, string | undefined, string])[] = [
      [{ assigned_agent: 'agent-1' }, 'agent-2', 'agent-2'],
      [{ assigned_agent: 'agent-1' }, undefined, 'agent-1'],
      [{}, undefined, 'bob'],
    ];
    for (const [fields, assigned_agent, agent_id] of claims) {
      const before = aState({ status: 'failed', waiting_claim: CLAIM, ...fields });
      const request = { status: 'claimed', ...(assigned_agent && { assigned_agent }) } as const;
      const { state, events } = forced(before, request);
      const { status, assigned_agent: agent, waiting_claim } = state.task;
      assert.deepEqual([status, agent, waiting_claim], ['claimed', agent_id, null]);
      assert.deepEqual(events, [
        {
          event_type: 'task.claimed',
          actor: 'bob',
          payload: { task_id: TASK_ID, agent_id, lease_id: null },
        },
      ]);
    }
  });

  it('starts an unassigned task for the writer', () => {
    const { state } = forced(aState({ status: 'pending' }), { status: 'running' });
    assert.equal(state.task.assigned_agent, 'bob');
  });

  it('skips a task, or sets it back, without an event', () => {
    for (const status of ['skipped', 'pending'] as const) {
      const { state, events } = forced(aState({ ...BLOCKED, waiting_claim: CLAIM }), { status });
      assert.deepEqual([state.task.status, state.task.blocked_reason], [status, null]);
      assert.equal(state.task.waiting_claim, status === 'skipped' ? null : CLAIM);
      assert.deepEqual(events, []);
    }
  });

  it('is refused once the task has ended for good', () => {
    const over = mirrorIntent(aState({}), announced(2, { status: 'completed' }), AT).state;
    const ruling = forceTask(over, writeOf({ status: 'ready' }), caller('bob'));
    const { code, field } = ruling.ok ? assert.fail() : ruling.refusal;
    assert.deepEqual([code, field], ['invalid_transition', 'status']);
  });
});
