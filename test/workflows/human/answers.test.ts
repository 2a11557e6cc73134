import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { InputOptions } from '../../../workflows/human/index.js';
import { Agents } from '../support/agents.js';
import { timelineOf } from '../support/suspensions.js';
import { perSuite } from '../support/world.js';

const CHOICES = [
  { value: 'approve', label: 'Approve refund' },
  { value: 'deny', label: 'Deny refund' },
];
const QUESTION: InputOptions = { question: 'Refund?', choices: CHOICES };
const WINDOW = { timeout_seconds: 3_600 };

describe('requestInput in a workflow', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  async function answer(agent: Awaited<ReturnType<Agents['run']>>, value: JsonValue) {
    const view = await agents.question(agent);
    await agents.world.respond(view, value);
    return view;
  }

  for (const [type, options, value] of [
    ['choice', { choices: CHOICES }, 'approve'],
    ['confirm', { response_type: 'confirm' }, 'no'],
    ['text', { response_type: 'text' }, 'as you like'],
    [
      'form',
      { response_type: 'form', response_schema: { type: 'object' } },
      { amount: 12, notes: [null] },
    ],
  ] as const) {
    it(`returns the value of a ${type} [R25-87, R25-89]`, async () => {
      const agent = await agents.run('asks', { question: 'Refund?', ...options });
      await answer(agent, value);
      assert.deepEqual(await agent.result(), value);
    });
  }

  it('asks under its own name, and stores its arguments [R25-88]', async () => {
    const context = { order: '12345' };
    const decision = { confidence: 0.4, context, channel_hint: 'console' };
    const agent = await agents.run('asks', { ...QUESTION, ...decision });
    const view = await answer(agent, 'deny');
    await agent.result();
    assert.equal(view.intent_id, null);
    assert.equal(view.asked_by, agent.workflowId);
    assert.equal(view.record.confidence_at_suspension, 0.4);
    assert.deepEqual(view.record.context, context);
    const [opened] = await timelineOf({ handle: agents.world.suspension(view.id) }, 'opened');
    assert.deepEqual(opened?.detail, { asked_by: agent.workflowId, workflow_id: agent.workflowId });
  });

  it('asks at the instant at which its question was checked', async () => {
    const { activities } = agents.world;
    const prepare = activities.prepareInput;
    const asked_at = '2026-03-24T10:00:00.123Z';
    activities.prepareInput = async (request) => ({ ...(await prepare(request)), asked_at });
    await agents.world.withoutWorker(() => Promise.resolve());
    const agent = await agents.run('asks', QUESTION);
    const view = await answer(agent, 'deny');
    activities.prepareInput = prepare;
    await agents.world.withoutWorker(() => Promise.resolve());
    await agent.result();
    assert.equal(view.record.suspended_at, asked_at);
    assert.equal(view.schedule.attempts[0]?.at, asked_at);
  });
});

describe('requestInput in a workflow, where nobody answers', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  it('throws InputTimeoutError after the last attempt [R25-90, TM-08]', async () => {
    const retry_policy = { max_attempts: 3, interval_seconds: 600 };
    const agent = await agents.run('tells', { ...QUESTION, retry_policy });
    const view = await agents.question(agent);
    await agents.world.sleep('1801 s');
    assert.deepEqual(await agent.result(), ['timeout', 3, view.id]);
  });

  for (const fallback_policy of ['complete_with_fallback', 'use_default_and_continue'] as const) {
    it(`returns the value of ${fallback_policy} [R25-57, R25-58]`, async () => {
      const fallback = { ...WINDOW, fallback_policy, fallback_value: 'deny' };
      const agent = await agents.run('asks', { ...QUESTION, ...fallback });
      await agents.question(agent);
      await agents.world.sleep('3601 s');
      assert.equal(await agent.result(), 'deny');
    });
  }
});
