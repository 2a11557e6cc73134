import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { InputOptions } from '../../../workflows/human/index.js';
import {
  cancelUpdate,
  expireNowSignal,
  operatorResponseSignal,
  withdrawSignal,
} from '../../../workflows/suspension/messages.js';
import { Agents, endsCancelled, failureOf, type AgentHandle } from '../support/agents.js';
import { goOnSignal } from '../support/agent-workflows.js';
import { refusalOf } from '../support/intents.js';
import { respond } from '../support/suspensions.js';
import { caller } from '../../support/callers.js';
import { perSuite } from '../support/world.js';

const QUESTION: InputOptions = { question: 'Refund?', response_type: 'confirm' };

describe('an agent in a workflow', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  describe('with a question that cannot be asked', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const [what, options, code, field] of [
      ['no options', null, 'invalid_request', undefined],
      ['no choices', { question: 'Refund?' }, 'invalid_choices', 'choices'],
      [
        'a hook that is no name [TM-12]',
        { ...QUESTION, hooks: { onInputReceived: 1 } },
        'invalid_request',
        'hooks.onInputReceived',
      ],
      [
        'an unknown hook',
        { ...QUESTION, hooks: { onAnswer: 'answered' } },
        'invalid_request',
        'hooks.onAnswer',
      ],
    ] as const) {
      it(`fails with ${code} for ${what}, and asks nobody`, async () => {
        const asked = agents.world.activities.notified.length;
        const agent = await agents.run('asks', options as unknown as InputOptions);
        const failure = await failureOf(agent);
        assert.deepEqual([failure.type, failure.nonRetryable], [code, true]);
        const [refusal] = failure.details as [{ code: string; field?: string }];
        assert.deepEqual([refusal.code, refusal.field], [code, field]);
        assert.equal(agents.world.activities.notified.length, asked);
      });
    }

    for (const [field, characters, code] of [
      ['choices', 3_000_000, 'body_too_large'],
      ['choices', 100_000, 'question_too_large'],
      ['context', 70_000, 'invalid_request'],
      ['hooks', 3_000_000, 'invalid_request'],
    ] as const) {
      it(`fails with ${code} for ${characters} characters in ${field}, and asks nobody`, async () => {
        const asked = agents.world.activities.notified.length;
        const agent = await agents.run('asksAtLength', QUESTION, field, characters);
        const failure = await failureOf(agent);
        assert.deepEqual([failure.type, failure.nonRetryable], [code, true]);
        const { events } = await agent.fetchHistory();
        const scheduled = events?.flatMap(
          ({ activityTaskScheduledEventAttributes: sent }) => sent?.input?.payloads ?? [],
        );
        const bytes = (scheduled ?? []).map(({ data }) => data?.length ?? 0);
        assert.ok(Math.max(0, ...bytes) <= LIMITS.bodyBytes);
        assert.equal(agents.world.activities.notified.length, asked);
      });
    }

    it('refuses an id and a reason that no Signal can carry', async () => {
      const long = await agents.run('awaits', 'x'.repeat(1_001));
      assert.equal((await failureOf(long)).type, 'suspension_not_found');
      const id = '00000000-0000-4000-8000-000000000000';
      const withdrawing = await agents.run('withdrawsAtLength', id, 2_001);
      assert.equal((await failureOf(withdrawing)).type, 'invalid_request');
    });

    it('finds no question under an id that nobody knows', async () => {
      const agent = await agents.run('awaits', '00000000-0000-4000-8000-000000000000');
      assert.equal((await failureOf(agent)).type, 'suspension_not_found');
    });
  });

  describe('whose question is withdrawn', () => {
    it('fails with it where nobody catches it, without its context [TM-08]', async () => {
      const agent = await agents.run('asks', { ...QUESTION, context: { order: '12345' } });
      const { id } = await agents.question(agent);
      const cancel = {
        by: caller('root', 'admin'),
      } as const;
      await agents.world.suspension(id).executeUpdate(cancelUpdate, { args: [cancel] });
      const failure = await failureOf(agent);
      assert.deepEqual([failure.type, failure.nonRetryable], ['InputCancelledError', true]);
      const [{ suspension }] = failure.details as [{ suspension: Record<string, unknown> }];
      assert.deepEqual([suspension['id'], suspension['settled_by']], [id, 'admin']);
      assert.equal(Object.hasOwn(suspension, 'context'), false);
    });

    it('gets it at the deadline of a portfolio too, past its fallback [AM-38]', async () => {
      const lax = { fallback_policy: 'complete_with_fallback', fallback_value: 'yes' } as const;
      const agent = await agents.run('tells', { ...QUESTION, ...lax });
      const { id, record } = await agents.question(agent);
      const due = { portfolio_id: id, deadline: record.suspended_at };
      await agents.world.suspension(id).signal(expireNowSignal, due);
      assert.deepEqual(await agent.result(), ['cancelled', 'portfolio_deadline_exceeded']);
    });

    it('withdraws it itself [AM-34]', async () => {
      const agent = await agents.run('withdraws', QUESTION);
      await agents.question(agent);
      await agent.signal(goOnSignal);
      const failure = await failureOf(agent);
      assert.deepEqual(
        [failure.type, failure.message],
        ['InputCancelledError', 'The question was withdrawn: found out'],
      );
    });
  });
});

describe('an agent in a workflow that is cancelled', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  async function asking(): Promise<{ agent: AgentHandle; id: string }> {
    const agent = await agents.run('asks', QUESTION);
    return { agent, id: (await agents.question(agent)).id };
  }

  /** How the question ended. */
  async function endOf(id: string) {
    const { resolution, settled_by, reason } = await agents.world.suspension(id).result();
    return [resolution, settled_by, reason];
  }

  it('withdraws its question, which takes no answer any more', async () => {
    const { agent, id } = await asking();
    agents.world.activities.storeIsDown = true;
    await agent.cancel();
    assert.equal(await endsCancelled(agent), true);
    const view = agents.world.activities.suspensionOf(id);
    assert.ok(view);
    const handle = agents.world.suspension(id);
    const refused = await refusalOf(respond({ handle }, await agents.world.answer(view, 'yes')));
    assert.deepEqual(
      [refused.code, refused.state?.['resolution']],
      ['suspension_settled', 'cancelled'],
    );
    agents.world.activities.storeIsDown = false;
    await agents.world.sleep('10 s');
    assert.deepEqual(await endOf(id), ['cancelled', 'agent', 'agent_cancelled']);
  });

  it('returns an answer that came before the cancellation', async () => {
    const { agent, id } = await asking();
    const view = agents.world.activities.suspensionOf(id);
    assert.ok(view);
    await agents.world.stopWorker();
    const handle = agents.world.suspension(id);
    await handle.signal(operatorResponseSignal, await agents.world.answer(view, 'yes'));
    await agent.cancel();
    await agents.world.startWorker();
    assert.equal(await agent.result(), 'yes');
    assert.deepEqual(await endOf(id), ['responded', 'operator', undefined]);
  });

  it('gets no answer that came after the withdrawal', async () => {
    const { agent, id } = await asking();
    const view = agents.world.activities.suspensionOf(id);
    assert.ok(view);
    await agents.world.stopWorker();
    const handle = agents.world.suspension(id);
    const withdrawal = { cancelled_by: agent.workflowId, settled_by: 'agent' } as const;
    await handle.signal(withdrawSignal, withdrawal);
    await handle.signal(operatorResponseSignal, await agents.world.answer(view, 'yes'));
    await agent.cancel();
    await agents.world.startWorker();
    assert.equal(await endsCancelled(agent), true);
    assert.deepEqual(await endOf(id), ['cancelled', 'agent', undefined]);
  });

  it('withdraws it where only the scope of the question is cancelled', async () => {
    const agent = await agents.run('impatient', QUESTION);
    const { id } = await agents.question(agent);
    await agents.world.sleep('61 s');
    assert.equal(await agent.result(), 'gave up');
    assert.deepEqual(await endOf(id), ['cancelled', 'agent', 'agent_cancelled']);
  });
});
