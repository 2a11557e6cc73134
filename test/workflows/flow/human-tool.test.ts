import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HumanToolResult } from '../../../workflows/human/index.js';
import { Agents } from '../support/agents.js';
import { respond } from '../support/suspensions.js';
import { perSuite } from '../support/world.js';

describe('a human node as a tool of a model', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  it('asks where the model calls it, and gives it the decision [JC-29]', async () => {
    const agent = await agents.run('advised', [{ message: 'Is this right?' }]);
    const { id, record } = await agents.question(agent);
    assert.equal(record.question, 'The agent asks: Is this right?');
    const { tool_call, visible_context } = record.context ?? {};
    assert.deepEqual(tool_call, { name: 'ask_person', input: { message: 'Is this right?' } });
    assert.deepEqual(visible_context, { topic: 'tides', message: 'Is this right?' });
    const answer = await agents.world.answer(await agents.question(agent), 'rejected');
    await respond({ handle: agents.world.suspension(id) }, { ...answer, comment: 'No.' });
    const [result] = (await agent.result()) as HumanToolResult[];
    assert.deepEqual(JSON.parse(result?.content ?? ''), {
      decision: 'rejected',
      respondent: 'alice',
      comment: 'No.',
    });
    assert.deepEqual([result?.is_error, result?.request_id], [false, id]);
  });

  it('says so where nobody decides in time [AM-65]', async () => {
    const agent = await agents.run('advised', [{ message: 'Well?' }]);
    await agents.question(agent);
    await agents.world.sleep('61 s');
    const [result] = (await agent.result()) as HumanToolResult[];
    assert.deepEqual([result?.content, result?.is_error], ['{"decision":"timeout"}', false]);
  });

  it('asks nobody by itself, nor for a call that does not fit [JC-29]', async () => {
    assert.deepEqual(await (await agents.run('advised', [])).result(), []);
    const wrong = [
      'text',
      null,
      7,
      [],
      {},
      { message: '' },
      { message: 'x', approve: true },
      { message: 'x'.repeat(2_000) },
      { message: `my key is AKIA${'A7'.repeat(8)}` },
    ];
    const agent = await agents.run('advised', wrong);
    const results = (await agent.result()) as HumanToolResult[];
    assert.deepEqual(
      results.map(({ is_error, request_id }) => [is_error, request_id]),
      wrong.map(() => [true, undefined]),
    );
    const { events } = await agent.fetchHistory();
    const asked = events?.some(
      (event) => event.startChildWorkflowExecutionInitiatedEventAttributes,
    );
    assert.equal(asked, false);
  });
});
