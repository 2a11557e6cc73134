import assert from 'node:assert/strict';
import { agentThatGets } from './support/recorded-agent.js';
import { describe, it } from 'mocha';
import { problemOf } from '../../api/http/problem.js';
import {
  HoldpointError,
  InputWiringError,
  MissingOutputError,
  OutputTypeMismatchError,
  UnresolvableInputError,
  UpstreamIntentSuspendedError,
  WorkflowError,
} from '../../client/index.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { EXAMPLES } from '../support/examples.js';

const STATE = { task_id: 'task', phase_name: 'report' };

async function thrownFor(refusal: Refusal): Promise<HoldpointError> {
  const problem = problemOf(refusal, 'request');
  const { agent } = agentThatGets(problem, problem.status);
  const error: unknown = await agent.plans.claimTask('task').catch((reason: unknown) => reason);
  assert.ok(error instanceof HoldpointError);
  return error;
}

describe('the errors of workflows in the client', () => {
  it('tell a suspended upstream from an input that is not there [R26-75, R26-76, R26-92]', async () => {
    const expected_resume_at = '2026-03-24T13:00:00.000Z';
    const state = { ...STATE, suspended_intent_id: 'intent', expected_resume_at };
    const error = await thrownFor({ code: 'upstream_intent_suspended', detail: 'waits', state });
    assert.ok(error instanceof UpstreamIntentSuspendedError);
    assert.ok(error instanceof WorkflowError);
    assert.equal(error instanceof UnresolvableInputError, false);
    const { task_id, phase_name, suspended_intent_id } = error;
    assert.deepEqual(
      { task_id, phase_name, suspended_intent_id },
      {
        ...STATE,
        suspended_intent_id: 'intent',
      },
    );
    assert.equal(error.expected_resume_at, expected_resume_at);
    assert.equal(error.name, 'UpstreamIntentSuspendedError');
    const endless = { ...state, expected_resume_at: null };
    const other = await thrownFor({
      code: 'upstream_intent_suspended',
      detail: 'waits',
      state: endless,
    });
    assert.ok(other instanceof UpstreamIntentSuspendedError);
    assert.equal(other.expected_resume_at, null);
  });

  it('carry what RFC-0024 lists', async () => {
    const unresolvable = await thrownFor({
      code: 'unresolvable_input',
      detail: '?',
      state: { ...STATE, unresolvable_refs: ['research.findings'] },
    });
    assert.ok(unresolvable instanceof UnresolvableInputError);
    assert.deepEqual(unresolvable.unresolvable_refs, ['research.findings']);
    const missing = await thrownFor({
      code: 'missing_output',
      detail: '?',
      state: { ...STATE, missing_keys: ['a'] },
    });
    assert.ok(missing instanceof MissingOutputError);
    assert.deepEqual(missing.missing_keys, ['a']);
    const mismatch = await thrownFor({
      code: 'output_type_mismatch',
      detail: '?',
      state: { ...STATE, key: 'a', expected_type: 'number', actual_type: 'string' },
    });
    assert.ok(mismatch instanceof OutputTypeMismatchError);
    const { key, expected_type, actual_type } = mismatch;
    assert.deepEqual([key, expected_type, actual_type], ['a', 'number', 'string']);
    const wiring = await thrownFor({
      code: 'input_wiring',
      detail: '?',
      state: { phase_name: 'report', invalid_refs: ['x.y'], suggestion: 'review' },
    });
    assert.ok(wiring instanceof InputWiringError);
    assert.deepEqual([wiring.invalid_refs, wiring.suggestion], [['x.y'], 'review']);
  });
});

describe('the client of plans', () => {
  it('sends each call where the API takes it', async () => {
    const { agent, sent } = agentThatGets(EXAMPLES.task);
    const { plans } = agent;
    await plans.createTask({ intent_id: 'intent', name: 'review' });
    await plans.getTask('a/b');
    await plans.patchTask('t', 3, { status: 'running' });
    await plans.claimTask('t', { wait: true });
    await plans.createPlan({ intent_id: 'intent' }, { idempotencyKey: 'key' });
    await plans.getPlan('p');
    await plans.createWorkflow({ title: 'Refund', phases: {} });
    await plans.getWorkflow('w');
    assert.deepEqual(
      sent.map(({ call }) => call),
      [
        'POST /v1/tasks',
        'GET /v1/tasks/a%2Fb',
        'PATCH /v1/tasks/t',
        'POST /v1/tasks/t/claim',
        'POST /v1/plans',
        'GET /v1/plans/p',
        'POST /v1/workflows',
        'GET /v1/workflows/w',
      ],
    );
    assert.equal(sent[2]?.headers.get('if-match'), '3');
    assert.equal(sent[4]?.headers.get('idempotency-key'), 'key');
    assert.notEqual(sent[6]?.headers.get('idempotency-key'), null);
  });
});
