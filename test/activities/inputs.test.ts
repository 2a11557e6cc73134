import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { prepareInput, readInput } from '../../activities/inputs.js';
import { serverConfigSchema } from '../../contracts/config.js';
import type { Refusal } from '../../contracts/problem.js';
import type { SuspensionView } from '../../contracts/suspension-view.js';
import { ID, recordWith } from '../domain/samples.js';
import { TOKEN } from '../support/secrets.js';

const POLICY = { max_attempts: 3, interval_seconds: 600 };
const QUESTION = { question: 'Go?', response_type: 'confirm' };

function activities(policy: object | null = null, stored?: SuspensionView) {
  const config = serverConfigSchema.parse({ suspension: { default_retry_policy: policy } });
  return {
    prepareInput: (request: unknown) => prepareInput(config, request),
    readInput: (id: string) => readInput({ findSuspension: async () => stored }, id),
  };
}

async function failureOf(work: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApplicationFailure, String(error));
  return error;
}

describe('preparing what an agent on Temporal asks', () => {
  it('lays the policy of the platform under it [R26-72]', async () => {
    const { draft } = await activities(POLICY).prepareInput({
      ...QUESTION,
      retry_policy: { max_attempts: 2 },
    });
    assert.deepEqual(draft.retry_policy, {
      max_attempts: 2,
      interval_seconds: 600,
      strategy: 'fixed',
      escalation_ladder: [],
      final_fallback_policy: 'fail',
    });
    assert.deepEqual(
      draft.choices?.map(({ value }) => value),
      ['yes', 'no'],
    );
  });

  it('leaves the policy of the platform out where it is told to [AM-22]', async () => {
    const asked = { ...QUESTION, inherit_retry_policy: false };
    const { draft } = await activities(POLICY).prepareInput(asked);
    assert.equal(draft.retry_policy, undefined);
  });

  it('tells of a rung that is never reached', async () => {
    const retry_policy = {
      ...POLICY,
      escalation_ladder: [{ attempt: 9, channel_hint: 'console' }],
    };
    const { warnings } = await activities().prepareInput({ ...QUESTION, retry_policy });
    assert.match(warnings.join(), /attempt 9 never triggers/);
  });

  it('refuses for good, with code, field and what is accepted', async () => {
    const failure = await failureOf(activities().prepareInput({ question: 'Go?' }));
    const [refusal] = failure.details as [Refusal];
    assert.deepEqual(
      [failure.type, failure.nonRetryable, refusal.field, refusal.accepted],
      ['invalid_choices', true, 'choices', 'at least one choice'],
    );
  });

  it('refuses what looks like a credential, without repeating it [R25-101]', async () => {
    const context = { deploy: { token: TOKEN } };
    const failure = await failureOf(activities().prepareInput({ ...QUESTION, context }));
    const [refusal] = failure.details as [Refusal];
    const { type, nonRetryable } = failure;
    assert.deepEqual(
      [type, nonRetryable, refusal.field],
      ['secret_refused', true, 'context.deploy.token'],
    );
    assert.ok(!JSON.stringify([failure.message, failure.details]).includes(TOKEN));
  });

  it('refuses a name that nobody could have', async () => {
    const failure = await failureOf(activities().prepareInput({ ...QUESTION, asked_by: ' ' }));
    const [refusal] = failure.details as [Refusal];
    assert.deepEqual([failure.type, refusal.field], ['invalid_request', 'asked_by']);
  });
});

describe('reading a past question for an agent on Temporal', () => {
  it('gives record and attempt', async () => {
    const record = recordWith();
    const stored = { record, attempt: 2 } as SuspensionView;
    assert.deepEqual(await activities(null, stored).readInput(ID), { record, attempt: 2 });
  });

  it('fails for good where the store has none', async () => {
    const failure = await failureOf(activities().readInput(ID));
    assert.deepEqual([failure.type, failure.nonRetryable], ['suspension_not_found', true]);
  });
});
