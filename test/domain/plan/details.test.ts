import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { takeNews } from '../../../domain/plan/plan.js';
import { describePlan, planView } from '../../../domain/plan/state.js';
import { describeTask } from '../../../domain/plan/task.js';
import { FIRST, SECOND, aPlan, newsFrom } from './plan-samples.js';
import { AT, EXPIRES, INTENT_ID, aTask } from './task-samples.js';

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
