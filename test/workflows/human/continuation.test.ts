import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { InputOptions } from '../../../workflows/human/index.js';
import { lookUntil } from '../../support/looks.js';
import { Agents, type AgentHandle } from '../support/agents.js';
import { goOnSignal } from '../support/agent-workflows.js';
import { respond } from '../support/suspensions.js';
import { perSuite } from '../support/world.js';

const QUESTION: InputOptions = { question: 'Refund?', response_type: 'confirm' };

describe('an agent in a workflow that awaits later', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  async function answer(agent: AgentHandle): Promise<string> {
    const view = await agents.question(agent);
    await agents.world.respond(view, 'yes');
    return view.id;
  }

  it('gets an answer that came before it called awaitInput', async () => {
    const agent = await agents.run('holds', QUESTION);
    await answer(agent);
    await agent.signal(goOnSignal);
    assert.equal(await agent.result(), 'yes');
  });

  it('gets the answer to a question that an earlier run asked: parent continued as new', async () => {
    const agent = await agents.run('continues', { options: QUESTION });
    const { runId } = await agent.describe();
    await agents.question(agent);
    await agent.signal(goOnSignal);
    const now = agents.world.client.getHandle(agent.workflowId);
    await lookUntil(async () => (await now.describe()).runId !== runId, 'it is in its first run');
    await answer(agent);
    assert.equal(await agent.result(), 'yes');
  });

  it('gets in a new run what the earlier one had received, from the live suspension', async () => {
    const agent = await agents.run('continues', { options: QUESTION });
    await agents.question(agent);
    agents.world.activities.storeIsDown = true;
    await answer(agent);
    await agent.signal(goOnSignal);
    assert.equal(await agent.result(), 'yes');
    agents.world.activities.storeIsDown = false;
  });

  it('gets in a new run what the earlier one had received, from the store', async () => {
    const agent = await agents.run('continues', { options: QUESTION });
    const id = await answer(agent);
    await agents.world.suspension(id).result();
    await agent.signal(goOnSignal);
    assert.equal(await agent.result(), 'yes');
  });

  it('asks and hears as before where no worker remembers its questions', async () => {
    const agent = await agents.run('asksMany', [
      { ...QUESTION, hooks: { onInputRequested: 'asked', onInputReceived: 'answered' } },
      { question: 'Why?', response_type: 'text' },
    ]);
    for (const view of await agents.questions(agent, 2)) {
      const value = view.record.response_type === 'text' ? 'because' : 'yes';
      const handle = agents.world.suspension(view.id);
      await agents.world.withoutWorker(() => agents.stopWorker());
      await agents.startWorker();
      await respond({ handle }, await agents.world.answer(view, value));
    }
    assert.deepEqual(await agent.result(), ['yes', 'because']);
  });
});
