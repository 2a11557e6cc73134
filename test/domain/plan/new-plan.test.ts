import assert from 'node:assert/strict';
import type { Checkpoint, CheckpointRequest } from '../../../contracts/plan/plan.js';
import {
  addMembers,
  assemblePlan,
  checkpointsOf,
  memberOf,
  type PlanDraft,
} from '../../../domain/plan/assembly.js';
import { takeNews } from '../../../domain/plan/plan.js';
import { aPlan, FIRST, newsFrom, SECOND } from './plan-samples.js';
import { aDefinition, AT, aTask, INTENT_ID, LATER, UPSTREAM_INTENT } from './task-samples.js';

const POINT: CheckpointRequest = {
  name: null,
  after_task: 'research',
  requires_approval: true,
  approvers: [],
  timeout_hours: null,
  on_timeout: 'escalate',
};
const REPORT = aDefinition({
  name: 'report',
  depends_on: ['research'],
  inputs: {
    found: 'research.findings',
    quarter: '$trigger.quarter',
    budget: '$initial_state.budget',
    none: '$trigger.none',
    other: '$env.budget',
    inherited: '$trigger.toString',
  },
});
const RESEARCH = aDefinition({ name: 'research', outputs: { findings: 'Finding' } });

function draft(fields: Partial<PlanDraft> = {}): PlanDraft {
  return {
    id: UPSTREAM_INTENT,
    intent_id: INTENT_ID,
    state: 'draft',
    on_failure: 'fail',
    on_complete: 'notify',
    metadata: { team: 'x' },
    created_by: 'planner',
    created_at: AT,
    definitions: [REPORT, RESEARCH],
    types: { Finding: { source: 'string' } },
    checkpoints: [],
    conditions: [],
    existing: [],
    workflow: null,
    statics: { trigger: { quarter: 'Q1' }, initial_state: { budget: 5 } },
    ...fields,
  };
}

/** Gives out `id-1`, `id-2` and so on. */
function assembled(fields: Partial<PlanDraft> = {}) {
  let last = 0;
  return assemblePlan(draft(fields), () => `id-${(last += 1)}`);
}

describe('a plan that is assembled', () => {
  it('has version 1 and names its tasks in the order of their definitions', () => {
    const existing = [aTask({ id: 'known', name: 'notes' })];
    const { plan, members } = assembled({ existing });
    assert.deepEqual(plan, {
      id: UPSTREAM_INTENT,
      intent_id: INTENT_ID,
      version: 1,
      state: 'draft',
      on_failure: 'fail',
      on_complete: 'notify',
      metadata: { team: 'x' },
      workflow: null,
      created_by: 'planner',
      created_at: AT,
      updated_at: AT,
      tasks: ['id-1', 'id-2', 'known'],
      checkpoints: [],
      conditions: [],
      escalations: [],
    });
    assert.deepEqual(
      members.map(({ task_id, name, depends_on, news }) => [task_id, name, depends_on, news]),
      [
        ['id-1', 'report', ['id-2'], null],
        ['id-2', 'research', [], null],
        ['known', 'notes', [], null],
      ],
    );
  });

  it('starts each task after those it depends on, wired by their ids', () => {
    const { children } = assembled();
    assert.deepEqual(
      children.map(({ task }) => [task.id, task.status, task.depends_on, task.blocks]),
      [
        ['id-2', 'pending', [], ['id-1']],
        ['id-1', 'pending', ['id-2'], []],
      ],
    );
    const [research, report] = children;
    assert.deepEqual(research?.upstream, []);
    assert.deepEqual(report?.upstream, [
      {
        task_id: 'id-2',
        revision: 0,
        name: 'research',
        status: 'pending',
        attempt: 1,
        max_attempts: 1,
        error: null,
        suspension: null,
      },
    ]);
    assert.deepEqual(
      [report.task.plan_id, report.task.inputs, research.task.outputs],
      [UPSTREAM_INTENT, REPORT.inputs, RESEARCH.outputs],
    );
  });

  it('gives each task its intent, or that of the plan', () => {
    const own = aDefinition({ name: 'own', intent_id: UPSTREAM_INTENT });
    const { members } = assembled({ definitions: [own, RESEARCH] });
    assert.deepEqual(
      members.map(({ intent_id }) => intent_id),
      [UPSTREAM_INTENT, INTENT_ID],
    );
  });

  it('resolves the static inputs of a task as far as they are known', () => {
    const rules = assembled().children[1]?.rules;
    assert.deepEqual(rules, {
      types: {},
      static_values: { '$trigger.quarter': 'Q1', '$initial_state.budget': 5 },
      condition: null,
    });
  });

  it('puts checkpoints and conditions on the ids of its tasks', () => {
    const when = "tasks['research'].output.findings";
    const { plan, children } = assembled({
      checkpoints: [POINT, { ...POINT, after_task: 'elsewhere' }],
      conditions: [
        { task_id: 'report', when, otherwise: 'skip' },
        { id: 'own', task_id: 'elsewhere', when, otherwise: 'skip' },
      ],
    });
    assert.deepEqual(plan.checkpoints, [
      {
        ...POINT,
        id: 'cp_1',
        after_task: 'id-2',
        denials: ['reject'],
        status: 'pending',
        suspension_id: null,
        decided_by: null,
      },
      {
        ...POINT,
        id: 'cp_2',
        after_task: 'elsewhere',
        denials: ['reject'],
        status: 'pending',
        suspension_id: null,
        decided_by: null,
      },
    ]);
    assert.deepEqual(plan.conditions, [
      { id: 'cond_1', task_id: 'id-1', when, otherwise: 'skip' },
      { id: 'own', task_id: 'elsewhere', when, otherwise: 'skip' },
    ]);
    assert.deepEqual(
      children.map(({ rules }) => rules.condition),
      [null, { id: 'cond_1', when }],
    );
  });
});

describe('tasks that are added to a plan', () => {
  const THIRD = memberOf(aTask({ id: 'third', name: 'notes' }));

  it('follow its own, by one version', () => {
    const change = addMembers(aPlan(), [THIRD], 3, LATER);
    assert.ok(change.ok);
    const { plan, members } = change.value.state;
    assert.deepEqual([plan.tasks, plan.version], [[FIRST, SECOND, 'third'], 2]);
    assert.deepEqual(
      members.map(({ task_id }) => task_id),
      plan.tasks,
    );
  });

  it('are refused beyond the limit, or if they are there already', () => {
    for (const [added, most] of [
      [[THIRD], 2],
      [[THIRD, THIRD], 9],
    ] as const) {
      const refused = addMembers(aPlan(), added, most, LATER);
      assert.deepEqual(!refused.ok && [refused.refusal.code, refused.refusal.field], [
        'invalid_plan',
        'tasks',
      ]);
    }
  });

  for (const state of ['completed', 'failed', 'cancelled'] as const) {
    it(`are refused once the plan is ${state}`, () => {
      const refused = addMembers(aPlan({ state }), [THIRD], 9, LATER);
      assert.deepEqual(!refused.ok && [refused.refusal.code, refused.refusal.state], [
        'invalid_transition',
        { plan_state: state },
      ]);
    });
  }

  it('may be those that a new checkpoint comes after, and no others', () => {
    const point = {
      ...POINT,
      id: 'cp',
      after_task: 'third',
      status: 'pending' as const,
      suspension_id: null,
      decided_by: null,
    };
    const added = addMembers(aPlan(), [THIRD], 9, LATER, [point]);
    assert.deepEqual(added.ok && added.value.state.plan.checkpoints, [point]);
    const stray = addMembers(aPlan(), [], 9, LATER, [point]);
    const { code, field, accepted } = stray.ok ? assert.fail() : stray.refusal;
    assert.deepEqual(
      [code, field, accepted],
      ['invalid_plan', 'checkpoints', `${FIRST}, ${SECOND}`],
    );
    const kept = addMembers(aPlan({ checkpoints: [{ ...point, after_task: FIRST }] }), [], 9, AT);
    assert.deepEqual(kept.ok && kept.value.state.plan.checkpoints.length, 1);
  });

  it('reach a checkpoint at once whose task is over', () => {
    const done = takeNews(aPlan(), newsFrom(FIRST, 1, 'completed'), AT).state;
    const point = {
      ...POINT,
      id: 'cp',
      after_task: FIRST,
      status: 'pending' as const,
      suspension_id: null,
      decided_by: null,
    };
    const change = addMembers(done, [], 9, LATER, [point]);
    assert.deepEqual(change.ok && change.value.duties, [
      { kind: 'ask_approval', checkpoint_id: 'cp' },
    ]);
    const draft = { ...done, plan: { ...done.plan, state: 'draft' as const } };
    const waiting = addMembers(draft, [], 9, LATER, [point]);
    assert.deepEqual(waiting.ok && waiting.value.duties, [], 'a draft has not begun');
  });
});

const REQUEST: CheckpointRequest = {
  name: null,
  after_task: FIRST,
  requires_approval: true,
  approvers: [],
  timeout_hours: null,
  on_timeout: 'escalate',
};

function ids(requests: readonly CheckpointRequest[], taken: readonly string[] = []): string[] {
  return checkpointsOf(requests, { taken }).map(({ id }) => id);
}

describe('the checkpoints of a plan', () => {
  it('have ids that no other has', () => {
    assert.deepEqual(ids([REQUEST, REQUEST]), ['cp_1', 'cp_2']);
    assert.deepEqual(ids([{ ...REQUEST, id: 'cp_2' }, REQUEST, REQUEST]), ['cp_2', 'cp_1', 'cp_3']);
    assert.deepEqual(ids([REQUEST], ['cp_1', 'cp_3']), ['cp_2']);
    assert.deepEqual(ids([REQUEST, { ...REQUEST, id: 'cp_1' }]), ['cp_2', 'cp_1']);
  });

  it('come after the task that the request names, and wait', () => {
    assert.deepEqual(checkpointsOf([{ ...REQUEST, id: 'gate' }]), [
      {
        ...REQUEST,
        id: 'gate',
        denials: ['reject'],
        status: 'pending',
        suspension_id: null,
        decided_by: null,
      },
    ]);
  });

  it('are replaced while nobody reached them, and else named twice by nobody', () => {
    const [pending] = checkpointsOf([{ ...REQUEST, id: 'gate' }]);
    const point = pending ?? assert.fail();
    const next = [{ ...point, after_task: SECOND, approvers: ['cfo'] }];
    const patch = (status: Checkpoint['status'], added: readonly Checkpoint[] = next) =>
      addMembers(aPlan({ checkpoints: [{ ...point, status }] }), [], 200, AT, added);
    const replaced = patch('pending');
    assert.deepEqual(replaced.ok && replaced.value.state.plan.checkpoints, next);
    const taken = patch('approved');
    assert.deepEqual(!taken.ok && [taken.refusal.code, taken.refusal.field], [
      'invalid_plan',
      'checkpoints',
    ]);
    assert.equal(patch('pending', [...next, ...next]).ok, false);
  });
});
