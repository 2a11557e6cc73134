import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { takeNews } from '../../../domain/plan/plan.js';
import { withoutTask } from '../../../domain/plan/questions.js';
import { openQuestions, openTasks } from '../../../domain/plan/state.js';
import { AN_ESCALATION, A_CHECKPOINT, FIRST, SECOND, aPlan, newsFrom } from './plan-samples.js';
import { AT, LATER, OPEN } from './task-samples.js';

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
