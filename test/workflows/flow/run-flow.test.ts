import type { temporal } from '@temporalio/proto';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Notes } from '../../../domain/suspension/answering/response.js';
import type { FlowEnd } from '../../../workflows/human/index.js';
import { atRest } from '../support/histories.js';
import { Agents, type AgentHandle } from '../support/agents.js';
import { respond } from '../support/suspensions.js';
import { perSuite } from '../support/world.js';

const TIMEOUT = '301 s';

type Metadata = temporal.api.sdk.v1.IWorkflowMetadata;

async function detailsOf(agent: AgentHandle): Promise<string> {
  const { currentDetails } = await agent.query<Metadata>('__temporal_workflow_metadata');
  return currentDetails ?? '';
}

async function endOf(agent: AgentHandle): Promise<FlowEnd> {
  return (await agent.result()) as FlowEnd;
}

describe('a flow with a human node', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  async function decide(agent: AgentHandle, value: string, notes: Notes = {}, nth = 1) {
    const view = (await agents.questions(agent, nth))[nth - 1];
    assert.ok(view);
    const answer = await agents.world.answer(view, value, `r:${view.id}:${value}`);
    await respond({ handle: agents.world.suspension(view.id) }, { ...answer, ...notes });
    return view;
  }

  it('suspends there, and goes on where the decision leads [JC-02, JC-05, JC-07, JC-10, JC-39]', async () => {
    const agent = await agents.run('deploys', { env: 'prod' });
    const { id, record } = await decide(agent, 'approved', { comment: 'Ship it!' });
    assert.equal(record.question, 'Deploy to production?');
    const { agent_id, agent_module } = record.context ?? {};
    assert.deepEqual([agent_id, agent_module], [agent.workflowId, 'deploys']);
    const { state, steps, context } = await endOf(agent);
    assert.equal(state, 'done');
    assert.deepEqual(steps, [
      { state: 'process', outcome: 'ok' },
      { state: 'approval', outcome: 'approved', request_id: id },
      { state: 'deploy', outcome: 'ok' },
    ]);
    assert.deepEqual(context['deploy_approval'], {
      decision: 'approved',
      respondent: 'alice',
      comment: 'Ship it!',
    });
  });

  it('gives what was answered to the node that follows [JC-44]', async () => {
    const agent = await agents.run('deploys', {});
    await decide(agent, 'approved', { data: { window: 'tonight' } });
    const { context } = await endOf(agent);
    const { from } = context['deploy'] as { from: { deploy_approval: JsonObject } };
    assert.equal(from.deploy_approval['window'], 'tonight');
  });

  it('takes the outcome of the timeout where nobody decides [JC-08, JC-17, JC-18]', async () => {
    const agent = await agents.run('deploys', {});
    const { id } = await agents.question(agent);
    await agents.world.sleep(TIMEOUT);
    const { state, steps, context } = await endOf(agent);
    assert.equal(state, 'failed');
    assert.deepEqual(steps.at(-1), { state: 'approval', outcome: 'timeout', request_id: id });
    assert.equal(context['deploy_approval'], undefined);
  });

  it('goes where errors lead if an action fails, and asks nobody [JC-09]', async () => {
    const agent = await agents.run('deploys', { broken: true });
    const { state, steps } = await endOf(agent);
    assert.equal(state, 'failed');
    assert.deepEqual(steps, [{ state: 'process', outcome: 'error', error: 'no build' }]);
  });

  it('goes where errors lead if a question cannot be asked', async () => {
    const agent = await agents.run('deploys', {}, { prompt: '{{nobody}}'.repeat(50_000) });
    const { state, steps } = await endOf(agent);
    assert.deepEqual(
      [state, steps.at(-1)?.state, steps.at(-1)?.outcome],
      ['failed', 'approval', 'error'],
    );
  });

  it('shows the person no other keys of the context [JC-16, JC-20]', async () => {
    const agent = await agents.run('deploys', { env: 'prod' }, { context_keys: ['env'] });
    const { record } = await decide(agent, 'rejected');
    assert.deepEqual(record.context?.['visible_context'], { env: 'prod' });
    assert.ok(!JSON.stringify(record).includes('s3cr3t'));
    assert.ok(JSON.stringify((await endOf(agent)).context).includes('s3cr3t'));
  });

  it('shows in the Temporal UI where it is', async () => {
    const agent = await agents.run('deploys', {});
    await agents.question(agent);
    await atRest(agent);
    const waiting = await detailsOf(agent);
    assert.match(waiting, /^\*\*deployment\*\* is in `approval`\n\n```mermaid\nstateDiagram-v2\n/);
    assert.match(waiting, /^ {2}class approval current$/m);
    await decide(agent, 'approved');
    await agent.result();
    assert.match(await detailsOf(agent), /is in `done`/);
  });

  it('comes to a node as often as it is led there [JC-13]', async () => {
    const agent = await agents.run('revises', { topic: 'tides' });
    const { record } = await decide(agent, 'revise', { comment: 'too short' });
    assert.equal(record.question, 'Is the text on "tides" good?');
    await decide(agent, 'good', {}, 2);
    const { steps, context } = await endOf(agent);
    assert.deepEqual(
      steps.map(({ state, outcome }) => [state, outcome]),
      [
        ['write', 'ok'],
        ['review', 'revise'],
        ['write', 'ok'],
        ['review', 'good'],
      ],
    );
    const after = { decision: 'revise', respondent: 'alice', comment: 'too short' };
    assert.deepEqual(context['write'], { after });
  });

  it('is where it was after its worker has died [JC-55, TM-13]', async () => {
    const agent = await agents.run('deploys', {});
    const view = await agents.question(agent);
    await agents.stopWorker();
    const answer = await agents.world.answer(view, 'approved');
    await respond({ handle: agents.world.suspension(view.id) }, answer);
    await agents.startWorker();
    assert.equal((await endOf(agent)).state, 'done');
  });
});
