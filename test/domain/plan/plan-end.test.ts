import assert from 'node:assert/strict';
import type { TaskNews } from '../../../contracts/plan/task.js';
import { changePlanState, takeNews } from '../../../domain/plan/plan.js';
import {
  failureAsked,
  failureQuestion,
  failureSettled,
  withoutTask,
} from '../../../domain/plan/questions.js';
import {
  describePlan,
  openQuestions,
  openTasks,
  type PlanState,
  planView,
  questionStarted,
} from '../../../domain/plan/state.js';
import { describeTask } from '../../../domain/plan/task.js';
import {
  A_CHECKPOINT,
  AN_ESCALATION,
  aPlan,
  FIRST,
  newsFrom,
  SECOND,
  settled,
  types,
} from './plan-samples.js';
import { AT, aTask, EXPIRES, INTENT_ID, LATER, OPEN } from './task-samples.js';

describe('a failed task that has ended', () => {
  it('counts as skipped, so that the plan goes on', () => {
    const first = takeNews(aPlan({ on_failure: 'notify' }), newsFrom(FIRST, 4, 'failed'), AT).state;
    const both = takeNews(first, newsFrom(SECOND, 1, 'completed'), AT).state;
    const { state, events } = withoutTask(both, FIRST, LATER);
    assert.deepEqual(
      state.members.map(({ news }) => [news?.status, news?.revision]),
      [
        ['skipped', 5],
        ['completed', 1],
      ],
    );
    assert.equal(state.plan.state, 'completed');
    assert.equal(state.revision, both.revision + 2);
    assert.equal(events.length, 1);
  });

  it('is not skipped if nobody has heard of it', () => {
    const before = aPlan();
    const { state } = withoutTask(before, FIRST, LATER);
    assert.deepEqual([state.members, state.revision], [before.members, before.revision + 1]);
  });
});

describe('what a plan leaves open', () => {
  it('are the questions that wait for an answer and were asked', () => {
    const { suspension_id } = OPEN;
    const reached = { ...A_CHECKPOINT, status: 'reached' as const, suspension_id };
    const checkpoints = [
      reached,
      { ...reached, suspension_id: null },
      { ...reached, suspension_id: 'old', status: 'approved' as const },
    ];
    const escalations = [
      { ...AN_ESCALATION, suspension_id: 'failure' },
      { ...AN_ESCALATION, suspension_id: 'former', status: 'decided' as const },
    ];
    const { plan } = aPlan({ checkpoints, escalations });
    assert.deepEqual(openQuestions(plan), [OPEN.suspension_id, 'failure']);
  });

  it('are the tasks that have neither ended nor failed', () => {
    for (const [status, isOpen] of [
      ['pending', true],
      ['ready', true],
      ['claimed', true],
      ['running', true],
      ['blocked', true],
      ['completed', false],
      ['failed', false],
      ['cancelled', false],
      ['skipped', false],
    ] as const) {
      const { state } = takeNews(aPlan({ on_failure: 'notify' }), newsFrom(FIRST, 1, status), AT);
      assert.deepEqual(openTasks(state), isOpen ? [FIRST, SECOND] : [SECOND], status);
    }
  });
});

const WAITS = { intent_id: INTENT_ID, suspended_since: AT, expires_at: EXPIRES };

describe('the details of a task', () => {
  it('show name, status, version and attempt', () => {
    assert.equal(
      describeTask(aTask({ version: 3, attempt: 2 })),
      '**review**\n\n- Status: `ready`, version 3, attempt 2',
    );
  });

  it('show what blocks the task, who has it and how it failed', () => {
    const task = aTask({
      name: '*review*',
      blocked_reason: 'legal_review',
      assigned_agent: 'agent_1',
      error: 'no_budget',
    });
    assert.deepEqual(describeTask(task).split('\n'), [
      '**\\*review\\***',
      '',
      '- Status: `ready`, version 1, attempt 1',
      '- Blocked: legal\\_review',
      '- Agent: agent\\_1',
      '- Error: no\\_budget',
    ]);
  });
});

describe('the details of a plan', () => {
  it('show state, version and the status of each task', () => {
    assert.deepEqual(describePlan(planView(aPlan({ version: 4 }))).split('\n'), [
      '**Plan**',
      '',
      '- State: `active`, version 4',
      '- review: `pending`',
      '- report: `pending`',
    ]);
  });

  it('show the title of a phased plan, and how many tasks wait for an operator', () => {
    const plan = aPlan({ workflow: { title: 'Compliance #1', description: null } });
    const waiting = newsFrom(FIRST, 1, 'blocked', { suspension: WAITS });
    const { state } = takeNews(plan, waiting, AT);
    assert.deepEqual(describePlan(planView(state)).split('\n'), [
      '**Compliance \\#1**',
      '',
      '- State: `active`, version 1',
      '- 1 of 2 tasks wait for an operator',
      '- review: `blocked`',
      '- report: `pending`',
    ]);
    const both = takeNews(state, { ...waiting, task_id: SECOND }, AT).state;
    assert.match(describePlan(planView(both)), /^- 2 of 2 tasks wait/m);
  });
});

const FAILED = newsFrom(FIRST, 1, 'failed', { error: 'broken', max_attempts: 3 });

function escalated(state: PlanState = aPlan(), news: TaskNews = FAILED): PlanState {
  const failed = takeNews(state, news, AT).state;
  const asked = failureAsked(failed, news.task_id, OPEN.suspension_id).state;
  return questionStarted(asked, AT).state;
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
