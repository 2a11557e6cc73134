import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Checkpoint } from '../../../contracts/plan/plan.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import {
  checkpointAsked,
  checkpointQuestion,
  checkpointSettled,
  failureQuestion,
  failureSettled,
} from '../../../domain/plan/questions.js';
import { takeNews } from '../../../domain/plan/plan.js';
import { planView, questionStarted, type PlanRecord } from '../../../domain/plan/state.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import {
  AN_ESCALATION,
  A_CHECKPOINT,
  FIRST,
  SECOND,
  aPlan,
  newsFrom,
  settled,
} from './plan-samples.js';
import { AT, LATER, OPEN, UPSTREAM_INTENT } from './task-samples.js';

const CHECKPOINT: Checkpoint = {
  ...A_CHECKPOINT,
  status: 'reached',
  suspension_id: OPEN.suspension_id,
};
const APPROVAL = [
  { value: 'approve', label: 'Approve', style: 'primary' },
  { value: 'reject', label: 'Reject', style: 'danger' },
];
const DECISION = [
  { value: 'retry', label: 'Try again', style: 'primary' },
  { value: 'skip', label: 'Go on without it', style: 'default' },
  { value: 'fail', label: 'Give up the plan', style: 'danger' },
];

describe('the question of a checkpoint', () => {
  const basis = {
    question: 'Go on after review? (compliance)',
    response_type: 'choice',
    choices: APPROVAL,
    context: {
      plan_id: UPSTREAM_INTENT,
      checkpoint_id: 'cp',
      task_id: FIRST,
      approvers: ['cfo'],
    },
  };
  const retry_policy = {
    max_attempts: 2,
    interval_seconds: 5_400,
    strategy: 'fixed',
    escalation_ladder: [],
    final_fallback_policy: 'fail',
  };
  const approving = { fallback_policy: 'complete_with_fallback', fallback_value: 'approve' };

  for (const [on_timeout, timeout_hours, expected] of [
    ['escalate', null, { fallback_policy: 'fail' }],
    ['escalate', 1.5, { fallback_policy: 'fail', timeout_seconds: 5_400, retry_policy }],
    ['fail', 1.5, { fallback_policy: 'fail', timeout_seconds: 5_400 }],
    ['auto_approve', null, approving],
    ['auto_approve', 0.0001, { ...approving, timeout_seconds: 1 }],
  ] as const) {
    it(`follows ${on_timeout} after ${timeout_hours ?? 'no'} hours [R26-16]`, () => {
      const checkpoint = { ...CHECKPOINT, approvers: ['cfo'], on_timeout, timeout_hours };
      const { decision_rule, ...question } = checkpointQuestion(aPlan(), checkpoint);
      assert.deepEqual(question, { ...basis, ...expected });
      assert.deepEqual(decision_rule?.eligible, { principals: ['cfo'] });
    });
  }

  it('names a task that is no member by its id, and a checkpoint without a name as such', () => {
    const textOf = (changes: Partial<Checkpoint>) =>
      checkpointQuestion(aPlan(), { ...CHECKPOINT, ...changes }).question;
    assert.equal(textOf({ after_task: SECOND, name: null }), 'Go on after report? (checkpoint)');
    assert.equal(textOf({ after_task: 'gone' }), 'Go on after gone? (compliance)');
  });
});

describe('the answer for a checkpoint', () => {
  const OTHER = { ...CHECKPOINT, id: 'other', after_task: SECOND, suspension_id: 'another' };
  function decided(record: Partial<SettledRecord>, fields: Partial<PlanRecord> = {}) {
    const plan: Partial<PlanRecord> = { state: 'paused', checkpoints: [CHECKPOINT], ...fields };
    return checkpointSettled(aPlan(plan), settled(record), LATER);
  }
  const nobody = { response: undefined, responded_by: undefined };
  const expired = { ...nobody, resolution: 'expired' } as const;
  const approving = {
    fallback_policy: 'complete_with_fallback',
    fallback_value: 'approve',
  } as const;

  it('approves, and names who did', () => {
    const { state, events } = decided({});
    const [checkpoint] = state.plan.checkpoints;
    assert.deepEqual([checkpoint?.status, checkpoint?.decided_by], ['approved', 'alice']);
    const plan_id = UPSTREAM_INTENT;
    assert.deepEqual(events, [
      {
        event_type: 'plan.checkpoint_approved',
        actor: 'alice',
        payload: { plan_id, checkpoint_id: 'cp', approved_by: 'alice' },
      },
      { event_type: 'plan.resumed', actor: 'alice', payload: { plan_id } },
    ]);
  });

  const REJECTIONS: readonly (readonly [string, Partial<SettledRecord>, string, string])[] = [
    ['by an answer', { response: 'reject' }, 'alice', 'rejected'],
    ['by an answer with a reason', { response: 'reject', reason: 'too dear' }, 'alice', 'too dear'],
    ['by its expiry', expired, CLOCK_ACTOR, 'expired'],
    ['by its withdrawal', { ...expired, resolution: 'cancelled' }, CLOCK_ACTOR, 'cancelled'],
  ];
  for (const [how, record, by, reason] of REJECTIONS) {
    it(`rejects ${how}, and fails the plan for it`, () => {
      const { state, events } = decided(record);
      const [checkpoint] = state.plan.checkpoints;
      assert.deepEqual([checkpoint?.status, checkpoint?.decided_by], ['rejected', by]);
      const plan_id = UPSTREAM_INTENT;
      assert.deepEqual(events, [
        {
          event_type: 'plan.checkpoint_rejected',
          actor: by,
          payload: { plan_id, checkpoint_id: 'cp', rejected_by: by, reason },
        },
        {
          event_type: 'plan.failed',
          actor: CLOCK_ACTOR,
          payload: { plan_id, failed_task_id: null, error: 'checkpoint_rejected' },
        },
      ]);
    });
  }

  it('is that of the fallback once it has expired, and of nothing once it was withdrawn', () => {
    const statusAfter = (record: Partial<SettledRecord>) =>
      decided({ ...record, ...approving }).state.plan.checkpoints[0]?.status;
    assert.equal(statusAfter(expired), 'approved');
    assert.equal(statusAfter({ ...expired, resolution: 'cancelled' }), 'rejected');
  });

  it('ends with its expiry even if nobody of the approvers saw it', () => {
    const checkpoints = [{ ...CHECKPOINT, approvers: ['bob'] }];
    const { state, duties } = decided(expired, { checkpoints });
    assert.deepEqual([state.plan.state, duties], ['failed', []]);
  });

  it('leaves a plan paused while another question is open', () => {
    const { state, events } = decided({}, { checkpoints: [CHECKPOINT, OTHER] });
    assert.equal(state.plan.state, 'paused');
    assert.equal(events.length, 1);
    assert.deepEqual(
      state.plan.checkpoints.map(({ status }) => status),
      ['approved', 'reached'],
    );
  });

  it('does not resume a plan that somebody resumed already', () => {
    assert.equal(decided({}, { state: 'active' }).events.length, 1);
  });

  it('concerns the checkpoint whose question it answers, and only while the plan goes on', () => {
    const other = decided({ id: 'another' }, { checkpoints: [CHECKPOINT, OTHER] });
    assert.deepEqual(
      other.state.plan.checkpoints.map(({ status }) => status),
      ['reached', 'approved'],
    );
    assert.deepEqual(decided({ id: 'unknown' }).events, []);
    assert.deepEqual(decided({}, { state: 'cancelled' }).events, []);
  });

  it('belongs to the question that the plan has noted for that checkpoint', () => {
    const checkpoints = [{ ...CHECKPOINT, suspension_id: null }, OTHER];
    const { plan } = checkpointAsked(aPlan({ checkpoints }), 'cp', 'new').state;
    assert.deepEqual(
      plan.checkpoints.map(({ suspension_id }) => suspension_id),
      ['new', 'another'],
    );
  });

  it('is shown once it has started, with the next version', () => {
    const checkpoints = [{ ...CHECKPOINT, suspension_id: null }, OTHER];
    const before = aPlan({ checkpoints });
    const { state } = checkpointAsked(before, 'cp', 'new');
    assert.deepEqual(planView(state), planView(before));
    assert.equal(state.revision, before.revision);
    const started = questionStarted(state, LATER).state;
    const ids = planView(started).checkpoints.map(({ suspension_id }) => suspension_id);
    assert.deepEqual(ids, ['new', 'another']);
    const { version, updated_at } = planView(started);
    assert.deepEqual([version, updated_at], [before.plan.version + 1, LATER]);
    assert.equal(started.revision, before.revision + 1);
  });
});

describe('the question about a failed task', () => {
  it('names the task, its attempt and its error, and never expires', () => {
    const plan = takeNews(aPlan(), newsFrom(FIRST, 1, 'failed'), AT).state;
    assert.deepEqual(failureQuestion(plan, AN_ESCALATION), {
      question: 'review failed. What next?',
      response_type: 'choice',
      choices: DECISION,
      context: { plan_id: UPSTREAM_INTENT, task_id: FIRST, attempt: 1, error: 'broken' },
      fallback_policy: 'fail',
    });
  });

  it('knows a task without news, and one that is no member by its id', () => {
    const second = failureQuestion(aPlan(), { ...AN_ESCALATION, task_id: SECOND });
    assert.deepEqual([second.question, second.choices?.length], ['report failed. What next?', 3]);
    const gone = failureQuestion(aPlan(), { ...AN_ESCALATION, task_id: 'gone' });
    assert.equal(gone.question, 'gone failed. What next?');
  });
});

describe('the answer about a failed task', () => {
  const OTHER = { ...AN_ESCALATION, task_id: SECOND, suspension_id: 'another' };
  function decided(record: Partial<SettledRecord>, fields: Partial<PlanRecord> = {}) {
    const plan: Partial<PlanRecord> = { state: 'paused', escalations: [AN_ESCALATION], ...fields };
    return failureSettled(aPlan(plan), settled(record), LATER);
  }
  const plan_id = UPSTREAM_INTENT;

  it('resumes the plan, and names the decision', () => {
    const { state, events } = decided({ response: 'skip' });
    assert.deepEqual(state.plan.escalations, [
      { ...AN_ESCALATION, status: 'decided', decision: 'skip', decided_by: 'alice' },
    ]);
    assert.deepEqual(events, [
      { event_type: 'plan.resumed', actor: 'alice', payload: { plan_id, reason: 'skip' } },
    ]);
  });

  it('gives up the plan for any other answer than to try again or to skip', () => {
    for (const response of ['fail', 'whatever', null]) {
      const { state, events } = decided({ response });
      assert.equal(state.plan.escalations[0]?.decision, 'fail');
      assert.deepEqual(events, [
        {
          event_type: 'plan.failed',
          actor: CLOCK_ACTOR,
          payload: { plan_id, failed_task_id: FIRST, error: 'broken' },
        },
      ]);
    }
  });

  it('withdraws the question if nobody gave it', () => {
    const { state, events, duties } = decided({ resolution: 'cancelled', responded_by: undefined });
    assert.deepEqual(state.plan.escalations, [{ ...AN_ESCALATION, status: 'withdrawn' }]);
    assert.deepEqual([events, duties], [[], []]);
  });

  it('concerns the task whose question it answers, and leaves the plan paused for others', () => {
    const escalations = [AN_ESCALATION, OTHER];
    const { state, duties } = decided({ id: 'another', response: 'skip' }, { escalations });
    assert.deepEqual(
      state.plan.escalations.map(({ status }) => status),
      ['open', 'decided'],
    );
    assert.deepEqual(duties, [{ kind: 'skip', task_id: SECOND }]);
    assert.equal(state.plan.state, 'paused');
    assert.deepEqual(decided({ response: 'skip' }, { state: 'failed' }).duties, []);
  });
});
