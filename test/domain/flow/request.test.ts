import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { humanNode, type HumanNodeFields } from '../../../domain/flow/definition.js';
import { dataOf, questionAt, responseOf } from '../../../domain/flow/request.js';
import { inputRequestSchema } from '../../../contracts/suspension/requests.js';
import { settledRecordSchema } from '../../../contracts/suspension/suspension.js';

const REACHED = { workflow_state: 'approval', agent_id: 'agent-1', agent_module: 'deploys' };
const CONTEXT = { build: { version: '1.2', size: 3 }, secret: { key: 's3cr3t' } };

function asked(fields: Partial<HumanNodeFields> = {}) {
  const node = { name: 'gate', description: 'A gate', prompt: 'Go on?', ...fields };
  const question = questionAt(humanNode(node), CONTEXT, REACHED);
  inputRequestSchema.parse(question);
  return question;
}

describe('the question of a human node', () => {
  it('carries the whole request [JC-04, JC-11, JC-12]', () => {
    const metadata = { team: 'ops' };
    const question = asked({ timeout: 300_000, metadata, channel_hint: 'slack' });
    assert.deepEqual(question, {
      question: 'Go on?',
      response_type: 'choice',
      choices: [
        { value: 'approved', label: 'Approved' },
        { value: 'rejected', label: 'Rejected' },
      ],
      context: {
        visible_context: CONTEXT,
        node_name: 'gate',
        description: 'A gate',
        workflow_state: 'approval',
        agent_id: 'agent-1',
        agent_module: 'deploys',
        timeout: 300_000,
        timeout_outcome: 'timeout',
        metadata,
      },
      fallback_policy: 'fail',
      inherit_retry_policy: false,
      timeout_seconds: 300,
      channel_hint: 'slack',
    });
  });

  it('has the schema of the data, if there is one [JC-15, JC-36]', () => {
    const response_schema = { required: ['amount'] };
    assert.deepEqual(asked({ response_schema }).response_schema, response_schema);
    assert.ok(!('response_schema' in asked()));
  });

  for (const [what, fields, tier] of [
    ['no longer than its timeout', { timeout: 5_000, hibernate_after: 5_000 }, 'full_checkpoint'],
    ['longer than its timeout', { timeout: 4_999, hibernate_after: 5_000 }, 'live_wait'],
    ['there without a timeout', { timeout: null, hibernate_after: 1 }, 'live_wait'],
    ['not there, but hibernation is meant', { hibernate: true }, 'hibernate_intent'],
    [
      'reached, whatever else is meant',
      { timeout: 2, hibernate_after: 1, hibernate: true },
      'full_checkpoint',
    ],
  ] as const) {
    it(`says its tier where the threshold is ${what} [JC-57, JC-58, JC-59, AM-64]`, () => {
      const { hibernate = false, hibernate_after = null }: Partial<HumanNodeFields> = fields;
      const { context = {} } = asked(fields);
      const hints = {
        hibernate: context['hibernate'],
        hibernate_after: context['hibernate_after'],
      };
      assert.deepEqual({ ...hints, tier: context['tier'] }, { hibernate, hibernate_after, tier });
    });
  }

  it('says no tier where the node gives no hint', () => {
    assert.ok(!('tier' in (asked({ timeout: 5_000 }).context ?? {})));
  });

  it('never ends by itself without a timeout, whatever the platform does [JC-17]', () => {
    const { timeout_seconds, inherit_retry_policy, retry_policy } = asked();
    assert.deepEqual(
      [timeout_seconds, inherit_retry_policy, retry_policy],
      [undefined, false, undefined],
    );
  });

  it('waits whole seconds, and never less than it was told [AM-19]', () => {
    assert.equal(asked({ timeout: 1 }).timeout_seconds, 1);
    assert.equal(asked({ timeout: 1_001 }).timeout_seconds, 2);
  });

  it('lets nothing out of the process that it does not list [JC-16, JC-20]', () => {
    const prompt = 'Version {{build.version}} with {{secret.key}}?';
    const question = asked({ context_keys: ['build'], prompt });
    assert.equal(question.question, 'Version 1.2 with {{secret.key}}?');
    assert.ok(!JSON.stringify(question).includes('s3cr3t'));
    assert.deepEqual(asked({ context_keys: [] }).context?.['visible_context'], {});
  });

  it('asks by a function of the context as it is when the node is reached [JC-13]', () => {
    const prompt = ({ build }: Record<string, unknown>) => `Deploy ${JSON.stringify(build)}?`;
    assert.equal(asked({ prompt }).question, 'Deploy {"version":"1.2","size":3}?');
  });

  it('shows in a template what is missing or inherited as it is written', () => {
    const prompt = '{{build}} {{ build.size }} {{build.nothing}} {{__proto__}} {{build.size.x}}';
    const shown = '{"version":"1.2","size":3} 3 {{build.nothing}} {{__proto__}} {{build.size.x}}';
    assert.equal(asked({ prompt }).question, shown);
  });
});

describe('the response to a human node', () => {
  const record = settledRecordSchema.parse({
    id: '0b0e6e0c-9d6c-4b62-a64b-57d0a5a5a0b1',
    question: 'Go on?',
    response_type: 'choice',
    suspended_at: '2026-01-01T00:00:00.000Z',
    fallback_policy: 'fail',
    resolution: 'responded',
    settled_by: 'operator',
    settled_at: '2026-01-01T00:01:00.000Z',
    response: 'approved',
    responded_by: 'alice@example.com',
    submitted_by: 'alice',
  });

  it('says who decided what, and why', () => {
    const notes = { comment: 'Ship it!', data: { window: 'tonight' } };
    assert.deepEqual(responseOf({ ...record, ...notes }), {
      request_id: record.id,
      decision: 'approved',
      data: { window: 'tonight' },
      respondent: 'alice',
      comment: 'Ship it!',
    });
  });

  it('has no data without any, nor with what is none', () => {
    for (const metadata of [undefined, {}, { data: [1], comment: 5 }]) {
      const response = responseOf({ ...record, ...(metadata && { metadata }) });
      assert.deepEqual([response.data, response.comment], [{}, undefined]);
    }
  });

  it('goes into the context with who decided, which its data cannot claim [JC-44]', () => {
    const data = { respondent: 'mallory', decision: 'rejected', note: 1 };
    assert.deepEqual(dataOf(responseOf({ ...record, data })), {
      respondent: 'alice',
      decision: 'approved',
      note: 1,
    });
  });
});
