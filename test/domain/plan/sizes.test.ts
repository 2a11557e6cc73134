import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS, WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import type { Checkpoint } from '../../../contracts/plan/plan.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { addMembers, assemblePlan, type PlanDraft } from '../../../domain/plan/assembly.js';
import { changePlanState, takeNews } from '../../../domain/plan/plan.js';
import { checkClaim, mayWaitForClaim } from '../../../domain/plan/task-claim.js';
import { mirrorIntent } from '../../../domain/plan/task-mirror.js';
import { NO_RULES, takeUpstream } from '../../../domain/plan/task.js';
import { granted, refused } from '../samples.js';
import { A_CHECKPOINT, FIRST, aPlan, newsFrom } from './plan-samples.js';
import {
  AT,
  INTENT_ID,
  LATER,
  UPSTREAM_INTENT,
  aDefinition,
  aState,
  announced,
  news,
} from './task-samples.js';

const KIB = 1_024;
const LONG_ERROR = 'é'.repeat(LIMITS.questionCharacters);
const sized = (bytes: number) => 'x'.repeat(bytes - 2);

function draft(fields: Partial<PlanDraft>): PlanDraft {
  return {
    id: UPSTREAM_INTENT,
    intent_id: INTENT_ID,
    state: 'draft',
    on_failure: 'fail',
    on_complete: 'notify',
    metadata: {},
    created_by: 'planner',
    created_at: AT,
    definitions: [],
    types: {},
    checkpoints: [],
    conditions: [],
    existing: [],
    workflow: null,
    statics: { trigger: {}, initial_state: {} },
    ...fields,
  };
}

describe('what a task gets from its plan', () => {
  it('is the types that its outputs refer to, and those that they refer to', () => {
    const definitions = [
      aDefinition({ name: 'research', outputs: { findings: 'Finding', note: 'string' } }),
      aDefinition({ name: 'report', outputs: { pages: { type: 'array' } } }),
    ];
    const types = {
      Finding: { source: 'Source', again: 'Finding' },
      Source: { url: 'string' },
      Other: { source: 'Source' },
    };
    let last = 0;
    const { children } = assemblePlan(draft({ definitions, types }), () => `id-${(last += 1)}`);
    const { Other: _other, ...needed } = types;
    assert.deepEqual(
      children.map(({ rules }) => rules.types),
      [needed, {}],
    );
  });
});

describe('the error of a failed task', () => {
  const failure = newsFrom(FIRST, 1, 'failed', { error: LONG_ERROR });
  const keptBytes = ({ error }: { readonly error?: string | null } = {}) => jsonBytes(error);
  const most = WORKFLOW_LIMITS.keptErrorBytes + '…'.length * 3;

  it('is kept once by its plan, cut to a size, and is whole in the log', () => {
    const { state, events } = takeNews(aPlan(), failure, LATER);
    const [escalation] = state.plan.escalations;
    assert.ok(keptBytes(escalation) <= most, `${keptBytes(escalation)} bytes`);
    assert.ok(escalation?.error?.startsWith('éé') && escalation.error.endsWith('…'));
    assert.ok(!JSON.stringify(state.members).includes('é'));
    assert.equal(
      events.find((one) => one.event_type === 'plan.paused')?.payload['error'],
      LONG_ERROR,
    );
  });

  it('is kept whole if it is plain and no longer than an error may be', () => {
    const error = 'x'.repeat(LIMITS.questionCharacters);
    const { plan } = takeNews(aPlan(), { ...failure, error }, LATER).state;
    assert.equal(plan.escalations[0]?.error, error);
  });

  it('is kept by a draft until the plan begins', () => {
    const drafted = takeNews(aPlan({ state: 'draft' }), failure, AT).state;
    const [member] = drafted.members;
    assert.ok(keptBytes(member?.news ?? {}) <= most);
    const { state } = granted(changePlanState(drafted, 'active', 'ann', LATER));
    assert.ok(state.plan.escalations[0]?.error?.startsWith('éé'));
    assert.ok(!JSON.stringify(state.members).includes('é'));
  });

  it('is not kept by tasks that depend on it', () => {
    const failed = news(1, { status: 'failed', error: LONG_ERROR });
    const { state } = takeUpstream(aState({}, [news(0)]), failed, LATER);
    assert.deepEqual([state.upstream[0]?.status, state.upstream[0]?.error], ['failed', null]);
  });

  it('is cut where it names outputs that are missing', () => {
    const names = Array.from({ length: 2_000 }, (_, number) => [`output_${number}`, 'string']);
    const outputs = Object.fromEntries(names) as Record<string, string>;
    const state = aState({ status: 'running', outputs });
    const { task } = mirrorIntent(state, announced(1, { status: 'completed' }), LATER).state;
    assert.ok(task.error !== null && keptBytes(task) <= most);
  });
});

describe('the checkpoints of a plan', () => {
  const large = (id: string, status: Checkpoint['status'] = 'pending'): Checkpoint => ({
    ...A_CHECKPOINT,
    id,
    status,
    approvers: Array.from({ length: 50 }, (_, number) => `${id} ${number} ${sized(180)}`),
  });

  it('are refused when those that were reached leave no room for them', () => {
    const reached = Array.from({ length: 50 }, (_, number) => large(`old ${number}`, 'approved'));
    const state = aPlan({ checkpoints: reached });
    const few = [large('new 0')];
    granted(addMembers(state, [], LIMITS.planTasks, LATER, few));
    const many = Array.from({ length: 10 }, (_, number) => large(`new ${number}`));
    const { code, field, accepted } = refused(addMembers(state, [], LIMITS.planTasks, LATER, many));
    assert.deepEqual([code, field], ['state_too_large', 'checkpoints']);
    assert.ok(accepted?.startsWith(`at most ${LIMITS.planBytes} bytes of JSON`), accepted);
  });

  it('are refused when there would be too many with those that were reached', () => {
    const many = (count: number, name: string, status: Checkpoint['status']) =>
      Array.from({ length: count }, (_, number) => ({
        ...A_CHECKPOINT,
        id: `${name} ${number}`,
        status,
      }));
    const state = aPlan({ checkpoints: many(LIMITS.planTasks - 1, 'old', 'approved') });
    granted(addMembers(state, [], LIMITS.planTasks, LATER, many(1, 'new', 'pending')));
    const { code, field, accepted } = refused(
      addMembers(state, [], LIMITS.planTasks, LATER, many(2, 'new', 'pending')),
    );
    assert.deepEqual(
      [code, field, accepted],
      ['invalid_plan', 'checkpoints', `at most ${LIMITS.planTasks} with those that were reached`],
    );
  });

  it('are refused if their question would be too large', () => {
    const groups = Array.from({ length: 100 }, (_, number) => `${number} ${'\u0001'.repeat(150)}`);
    const point = { ...A_CHECKPOINT, decision_rule: { eligible: { groups } } };
    const { code, field, accepted } = refused(
      addMembers(aPlan(), [], LIMITS.planTasks, LATER, [point]),
    );
    assert.deepEqual(
      [code, field, accepted],
      [
        'invalid_decision_rule',
        'decision_rule',
        `approvers and rule of at most ${LIMITS.contextBytes} bytes of JSON`,
      ],
    );
  });
});

describe('the inputs that a claim resolves', () => {
  const OUTPUT = { findings: sized(60 * KIB), other: sized(10 * KIB) };
  const done = news(1, { status: 'completed', output: OUTPUT });

  function wired(count: number) {
    const inputs = Array.from({ length: count }, (_, number) => [
      `in_${number}`,
      'research.findings',
    ]);
    const state = aState({ status: 'ready', inputs: Object.fromEntries(inputs) as never }, [
      news(0),
    ]);
    return takeUpstream(state, done, LATER).state;
  }

  it('are refused if together they are too large', () => {
    granted(checkClaim(wired(4), 'agent'));
    const { code, field, accepted, state } = refused(checkClaim(wired(5), 'agent'));
    assert.deepEqual(
      [code, field, accepted, state?.['phase_name']],
      [
        'state_too_large',
        'inputs',
        `inputs of at most ${WORKFLOW_LIMITS.upstreamBytes} bytes of JSON`,
        'review',
      ],
    );
    assert.ok(mayWaitForClaim(wired(5), 'agent'), 'as for other inputs that are not there');
  });

  it('are refused as well if the outputs together are too large to be kept', () => {
    const names = Array.from({ length: 5 }, (_, number) => `phase${number}`);
    const inputs = Object.fromEntries(names.map((name) => [name, `${name}.findings`]));
    const upstream = names.map((name) => news(0, { name, task_id: name }));
    const when = "tasks['phase4'].output.other";
    const rules = { ...NO_RULES, condition: { id: 'c', when } };
    const start = aState({ status: 'pending', inputs }, upstream, rules);
    const state = names.reduce(
      (known, name) => takeUpstream(known, { ...done, name, task_id: name }, LATER).state,
      start,
    );
    assert.equal(state.task.status, 'ready', 'the condition is judged by what it names');
    assert.ok(jsonBytes(state.upstream) <= WORKFLOW_LIMITS.upstreamBytes + 20 * KIB);
    assert.equal(refused(checkClaim(state, 'agent')).code, 'state_too_large');
  });
});
