import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { InputOptions } from '../../../workflows/human/index.js';
import { Agents, failureOf } from '../support/agents.js';
import { respond } from '../support/suspensions.js';
import { perSuite } from '../support/world.js';

const HOOKS = {
  onInputRequested: 'asked',
  onInputReceived: 'answered',
  onSuspensionExpired: 'expired',
};
const RETRY = {
  max_attempts: 2,
  interval_seconds: 600,
  escalation_ladder: [{ attempt: 2, channel_hint: 'console', notify_to: 'bob@example.com' }],
};
const QUESTION: InputOptions = {
  question: 'Refund?',
  response_type: 'confirm',
  context: { order: '12345' },
  hooks: HOOKS,
};

describe('hooks of an agent in a workflow', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));
  afterEach(() => {
    agents.called.length = 0;
    agents.hook = () => Promise.resolve();
  });

  async function answer(id: string): Promise<void> {
    const view = agents.world.activities.suspensionOf(id);
    assert.ok(view);
    const handle = agents.world.suspension(id);
    await respond({ handle }, await agents.world.answer(view, 'yes'));
  }

  it('run on its own task queue, in order, each with its key [R25-93, R25-94, TM-09]', async () => {
    const agent = await agents.run('asks', QUESTION);
    const { id } = await agents.question(agent);
    await answer(id);
    assert.equal(await agent.result(), 'yes');
    assert.deepEqual(
      agents.called.map(({ activity, event }) => [activity, event.idempotency_key]),
      [
        ['asked', `${id}:1:onInputRequested`],
        ['answered', `${id}:1:onInputReceived`],
      ],
    );
    const [asked, answered] = agents.called.map(({ event }) => event);
    assert.deepEqual(asked?.suspension.context, { order: '12345', _attempt: 1, _max_attempts: 1 });
    assert.equal(asked.response, undefined);
    const { value, choice_label, responded_by } = answered?.response ?? {};
    assert.deepEqual([value, choice_label, responded_by], ['yes', 'Yes', 'alice']);
  });

  it('hear of reminders and of the end [R25-95, R26-60, R26-61, R26-62]', async () => {
    const agent = await agents.run('asks', { ...QUESTION, retry_policy: RETRY });
    await agents.question(agent);
    await agents.world.sleep('601 s');
    await agents.world.sleep('600 s');
    assert.equal((await failureOf(agent)).type, 'InputTimeoutError');
    assert.deepEqual(
      agents.called.map(({ activity, event: { suspension } }) => [
        activity,
        suspension.context._attempt,
        suspension.notify_to,
      ]),
      [
        ['asked', 1, null],
        ['asked', 2, 'bob@example.com'],
        ['expired', 2, 'bob@example.com'],
      ],
    );
  });

  it('change nothing where they fail [TM-09]', async () => {
    agents.hook = () => Promise.reject(new Error('the hook is broken'));
    const agent = await agents.run('asks', QUESTION);
    const { id } = await agents.question(agent);
    await agents.world.sleep('10 s');
    await answer(id);
    await agents.world.sleep('10 s');
    assert.equal(await agent.result(), 'yes');
    const keys = agents.called.map(({ event }) => event.idempotency_key);
    assert.equal(keys.filter((key) => key.endsWith('onInputReceived')).length, 3);
  });

  it('are not called for an agent that has none', async () => {
    const { hooks: _none, ...question } = QUESTION;
    const agent = await agents.run('asks', { ...question, retry_policy: RETRY });
    const { id } = await agents.question(agent);
    await agents.world.sleep('601 s');
    await answer(id);
    assert.equal(await agent.result(), 'yes');
    const { events } = await agent.fetchHistory();
    const signals = events?.filter((event) => event.workflowExecutionSignaledEventAttributes);
    assert.equal(signals?.length, 0);
  });
});
