import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityStore } from '../../activities/ports/store.js';
import { prepareInput } from '../../activities/agent-calls.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { TOKEN } from '../support/secrets.js';

const NOW = new Date('2026-03-24T10:00:00.123Z');
const POLICY = { max_attempts: 3, interval_seconds: 600 };
const QUESTION = { question: 'Go?', response_type: 'confirm' };

type ByKey = Awaited<ReturnType<ActivityStore['answeringByKey']>>;

function activities(policy: object | null = null, byKey: () => Promise<ByKey> = async () => []) {
  const config = serverConfigSchema.parse({ suspension: { default_retry_policy: policy } });
  const dependencies = { config, now: () => NOW, store: { answeringByKey: byKey } };
  return { prepareInput: (request: unknown) => prepareInput(dependencies, request) };
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
  it('completes the question with the policy of the platform [R26-72]', async () => {
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

  it('warns of a rung that tells somebody who may not answer', async () => {
    const people = { alice: { email: 'alice@example.com' }, bob: { email: 'bob@example.com' } };
    const config = serverConfigSchema.parse({ directory: { people } });
    const dependencies = { config, now: () => NOW, store: { answeringByKey: async () => [] } };
    const rung = { attempt: 1, channel_hint: 'console', notify_to: 'bob' };
    const { warnings } = await prepareInput(dependencies, {
      ...QUESTION,
      decision_rule: { eligible: { principals: ['alice'] } },
      retry_policy: { max_attempts: 1, interval_seconds: 600, escalation_ladder: [rung] },
    });
    assert.deepEqual(warnings, ['The ladder notifies bob, who may not answer.']);
  });

  it('says whether its fallback could be an answer, so that no workflow has to judge it', async () => {
    const fallback = { timeout_seconds: 60, fallback_policy: 'complete_with_fallback' };
    const asked = ['yes', 'maybe'].map((fallback_value) =>
      activities().prepareInput({ ...QUESTION, ...fallback, fallback_value }),
    );
    const found = (await Promise.all(asked)).map(({ findings }) => findings);
    assert.deepEqual(
      found.map((findings) => findings?.fallback_value_valid),
      [undefined, false],
    );
    const warned = (await Promise.all(asked)).map(({ warnings }) => warnings);
    assert.deepEqual(warned, [[], ['No person could answer with the fallback value "maybe".']]);
  });

  it('refuses whom no key lets answer, as the API noted the keys', async () => {
    const finance = { space: 'default', principal: 'alice', groups: ['finance'] };
    const asking = (eligible: object, byKey: () => Promise<ByKey>) =>
      activities(null, byKey).prepareInput({ ...QUESTION, decision_rule: { eligible } });
    const noted = async () => [finance];
    await asking({ principals: ['alice'], groups: ['finance'] }, noted);
    for (const eligible of [{ principals: ['alicia'] }, { groups: ['legal'] }]) {
      const { type } = await failureOf(asking(eligible, noted));
      assert.equal(type, 'unknown_principal');
      // Where nothing was noted, or the store is away, it is asked, and the asker is told.
      for (const byKey of [async () => undefined, () => Promise.reject(new Error('away'))]) {
        const { warnings, findings } = await asking(eligible, byKey);
        assert.match(warnings.join(), /^Nobody has checked whether the names/);
        assert.deepEqual(findings?.warnings, warnings);
      }
    }
    const unnamed = await asking({}, () => Promise.reject(new Error('away')));
    assert.deepEqual(unnamed.warnings, []);
  });

  it('says when the question counts as asked', async () => {
    const { asked_at } = await activities().prepareInput(QUESTION);
    assert.equal(asked_at, NOW.toISOString());
  });

  it('leaves the policy of the platform out on request [AM-22]', async () => {
    const asked = { ...QUESTION, inherit_retry_policy: false };
    const { draft } = await activities(POLICY).prepareInput(asked);
    assert.equal(draft.retry_policy, undefined);
  });

  it('warns of a rung that is never reached', async () => {
    const retry_policy = {
      ...POLICY,
      escalation_ladder: [{ attempt: 9, channel_hint: 'console' }],
    };
    const { warnings } = await activities().prepareInput({ ...QUESTION, retry_policy });
    assert.match(warnings.join(), /attempt 9 never triggers/);
  });

  it('warns of channels that are not configured', async () => {
    const retry_policy = {
      ...POLICY,
      escalation_ladder: [{ attempt: 2, channel_hint: 'pager' }],
    };
    const asked = { ...QUESTION, channel_hint: 'console', retry_policy };
    const { warnings } = await activities().prepareInput(asked);
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), /channel pager is not configured.*configured: console/);
  });

  for (const [what, fields, field, accepted] of [
    ['a misspelt field', { timout_seconds: 60 }, 'timout_seconds', 'timeout_seconds'],
    ['a field in camelCase', { timeoutSeconds: 60 }, 'timeoutSeconds', 'timeout_seconds'],
    [
      'a misspelt field of a policy',
      { retry_policy: { ...POLICY, max_attemps: 2 } },
      'retry_policy.max_attemps',
      'max_attempts',
    ],
  ] as const) {
    it(`refuses ${what} with the name that was meant`, async () => {
      const failure = await failureOf(activities().prepareInput({ ...QUESTION, ...fields }));
      const [refusal] = failure.details as [Refusal];
      assert.deepEqual(
        [failure.type, failure.nonRetryable, refusal.field, refusal.accepted],
        ['invalid_request', true, field, accepted],
      );
    });
  }

  it('refuses for good, with code, field and what is accepted', async () => {
    const failure = await failureOf(activities().prepareInput({ question: 'Go?', choices: [] }));
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
