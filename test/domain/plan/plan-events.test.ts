import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PlanEscalation } from '../../../contracts/plan/plan.js';
import { changePlanState, follow, isOpenTo, takeNews } from '../../../domain/plan/plan.js';
import {
  phasedPlanView,
  planView,
  type PlanRecord,
  type PlanState,
} from '../../../domain/plan/state.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import { AN_ESCALATION, A_CHECKPOINT, FIRST, SECOND, aPlan, newsFrom } from './plan-samples.js';
import { AT, EXPIRES, INTENT_ID, LATER, OPEN, UPSTREAM_INTENT } from './task-samples.js';

const plan_id = UPSTREAM_INTENT;

function moved(state: PlanState, to: 'active' | 'paused' | 'cancelled' | 'failed') {
  const ruling = changePlanState(state, to, 'planner', LATER);
  return ruling.ok ? ruling.value : assert.fail(ruling.refusal.detail);
}

describe('a write of the state of a plan', () => {
  for (const [from, to, event_type] of [
    ['draft', 'active', 'plan.activated'],
    ['active', 'paused', 'plan.paused'],
    ['paused', 'active', 'plan.resumed'],
    ['paused', 'failed', 'plan.failed'],
    ['paused', 'cancelled', 'plan.cancelled'],
    ['draft', 'cancelled', 'plan.cancelled'],
  ] as const) {
    it(`leads from ${from} to ${to} with one event`, () => {
      const before = aPlan({ state: from });
      const { state, events } = moved(before, to);
      assert.deepEqual(state.plan, { ...before.plan, state: to, version: 2, updated_at: LATER });
      assert.equal(state.revision, before.revision + 1);
      assert.deepEqual(events, [
        { event_type, actor: 'planner', payload: { plan_id, reason: 'requested' } },
      ]);
    });
  }

  it('is refused with the state of the plan and those it can take', () => {
    const refusalOf = (state: PlanRecord['state']) => {
      const ruling = changePlanState(aPlan({ state }), 'completed', 'planner', AT);
      const { detail: _, ...refusal } = ruling.ok ? assert.fail() : ruling.refusal;
      return refusal;
    };
    const rules = (plan_state: string, accepted: string) => ({
      code: 'invalid_transition',
      field: 'state',
      accepted,
      state: { plan_state },
    });
    assert.deepEqual(refusalOf('active'), rules('active', 'paused, failed, cancelled'));
    assert.deepEqual(refusalOf('draft'), rules('draft', 'active, cancelled'));
    for (const over of ['completed', 'failed', 'cancelled'] as const) {
      assert.deepEqual(refusalOf(over), rules(over, 'nothing: the plan is over'));
    }
  });

  it('leaves questions alone unless it resumes the plan', () => {
    const paused = aPlan({ state: 'paused', escalations: [AN_ESCALATION] });
    const cancelled = moved(paused, 'cancelled');
    assert.deepEqual(cancelled.duties, []);
    assert.deepEqual(cancelled.state.plan.escalations, [AN_ESCALATION]);
  });

  it('withdraws the open questions about failed tasks when it resumes the plan', () => {
    const decided = { ...AN_ESCALATION, task_id: SECOND, status: 'decided', suspension_id: 'old' };
    const unasked = { ...AN_ESCALATION, task_id: 'third', suspension_id: null };
    const escalations = [AN_ESCALATION, decided as PlanEscalation, unasked];
    const { state, duties } = moved(aPlan({ state: 'paused', escalations }), 'active');
    assert.deepEqual(duties, [{ kind: 'withdraw', suspension_id: OPEN.suspension_id }]);
    assert.deepEqual(
      state.plan.escalations.map(({ status }) => status),
      ['withdrawn', 'decided', 'withdrawn'],
    );
    assert.equal(state.plan.version, 3);
  });
});

describe('a plan that follows its tasks', () => {
  it('ignores tasks it does not have, and news of the same revision', () => {
    const { state } = takeNews(aPlan(), newsFrom(FIRST, 3, 'running'), AT);
    assert.equal(takeNews(state, newsFrom('stranger', 9, 'failed'), AT).state, state);
    assert.equal(takeNews(state, newsFrom(FIRST, 3, 'failed'), AT).state, state);
    assert.equal(state.revision, aPlan().revision + 1);
  });

  it('is not completed while it is paused by hand, or as long as it has no tasks', () => {
    const paused = moved(aPlan(), 'paused').state;
    const first = takeNews(paused, newsFrom(FIRST, 1, 'completed'), AT).state;
    const both = takeNews(first, newsFrom(SECOND, 1, 'completed'), AT);
    assert.deepEqual([both.state.plan.state, both.events], ['paused', []]);
    const empty = { ...aPlan({ state: 'draft', tasks: [] }), members: [] };
    assert.equal(moved(empty, 'active').state.plan.state, 'active');
  });

  it('does nothing more once it is over, and nothing before it begins', () => {
    const done = takeNews(aPlan(), newsFrom(FIRST, 1, 'completed'), AT).state;
    for (const state of ['draft', 'completed', 'failed', 'cancelled'] as const) {
      const ended = { ...done, plan: { ...done.plan, state, checkpoints: [A_CHECKPOINT] } };
      assert.deepEqual(follow(ended, AT), { state: ended, events: [], duties: [] });
    }
  });

  for (const [on_failure, event_type, payload] of [
    ['fail', 'plan.failed', { plan_id, failed_task_id: FIRST, error: 'broken' }],
    [
      'pause_and_escalate',
      'plan.paused',
      { plan_id, reason: 'task_failed', failed_task_id: FIRST, error: 'broken' },
    ],
  ] as const) {
    it(`names the task that failed under ${on_failure}`, () => {
      const failed = newsFrom(FIRST, 1, 'failed', { error: 'broken' });
      const { events } = takeNews(aPlan({ on_failure }), failed, AT);
      assert.deepEqual(events, [{ event_type, actor: CLOCK_ACTOR, payload }]);
    });
  }

  it('asks anew about a task that fails again, and keeps the questions about others', () => {
    const former: PlanEscalation = { ...AN_ESCALATION, status: 'decided', suspension_id: 'old' };
    const other = { ...AN_ESCALATION, task_id: SECOND };
    const plan = aPlan({ state: 'paused', escalations: [former, other] });
    const failed = newsFrom(FIRST, 1, 'failed', { attempt: 2, error: 'broken' });
    const { state, events } = takeNews(plan, failed, AT);
    assert.deepEqual(state.plan.escalations, [
      other,
      { ...AN_ESCALATION, attempt: 2, suspension_id: null },
    ]);
    assert.deepEqual(events, []);
  });

  it('goes on when a task was decided about elsewhere', () => {
    const plan = aPlan({ state: 'paused', escalations: [AN_ESCALATION] });
    const { state, events } = takeNews(plan, newsFrom(FIRST, 1, 'running'), AT);
    assert.equal(state.plan.escalations[0]?.status, 'withdrawn');
    assert.deepEqual(events, [
      {
        event_type: 'plan.resumed',
        actor: CLOCK_ACTOR,
        payload: { plan_id, reason: 'decided_otherwise' },
      },
    ]);
    const both = aPlan({
      state: 'paused',
      escalations: [AN_ESCALATION],
      checkpoints: [{ ...A_CHECKPOINT, status: 'reached' }],
    });
    const waiting = takeNews(both, newsFrom(FIRST, 1, 'running'), AT);
    assert.equal(waiting.state.plan.escalations[0]?.status, 'withdrawn');
    assert.deepEqual([waiting.state.plan.state, waiting.events], ['paused', []]);
  });
});

describe('a checkpoint of a plan', () => {
  it('is reached with the tasks before it, and not with others', () => {
    const later = { ...A_CHECKPOINT, id: 'later', after_task: SECOND };
    const plan = aPlan({ checkpoints: [A_CHECKPOINT, later] });
    const { state, events } = takeNews(plan, newsFrom(FIRST, 1, 'completed'), AT);
    assert.deepEqual(
      state.plan.checkpoints.map(({ status }) => status),
      ['reached', 'pending'],
    );
    assert.deepEqual(
      events.map(({ event_type, payload }) => [event_type, payload]),
      [
        ['plan.checkpoint_reached', { plan_id, checkpoint_id: 'cp', requires_approval: true }],
        ['plan.paused', { plan_id, reason: 'checkpoint' }],
      ],
    );
  });

  it('does not pause a plan that is paused already', () => {
    const paused = moved(aPlan({ checkpoints: [A_CHECKPOINT] }), 'paused').state;
    const { events, duties } = takeNews(paused, newsFrom(FIRST, 1, 'completed'), AT);
    assert.deepEqual(
      events.map(({ event_type }) => event_type),
      ['plan.checkpoint_reached'],
    );
    assert.deepEqual(duties, [{ kind: 'ask_approval', checkpoint_id: 'cp' }]);
  });

  it('holds the tasks after it while any of those before them waits', () => {
    const approved = { ...A_CHECKPOINT, status: 'approved' } as const;
    const [, second] = aPlan().members;
    const isOpen = (fields: Partial<PlanRecord>) =>
      isOpenTo(aPlan(fields), second ?? assert.fail());
    assert.equal(isOpen({ checkpoints: [approved, A_CHECKPOINT] }), false);
    assert.equal(isOpen({ checkpoints: [approved, approved] }), true);
    assert.equal(isOpen({ checkpoints: [approved], state: 'paused' }), false);
    assert.equal(isOpen({ state: 'draft' }), false);
  });
});

describe('a phased plan as readers see it', () => {
  it('has phases in place of tasks, and names those that wait [R26-25]', () => {
    const waits = { intent_id: INTENT_ID, suspended_since: AT, expires_at: EXPIRES };
    const plan = aPlan({ workflow: { title: 'Compliance', description: null } });
    const waiting = newsFrom(SECOND, 1, 'blocked', { suspension: waits });
    const view = planView(takeNews(plan, waiting, AT).state);
    const { by_status } = view.progress;
    const phase = { intent_id: INTENT_ID };
    assert.deepEqual(phasedPlanView(view), {
      id: plan_id,
      plan_id,
      intent_id: INTENT_ID,
      title: 'Compliance',
      description: null,
      state: 'active',
      phases: [
        { ...phase, phase_name: 'review', task_id: FIRST, depends_on: [], status: 'pending' },
        { ...phase, phase_name: 'report', task_id: SECOND, depends_on: [FIRST], status: 'blocked' },
      ],
      progress: {
        total: 2,
        by_status,
        suspended_phases: [{ phase_name: 'report', ...waits }],
      },
      created_by: 'planner',
      created_at: AT,
      updated_at: AT,
    });
    assert.deepEqual([by_status.pending, by_status.blocked, by_status.ready], [1, 1, 0]);
  });
});
