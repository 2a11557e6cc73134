import type { PauseOptions } from '../../workflows/human/index.js';
import { withdrawSignal } from '../../workflows/suspension/messages.js';
import { caller } from '../support/callers.js';
import type { AgentHandle, Agents } from '../workflows/support/agents.js';
import { respond } from '../workflows/support/suspensions.js';
import type { AgentScene } from './agent-scenes.js';

const JOB: PauseOptions = {
  reason: 'external_job',
  resume_signal: 'job_done',
  resumable_by: ['job-runner'],
  timeout_seconds: 600,
};

/** A person decides on what an agent, or a flow within its flow, asks. */
async function decided(agents: Agents, agent: AgentHandle, decision: string): Promise<void> {
  const view = await agents.question(agent);
  const handle = agents.world.suspension(view.id);
  await respond({ handle }, await agents.world.answer(view, decision));
}

/** Starts an agent that pauses: nobody is notified. */
async function paused(agents: Agents): Promise<AgentHandle> {
  agents.world.activities.deliver = () => Promise.reject(new Error('nobody is to be notified'));
  return agents.run('pauses', JOB);
}

async function withdrawn(agents: Agents, agent: AgentHandle): Promise<void> {
  const { id } = await agents.question(agent);
  const cancel = { cancelled_by: 'root', settled_by: 'admin', reason: 'no need' } as const;
  await agents.world.suspension(id).signal(withdrawSignal, cancel);
}

/** The ends of flows with a human node, and of pauses, in the workflow of an agent. */
export const FLOW_SCENES: Readonly<Record<string, AgentScene>> = {
  async 'flow approved'(agents) {
    const agent = await agents.run('deploys', { env: 'prod' });
    await decided(agents, agent, 'approved');
    await agent.result();
    return { 'flow-approved': agent };
  },
  async 'flow rejected'(agents) {
    const agent = await agents.run('deploysLong', {});
    await decided(agents, agent, 'rejected');
    await agent.result();
    return { 'flow-rejected': agent };
  },
  async 'flow timed out'(agents) {
    const agent = await agents.run('deploys', {});
    await agents.question(agent);
    await agents.world.sleep('301 s');
    await agent.result();
    return { 'flow-timed-out': agent };
  },
  async 'flow with an error'(agents) {
    const agent = await agents.run('deploys', { broken: true });
    await agent.result();
    return { 'flow-with-a-failed-action': agent };
  },
  async 'flow withdrawn'(agents) {
    const agent = await agents.run('deploys', {});
    await withdrawn(agents, agent);
    await agent.result();
    return { 'flow-whose-question-was-withdrawn': agent };
  },
  async 'flow cancelled'(agents) {
    const agent = await agents.run('deploys', {});
    await agents.question(agent);
    await agent.cancel();
    await agent.result().catch(() => undefined);
    return { 'flow-cancelled': agent };
  },
  async 'flow with a loop'(agents) {
    const agent = await agents.run('revises', { topic: 'tides' });
    await decided(agents, agent, 'revise');
    const [, second] = await agents.questions(agent, 2);
    if (!second) throw new Error('no second question');
    const handle = agents.world.suspension(second.id);
    await respond({ handle }, await agents.world.answer(second, 'good'));
    await agent.result();
    return { 'flow-with-a-loop': agent };
  },
  async 'flow in a flow'(agents) {
    const agent = await agents.run('nests', { env: 'prod' }, 'deploys');
    const inner = await agents.innerFlow(agent, 'outer.inner');
    await decided(agents, inner, 'approved');
    await agent.result();
    return { 'flow-around-another': agent, 'flow-within-another': inner };
  },
  async advised(agents) {
    const agent = await agents.run('advised', [{ message: 'High or low?' }, { wrong: true }]);
    await decided(agents, agent, 'approved');
    await agent.result();
    return { 'flow-tool-of-a-model': agent };
  },
  async 'pause resumed'(agents) {
    const agent = await paused(agents);
    const view = await agents.question(agent);
    const by = caller('job-runner');
    const answer = await agents.world.answer(view, { url: 'https://builds.test/7' });
    const resumed = { ...answer, by, responded_by: by.principal, resume_signal: 'job_done' };
    await respond({ handle: agents.world.suspension(view.id) }, resumed);
    await agent.result();
    return { 'pause-resumed': agent };
  },
  async 'pause timed out'(agents) {
    const agent = await paused(agents);
    await agents.question(agent);
    await agents.world.sleep('601 s');
    await agent.result();
    return { 'pause-timed-out': agent };
  },
  async 'pause withdrawn'(agents) {
    const agent = await paused(agents);
    await withdrawn(agents, agent);
    await agent.result().catch(() => undefined);
    return { 'pause-withdrawn': agent };
  },
};
