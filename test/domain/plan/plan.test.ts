import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isDenial } from '../../../contracts/constants/denial.js';
import type { Refusal } from '../../../contracts/kernel/problem.js';
import type { Checkpoint } from '../../../contracts/plan/plan.js';
import { checkpointsOf } from '../../../domain/plan/assembly.js';
import {
  changePlanState,
  checkPlanVersion,
  isOpenTo,
  takeNews,
} from '../../../domain/plan/plan.js';
import {
  checkpointAsked,
  checkpointQuestion,
  checkpointSettled,
} from '../../../domain/plan/questions.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import { ruleOf } from '../../../domain/suspension/answering/decision.js';
import { planView, phasedPlanView } from '../../../domain/plan/state.js';
import { A_CHECKPOINT, aPlan, FIRST, SECOND, settled, newsFrom, types } from './plan-samples.js';
import { AT, EXPIRES, INTENT_ID, LATER, OPEN, UPSTREAM_INTENT } from './task-samples.js';

const SUSPENSION = { intent_id: INTENT_ID, suspended_since: AT, expires_at: EXPIRES };

describe('the progress of a plan', () => {
  it('names each suspended task, with since when and until when [R26-24, R26-26, R26-94]', () => {
    const { state } = takeNews(
      aPlan(),
      newsFrom(FIRST, 1, 'blocked', { suspension: SUSPENSION }),
      AT,
    );
    const { progress } = planView(state);
    assert.deepEqual(progress.suspended_tasks, [{ task_id: FIRST, ...SUSPENSION }]);
    assert.deepEqual([progress.total, progress.by_status.blocked], [2, 1]);
    const resumed = takeNews(state, newsFrom(FIRST, 2, 'running'), LATER).state;
    assert.deepEqual(planView(resumed).progress.suspended_tasks, []);
    assert.equal(planView(resumed).progress.by_status.running, 1);
  });

  it('names the phases of a workflow so [R26-25]', () => {
    const plan = aPlan({ workflow: { title: 'Compliance', description: null } });
    const news_ = newsFrom(FIRST, 1, 'blocked', { suspension: SUSPENSION });
    const view = phasedPlanView(planView(takeNews(plan, news_, AT).state));
    assert.deepEqual(view?.progress.suspended_phases, [{ phase_name: 'review', ...SUSPENSION }]);
    assert.equal(phasedPlanView(planView(aPlan())), undefined);
  });

  it('is the same in whatever order and however often tasks tell [R26-15]', () => {
    const lives = [FIRST, SECOND].flatMap((id) =>
      (['ready', 'claimed', 'blocked', 'running'] as const).map((status, index) =>
        newsFrom(id, index + 1, status, { suspension: status === 'blocked' ? SUSPENSION : null }),
      ),
    );
    const order = fc.shuffledSubarray([...lives, ...lives], { minLength: 2 * lives.length });
    const property = fc.property(order, (all) => {
      const state = all.reduce((known, one) => takeNews(known, one, AT).state, aPlan());
      const { progress } = planView(state);
      assert.equal(progress.by_status.running, 2);
      assert.deepEqual(progress.suspended_tasks, []);
      assert.equal(state.plan.version, 1);
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});

describe('a plan', () => {
  it('is complete once all its tasks are over', () => {
    const first = takeNews(aPlan(), newsFrom(FIRST, 1, 'completed'), AT);
    assert.equal(first.state.plan.state, 'active');
    for (const [end, tasks_completed, tasks_skipped] of [
      ['skipped', 1, 1],
      ['completed', 2, 0],
    ] as const) {
      const { state, events } = takeNews(first.state, newsFrom(SECOND, 1, end), AT);
      assert.equal(state.plan.state, 'completed');
      const payload = { plan_id: UPSTREAM_INTENT, tasks_completed, tasks_skipped };
      assert.deepEqual(events, [{ event_type: 'plan.completed', actor: CLOCK_ACTOR, payload }]);
    }
  });

  const FAILURES = [
    ['pause_and_escalate', 'paused', ['plan.paused'], [{ kind: 'ask_decision', task_id: FIRST }]],
    ['fail', 'failed', ['plan.failed'], []],
    ['notify', 'active', [], []],
    ['retry', 'active', [], [{ kind: 'retry', task_id: FIRST, attempt: 1, granted: false }]],
  ] as const;
  for (const [on_failure, next, events, duties] of FAILURES) {
    it(`is ${next} after a failure with on_failure ${on_failure}`, () => {
      const failed = newsFrom(FIRST, 1, 'failed', { max_attempts: 2, error: 'broken' });
      const change = takeNews(aPlan({ on_failure }), failed, AT);
      assert.equal(change.state.plan.state, next);
      assert.deepEqual(types(change), events);
      assert.deepEqual(change.duties, duties);
      const again = takeNews(change.state, { ...failed, revision: 2 }, AT);
      assert.deepEqual([again.events, again.duties], [[], []]);
    });
  }

  it('fails where the attempts of a task are used up', () => {
    const failed = newsFrom(FIRST, 1, 'failed', { attempt: 2, max_attempts: 2 });
    assert.equal(takeNews(aPlan({ on_failure: 'retry' }), failed, AT).state.plan.state, 'failed');
  });

  it('is refused a write on any version but the current one', () => {
    const { plan } = aPlan({ version: 2 });
    const refusal = ['version_conflict', '2', { current_version: 2, plan_state: 'active' }];
    const pick = ({ code, accepted, state }: Refusal) => [code, accepted, state];
    const rulings = [1, 2, 3].map((ifMatch) => checkPlanVersion(plan, ifMatch));
    assert.deepEqual(
      rulings.map((ruling) => ruling.ok || pick(ruling.refusal)),
      [refusal, true, refusal],
    );
  });
});

describe('a checkpoint', () => {
  function reached(changes: Partial<Checkpoint> = {}) {
    const plan = aPlan({ checkpoints: [{ ...A_CHECKPOINT, ...changes }] });
    const change = takeNews(plan, newsFrom(FIRST, 1, 'completed'), AT);
    const asked = change.duties.length === 1;
    const { state } = asked ? checkpointAsked(change.state, 'cp', OPEN.suspension_id) : change;
    return { change, state, second: state.members[1] ?? assert.fail() };
  }

  it('lets the plan go on once somebody approved', () => {
    const { state, second } = reached();
    const change = checkpointSettled(state, settled({}), LATER);
    assert.deepEqual(types(change), ['plan.checkpoint_approved', 'plan.resumed']);
    assert.equal(change.state.plan.state, 'active');
    assert.equal(isOpenTo(change.state, second), true);
    assert.deepEqual(checkpointSettled(change.state, settled({}), LATER).events, []);
  });

  it('leaves a plan paused that somebody paused by hand', () => {
    const paused = changePlanState(aPlan({ checkpoints: [A_CHECKPOINT] }), 'paused', 'alice', AT);
    assert.ok(paused.ok);
    const { state } = takeNews(paused.value.state, newsFrom(FIRST, 1, 'completed'), AT);
    const asked = checkpointAsked(state, 'cp', OPEN.suspension_id).state;
    const change = checkpointSettled(asked, settled({}), LATER);
    assert.deepEqual(types(change), ['plan.checkpoint_approved']);
    assert.equal(change.state.plan.state, 'paused');
  });

  it('says that a rejection denies, whatever its rule says of votes', () => {
    for (const fields of [
      { approvers: [] },
      { approvers: ['bob'] },
      { approvers: [], decision_rule: { denials: [] } },
    ]) {
      const request = { ...A_CHECKPOINT, ...fields };
      const [checkpoint = assert.fail()] = checkpointsOf([request]);
      const record = checkpointQuestion(aPlan(), checkpoint);
      const rule = ruleOf(record);
      const said = ['approve', 'reject'].map((value) => isDenial({ record, rule }, value));
      assert.deepEqual(said, [false, true]);
    }
  });

  it('tells who has approved, where several did', () => {
    const vote = { value: 'approve', question_version: 1, counted_at: LATER };
    const votes = ['ann', 'ben'].map((name) => ({ principal: name, actor: name, ...vote }));
    const change = checkpointSettled(reached().state, settled({ votes }), LATER);
    assert.deepEqual(change.events[0]?.payload['votes'], votes);
  });

  it('only tells of itself where nobody has to approve', () => {
    const { change, second } = reached({ requires_approval: false });
    assert.deepEqual(types(change), ['plan.checkpoint_reached']);
    assert.deepEqual(change.duties, []);
    assert.equal(change.state.plan.checkpoints[0]?.status, 'approved');
    assert.equal(isOpenTo(change.state, second), true);
  });
});
