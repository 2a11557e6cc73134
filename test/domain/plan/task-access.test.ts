import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Guarded } from '../../../contracts/intent/access.js';
import type { Caller } from '../../../contracts/people/caller.js';
import type { Task } from '../../../contracts/plan/task.js';
import { taskAccess } from '../../../domain/plan/task-claim.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { checkTaskWriter, forceTask } from '../../../domain/plan/task-patch.js';
import { newTaskState, proceed, takeGate } from '../../../domain/plan/task.js';
import type { AccessLevel } from '../../../domain/policy/access-list.js';
import { caller } from '../../support/callers.js';
import { refused } from '../samples.js';
import { AT, LATER, aTask, announced } from './task-samples.js';

const CLOSED: Guarded = {
  owner: 'owner',
  access: { default_policy: 'closed', entries: [] },
  askers: ['asker'],
};
const WRITE = { principal_type: 'agent', permission: 'write', expires_at: null } as const;
const grants = (...principals: string[]): Guarded => ({
  ...CLOSED,
  access: {
    default_policy: 'closed',
    entries: principals.map((principal_id) => ({ ...WRITE, principal_id })),
  },
});
const reader = (principal: string) => ({ principal, groups: [] });

/** The state of a task that was told this at its start. */
function guarded(fields: Partial<Task> = {}, guard = CLOSED) {
  return newTaskState(aTask(fields), [], undefined, guard);
}

describe('what an access list lets an agent do to a task of its intent', () => {
  it('is everything where the intent has no list', () => {
    const bare = newTaskState(aTask(), [], undefined);
    assert.equal(taskAccess(bare, reader('agent-2'), AT), 'admin');
    const told = mirrorIntent(bare, announced(1), AT).state;
    assert.equal(taskAccess(told, reader('agent-2'), AT), 'admin');
  });

  it('is what the list says, to agents alone', () => {
    const state = guarded({}, grants('agent-2'));
    const levels = ['agent-1', 'agent-2', 'owner', 'asker'].map((one) =>
      taskAccess(state, reader(one), AT),
    );
    assert.deepEqual(levels, ['none', 'write', 'admin', 'write']);
    assert.equal(taskAccess(state, undefined, AT), 'admin');
  });

  it('is what the intent announced last, and not what was read before', () => {
    const announcement = { ...announced(2), guard: grants('agent-2') };
    const told = mirrorIntent(guarded(), announcement, AT).state;
    assert.equal(taskAccess(told, reader('agent-2'), AT), 'write');
    const late = mirrorIntent(told, { ...announced(1), guard: CLOSED }, AT).state;
    assert.equal(taskAccess(late, reader('agent-2'), AT), 'write');
    const lifted = mirrorIntent(told, announced(3), AT).state;
    assert.equal(taskAccess(lifted, reader('agent-1'), AT), 'admin');
  });

  it('ends with an entry that expires', () => {
    const entries = [{ ...WRITE, principal_id: 'agent-2', expires_at: LATER }];
    const state = guarded({}, { ...CLOSED, access: { default_policy: 'closed', entries } });
    assert.equal(taskAccess(state, reader('agent-2'), AT), 'write');
    assert.equal(taskAccess(state, reader('agent-2'), LATER), 'none');
  });

  it('is everything to the agent that has the task', () => {
    const state = guarded({ assigned_agent: 'agent-2' });
    assert.equal(taskAccess(state, reader('agent-2'), AT), 'admin');
    assert.equal(taskAccess(state, reader('agent-1'), AT), 'none');
  });

  it('is everything to those whom the own list of the task lets write', () => {
    const allow = [
      'named',
      { agent: 'writer', level: 'write' },
      { agent: 'plain' },
      { agent: 'reader', level: 'read' },
      { agent: 'over', expires: AT },
      { agent: 'passing', expires: LATER },
    ];
    const state = guarded({ permissions: { allow } });
    const lets = ['named', 'writer', 'plain', 'reader', 'over', 'passing', 'another'].filter(
      (one) => taskAccess(state, reader(one), AT) === 'admin',
    );
    assert.deepEqual(lets, ['named', 'writer', 'plain', 'passing']);
  });
});

describe('the writer of a task with an access list', () => {
  it('needs write, whether an agent has the task or not', () => {
    for (const [assigned_agent, by] of [
      [null, caller('agent-2')],
      ['agent-1', caller('planner')],
      ['agent-1', caller('agent-1')],
    ] as const) {
      const task = aTask({ assigned_agent });
      const { code, state } = refused(checkTaskWriter(task, by, 'read'));
      assert.equal(code, 'forbidden');
      assert.equal(state?.['required_permission'], 'write');
      assert.equal(checkTaskWriter(task, by, 'write').ok, true);
    }
  });
});

describe('a status write without a status machine, with an access list', () => {
  const force = (by: Caller, access: AccessLevel) => {
    const suspended = announced(1, { status: 'suspended_awaiting_input' });
    const state = mirrorIntent(guarded(), suspended, AT).state;
    const write = { request: { status: 'running' }, actor: 'x', at: LATER, maxBytes: 100 } as const;
    return forceTask(state, write, by, access);
  };

  it('is refused to agents that may only read, whatever holds the task', () => {
    assert.equal(refused(force(caller('agent-2'), 'read')).code, 'forbidden');
    assert.equal(refused(force(caller('agent-2'), 'write')).code, 'intent_suspended');
  });

  it('lets people override what holds the task', () => {
    assert.equal(force(caller('alice', 'operator'), 'admin').ok, true);
  });
});

describe('a claim that waits', () => {
  const CLAIM = { agent_id: 'agent-2', since: AT };
  const waiting = () => ({
    ...guarded({ status: 'pending', plan_id: aTask().id, waiting_claim: CLAIM }, grants('agent-2')),
    claimant: reader('agent-2'),
  });

  it('is granted while the list lets its agent write', () => {
    const opened = takeGate(waiting(), { revision: 1, open: true }, LATER).state;
    assert.equal(opened.task.assigned_agent, 'agent-2');
  });

  it('is given up once the list does not, so that others may claim', () => {
    const told = mirrorIntent(waiting(), { ...announced(2), guard: CLOSED }, AT).state;
    const { state, events } = proceed(told, LATER);
    assert.deepEqual([state.task.waiting_claim, state.claimant, events], [null, undefined, []]);
    const opened = takeGate(state, { revision: 1, open: true }, LATER).state;
    assert.deepEqual([opened.task.status, opened.task.assigned_agent], ['ready', null]);
  });

  it('stays if it is no agent that waits', () => {
    const { claimant: _agent, ...state } = waiting();
    const told = mirrorIntent(state, { ...announced(2), guard: CLOSED }, AT).state;
    assert.deepEqual(proceed(told, LATER).state.task.waiting_claim, CLAIM);
  });
});
