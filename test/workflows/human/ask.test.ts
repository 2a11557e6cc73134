import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AnyAskResult } from '../../../contracts/suspension/ask.js';
import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import { caller } from '../../support/callers.js';
import { Agents, failureOf, type AgentHandle } from '../support/agents.js';
import { respond } from '../support/suspensions.js';
import { perSuite } from '../support/world.js';

type Answering = Parameters<typeof respond>[1];

const CHOICES = ['refund', { value: 'keep', label: 'Keep the money' }] as const;

describe('ask in a workflow', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  async function answer(agent: AgentHandle, value: JsonValue, more: Partial<Answering> = {}) {
    const view = await agents.question(agent);
    const handle = agents.world.suspension(view.id);
    await respond({ handle }, { ...(await agents.world.answer(view, value)), ...more });
    return view;
  }

  it('returns a yes with who said it, and why', async () => {
    const agent = await agents.run('asksShortly', 'Refund order #12345?');
    const { id, record } = await answer(agent, 'yes', {
      responded_by: 'alice',
      comment: 'paid twice',
    });
    const { at, ...result } = (await agent.result()) as AnyAskResult;
    assert.deepEqual(result, {
      value: 'yes',
      choice: { value: 'yes', label: 'Yes' },
      by: 'alice',
      comment: 'paid twice',
      is_fallback: false,
      suspension_id: id,
      approved: true,
    });
    assert.ok(Date.parse(at) >= Date.parse(record.suspended_at));
  });

  it('asks what its options say, in the words of the wire', async () => {
    const to = { groups: ['finance'], channel: 'console' };
    const remind = { every: '10m', times: 2 };
    const context = { order: '12345' };
    const options = { choices: CHOICES, to, remind, context, fallback: 'keep' } as const;
    const agent = await agents.run('asksShortly', 'Refund?', options);
    const by = { ...caller('alice', 'operator'), groups: ['finance'] };
    const { record, rule, schedule } = await answer(agent, 'refund', { by });
    assert.equal(record.response_type, 'choice');
    assert.deepEqual(record.choices, [{ value: 'refund', label: 'refund' }, CHOICES[1]]);
    assert.deepEqual(record.context, context);
    assert.deepEqual(rule.eligible, { principals: [], groups: ['finance'] });
    assert.deepEqual(
      schedule.attempts.map(({ channel_hint, notify_to }) => [channel_hint, notify_to]),
      [1, 2, 3].map(() => ['console', 'finance']),
    );
    const opened = Date.parse(record.suspended_at);
    assert.equal(Date.parse(schedule.expires_at ?? '') - opened, 1_800_000);
    await agent.result();
  });

  it('returns the fallback as nobody’s answer', async () => {
    const agent = await agents.run('asksShortly', 'Refund?', { timeout: '1h', fallback: 'no' });
    await agents.question(agent);
    await agents.world.sleep('3601 s');
    const result = (await agent.result()) as AnyAskResult;
    const { value, approved, by, is_fallback } = result;
    assert.deepEqual([value, approved, by, is_fallback], ['no', false, null, true]);
  });

  for (const [field, options] of [
    ['timeout', { timeout: 'soon' }],
    ['timeout_seconds', { timeout_seconds: 60 }],
    ['key', { key: 'refund-12345' }],
    ['signal', { signal: null }],
    ['space', { space: '' }],
  ] as const) {
    it(`fails with invalid_request for ${field}, and asks nobody`, async () => {
      const agent = await agents.run('asksShortly', 'Refund?', options as object);
      const { type, details } = await failureOf(agent);
      assert.equal(type, 'invalid_request');
      assert.equal((details?.[0] as { readonly field: string }).field, field);
      assert.deepEqual(await agents.questions(agent, 0), []);
    });
  }
});
