import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WORKFLOW_LIMITS } from '../../../contracts/constants/limits.js';
import type { InputOptions } from '../../../workflows/human/index.js';
import { Agents, type AgentHandle } from '../support/agents.js';
import { replay } from '../support/histories.js';
import { perSuite } from '../support/world.js';

const QUESTION: InputOptions = { question: 'Refund?', response_type: 'text' };
/** More than a delivery takes along, and less than a question may have. */
const LONG = WORKFLOW_LIMITS.handedOverBytes + 1_000;

describe('the opening of a question that an agent in a workflow asks', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  /** Answers the question of an agent, and returns which activities its workflow started. */
  async function activitiesOf(agent: AgentHandle): Promise<readonly string[]> {
    const view = await agents.question(agent);
    const handle = agents.world.suspension(view.id);
    await agents.world.respond(view, 'yes');
    await agent.result();
    await handle.result();
    const { events } = await handle.fetchHistory();
    return (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType?.name ?? [],
    );
  }

  it('is written by its first delivery', async () => {
    const agent = await agents.run('asks', QUESTION);
    assert.deepEqual(await activitiesOf(agent), ['notify']);
    await replay(agents.world.suspension((await agents.question(agent)).id));
  });

  it('is written with it too where the context is long, which a delivery has anyway', async () => {
    const agent = await agents.run('asksAtLength', QUESTION, 'context', 60_000);
    assert.deepEqual(await activitiesOf(agent), ['notify']);
  });

  it('is written by the question where the rest of it is too long', async () => {
    const agent = await agents.run('asksAtLength', QUESTION, 'fallback_value', LONG);
    assert.deepEqual((await activitiesOf(agent)).toSorted(), ['notify', 'writeJournal']);
  });
});
