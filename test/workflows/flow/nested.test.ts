import type { temporal } from '@temporalio/proto';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { childNewsSignal, childrenQuery } from '../../../workflows/flow/nested.js';
import type { FlowEnd } from '../../../workflows/human/index.js';
import { atRest } from '../support/histories.js';
import { Agents, type AgentHandle } from '../support/agents.js';
import { respond } from '../support/suspensions.js';
import { perSuite } from '../support/world.js';

type Metadata = temporal.api.sdk.v1.IWorkflowMetadata;

/** The last line of what a workflow shows in Temporal's UI. */
async function lastLineOf(agent: AgentHandle): Promise<string | undefined> {
  const { currentDetails } = await agent.query<Metadata>('__temporal_workflow_metadata');
  return currentDetails?.split('\n').at(-1);
}

async function endOf(agent: AgentHandle): Promise<FlowEnd> {
  return (await agent.result()) as FlowEnd;
}

describe('a flow in a flow', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  /** The question of the inner flow, once the outer flow has noted it. */
  async function waiting(agent: AgentHandle) {
    const inner = await agents.innerFlow(agent, 'outer.inner');
    const view = await agents.question(inner);
    await atRest(inner);
    await atRest(agent);
    const [ref, ...others] = await agent.query(childrenQuery);
    assert.deepEqual(others, []);
    assert.ok(ref);
    return { inner, view, ref };
  }

  const decide = async (view: Awaited<ReturnType<typeof waiting>>['view'], value: string) => {
    const answer = await agents.world.answer(view, value, `r:${view.id}`);
    await respond({ handle: agents.world.suspension(view.id) }, answer);
  };

  it('gets the keys that it may see, and its end is an outcome of the node [JC-71, AM-69]', async () => {
    const agent = await agents.run('nests', { env: 'prod', other: 'kept-outside' }, 'deploys');
    const { view, inner } = await waiting(agent);
    assert.ok(!JSON.stringify(view.record).includes('kept-outside'));
    assert.ok(!JSON.stringify(await inner.fetchHistory()).includes('kept-outside'));
    await decide(view, 'approved');
    const { state, steps, context } = await endOf(agent);
    assert.deepEqual([state, steps], ['done', [{ state: 'inner', outcome: 'done' }]]);
    const { deploy_approval } = context['release'] as { deploy_approval: JsonObject };
    assert.equal(deploy_approval['decision'], 'approved');
  });

  it('is seen from outside while it waits, and after it [JC-64, JC-65, AM-69]', async () => {
    const agent = await agents.run('nests', {}, 'deploys');
    const { view, inner, ref } = await waiting(agent);
    const { checkpoint_key, ...rest } = ref;
    assert.equal(checkpoint_key, (await inner.describe()).runId);
    const known = {
      agent_module: 'deploys',
      agent_id: inner.workflowId,
      tag: 'outer.inner',
      suspension_id: view.id,
      status: 'paused',
    };
    assert.deepEqual(rest, known);
    const line = `- \`${inner.workflowId}\`: `;
    assert.equal(await lastLineOf(agent), `${line}paused, waits for question ${view.id}`);
    await decide(view, 'rejected');
    await agent.result();
    assert.equal(await lastLineOf(agent), `${line}completed`);
    const over = { ...ref, suspension_id: null, status: 'completed' };
    assert.deepEqual(await agent.query(childrenQuery), [over]);
  });

  it('is marked as hibernated once its wait is long by its own threshold [JC-59, JC-65, JC-69]', async () => {
    const agent = await agents.run('nests', {}, 'deploysLong');
    const { view, ref } = await waiting(agent);
    assert.equal(view.record.context?.['tier'], 'full_checkpoint');
    assert.deepEqual([ref.status, ref.suspension_id], ['hibernated', view.id]);
    await agents.world.sleep('301 s');
    assert.deepEqual((await endOf(agent)).steps, [{ state: 'inner', outcome: 'failed' }]);
  });

  it('gets its answer after the worker of both has died, and the outer one its end [JC-70]', async () => {
    const agent = await agents.run('nests', {}, 'deploysLong');
    const { view } = await waiting(agent);
    await agents.stopWorker();
    await decide(view, 'approved');
    await agents.startWorker();
    assert.equal((await endOf(agent)).state, 'done');
  });

  it('leaves the outer flow where it was, whatever is said of it [JC-71, AM-69, TM-17]', async () => {
    const agent = await agents.run('nests', {}, 'deploys');
    const { view, ref } = await waiting(agent);
    const news = { agent_id: ref.agent_id, suspension_id: null, status: 'running' } as const;
    await agent.signal(childNewsSignal, news);
    await agent.signal(childNewsSignal, { ...news, agent_id: 'nobody' });
    await agent.signal(childNewsSignal, { ...news, status: 'completed' } as never);
    await atRest(agent);
    const [told, ...others] = await agent.query(childrenQuery);
    assert.deepEqual([told?.status, others], ['running', []]);
    await decide(view, 'approved');
    assert.equal((await endOf(agent)).state, 'done');
  });

  it('withdraws its question where the outer flow is cancelled', async () => {
    const agent = await agents.run('nests', {}, 'deploys');
    const { view } = await waiting(agent);
    await agent.cancel();
    await assert.rejects(agent.result(), /WorkflowFailedError: Workflow execution cancelled/);
    const { resolution } = await agents.world.suspension(view.id).result();
    assert.equal(resolution, 'cancelled');
  });

  it('is an error of its node where it is cancelled on its own', async () => {
    const agent = await agents.run('nests', {}, 'deploys');
    const { inner } = await waiting(agent);
    await inner.cancel();
    const { state, steps } = await endOf(agent);
    assert.deepEqual([state, steps[0]?.outcome], ['failed', 'error']);
    assert.equal((await agent.query(childrenQuery))[0]?.status, 'failed');
  });

  it('is an error of its node where it ends in a state that is not announced', async () => {
    const { steps } = await endOf(await agents.run('nests', {}, 'strays'));
    assert.match(steps[0]?.error ?? '', /ended in no state of: done, failed/);
  });
});
