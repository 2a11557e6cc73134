import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { InputOptions } from '../../../workflows/human/index.js';
import { Agents } from '../support/agents.js';

const QUESTION: InputOptions = { question: 'Refund?', response_type: 'confirm' };
/** Activities that Holdpoint's worker of workflows runs at once. */
const SLOTS = 2;

describe('agents in workflows while a channel hangs', () => {
  let agents: Agents;
  before(async () => {
    agents = await Agents.start({ on: 'dev server', maxConcurrentActivityTaskExecutions: SLOTS });
    agents.world.activities.deliver = agents.world.activities.hang;
  });
  after(() => agents.close());

  it('ask more questions than there are slots for activities, and get their answers', async () => {
    const asking = [];
    for (let asked = 0; asked <= SLOTS; asked += 1) {
      const agent = await agents.run('asks', QUESTION);
      asking.push({ agent, view: await agents.question(agent) });
    }
    for (const { agent, view } of asking) {
      await agents.world.respond(view, 'yes');
      assert.equal(await agent.result(), 'yes');
    }
  });
});
