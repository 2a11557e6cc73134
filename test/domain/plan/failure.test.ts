import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TaskNews } from '../../../contracts/plan/task.js';
import { failureAsked, failureQuestion, failureSettled } from '../../../domain/plan/questions.js';
import type { PlanState } from '../../../domain/plan/state.js';
import { changePlanState, takeNews } from '../../../domain/plan/plan.js';
import { AT, LATER, OPEN } from './task-samples.js';
import { aPlan, FIRST, SECOND, settled, newsFrom, types } from './plan-samples.js';

const FAILED = newsFrom(FIRST, 1, 'failed', { error: 'broken', max_attempts: 3 });

function escalated(state: PlanState = aPlan(), news: TaskNews = FAILED): PlanState {
  return failureAsked(takeNews(state, news, AT).state, news.task_id, OPEN.suspension_id, AT).state;
}

describe('the question about a task that failed', () => {
  it('has three answers, or two where the task ended with its intent', () => {
    const values = (news: TaskNews) => {
      const state = escalated(aPlan(), news);
      const [escalation] = state.plan.escalations;
      const { choices = [] } = failureQuestion(state, escalation ?? assert.fail());
      return choices.map(({ value }) => value);
    };
    assert.deepEqual(values(FAILED), ['retry', 'skip', 'fail']);
    assert.deepEqual(values({ ...FAILED, final: true }), ['skip', 'fail']);
  });

  const DECISIONS = [
    ['retry', 'active', ['plan.resumed'], 'retry'],
    ['skip', 'active', ['plan.resumed'], 'skip'],
    ['fail', 'failed', ['plan.failed'], undefined],
  ] as const;
  for (const [response, next, events, duty] of DECISIONS) {
    it(`leaves the plan ${next} where it is answered with ${response}`, () => {
      const change = failureSettled(escalated(), settled({ response }), LATER);
      assert.equal(change.state.plan.state, next);
      assert.deepEqual(types(change), events);
      assert.equal(change.duties[0]?.kind, duty);
      const [escalation] = change.state.plan.escalations;
      assert.deepEqual([escalation?.decision, escalation?.decided_by], [response, 'alice']);
      const again = failureSettled(change.state, settled({ response }), LATER);
      assert.deepEqual([again.events, again.duties], [[], []]);
    });
  }

  it('grants a try beyond the attempts of the task [R26-79]', () => {
    const { duties } = failureSettled(escalated(), settled({ response: 'retry' }), LATER);
    assert.deepEqual(duties, [{ kind: 'retry', task_id: FIRST, attempt: 1, granted: true }]);
  });

  it('keeps the plan paused where it is withdrawn, or another is open', () => {
    const withdrawn = settled({
      resolution: 'cancelled',
      response: undefined,
      responded_by: undefined,
    });
    assert.equal(failureSettled(escalated(), withdrawn, LATER).state.plan.state, 'paused');
    const both = takeNews(escalated(), newsFrom(SECOND, 1, 'failed'), AT);
    assert.deepEqual(both.duties, [{ kind: 'ask_decision', task_id: SECOND }]);
    const one = failureSettled(both.state, settled({ response: 'skip' }), LATER);
    assert.deepEqual([one.state.plan.state, types(one)], ['paused', []]);
  });

  it('is asked for each attempt that fails, and withdrawn where the task goes on', () => {
    const second = newsFrom(FIRST, 2, 'failed', { attempt: 2 });
    const again = takeNews(escalated(), second, LATER);
    const withdrawal = { kind: 'withdraw', suspension_id: OPEN.suspension_id };
    assert.deepEqual(again.duties, [withdrawal, { kind: 'ask_decision', task_id: FIRST }]);
    const on = takeNews(escalated(), newsFrom(FIRST, 2, 'running'), LATER);
    assert.deepEqual([on.duties, on.state.plan.state], [[withdrawal], 'active']);
  });

  it('is asked without a further try once the intent of the task is abandoned [AM-37]', () => {
    const final = newsFrom(FIRST, 2, 'failed', { final: true, error: 'gone', max_attempts: 3 });
    const open = takeNews(escalated(), final, LATER);
    const ask = { kind: 'ask_decision', task_id: FIRST };
    const withdrawal = { kind: 'withdraw', suspension_id: OPEN.suspension_id };
    assert.deepEqual([open.duties, open.state.plan.state], [[withdrawal, ask], 'paused']);
    const retried = failureSettled(escalated(), settled({ response: 'retry' }), LATER).state;
    const late = takeNews(retried, final, LATER);
    assert.deepEqual([late.duties, late.state.plan.state], [[ask], 'paused']);
    const again = takeNews(late.state, { ...final, revision: 3 }, LATER);
    assert.deepEqual([again.duties, again.events], [[], []]);
  });

  it('is not asked where a plan that tries again cannot: it fails [AM-37]', () => {
    const retrying = takeNews(aPlan({ on_failure: 'retry' }), FAILED, AT).state;
    const final = newsFrom(FIRST, 2, 'failed', { final: true, error: 'gone', max_attempts: 3 });
    const change = takeNews(retrying, final, LATER);
    assert.deepEqual(types(change), ['plan.failed']);
    assert.equal(change.state.plan.state, 'failed');
  });

  it('is withdrawn where somebody lets the plan go on', () => {
    const change = changePlanState(escalated(), 'active', 'planner', LATER);
    assert.ok(change.ok);
    assert.equal(change.value.duties[0]?.kind, 'withdraw');
    assert.equal(change.value.state.plan.escalations[0]?.status, 'withdrawn');
  });

  it('leaves a plan paused that somebody paused by hand, until somebody resumes it', () => {
    const paused = changePlanState(aPlan(), 'paused', 'alice', AT);
    assert.ok(paused.ok);
    const asked = escalated(paused.value.state);
    const answered = failureSettled(asked, settled({ response: 'retry' }), LATER);
    assert.deepEqual([answered.state.plan.state, types(answered)], ['paused', []]);
    assert.equal(answered.duties[0]?.kind, 'retry');
    const moot = takeNews(asked, newsFrom(FIRST, 2, 'running'), LATER);
    assert.deepEqual([moot.state.plan.state, types(moot)], ['paused', []]);
    const resumed = changePlanState(answered.state, 'active', 'alice', LATER);
    assert.ok(resumed.ok);
    const again = escalated(resumed.value.state, { ...FAILED, revision: 3, attempt: 2 });
    const { state } = failureSettled(again, settled({ response: 'retry' }), LATER);
    assert.equal(state.plan.state, 'active');
  });

  it('is asked once a draft begins whose task has failed before', () => {
    const draft = takeNews(aPlan({ state: 'draft' }), FAILED, AT);
    assert.deepEqual(draft.duties, []);
    const begun = changePlanState(draft.state, 'active', 'planner', LATER);
    assert.deepEqual(begun.ok && begun.value.duties, [{ kind: 'ask_decision', task_id: FIRST }]);
  });
});
