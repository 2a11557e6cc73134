import type { WorkflowHandle } from '@temporalio/client';
import type { InputOptions } from '../../workflows/human/index.js';
import { cancelUpdate } from '../../workflows/suspension/messages.js';
import { caller } from '../support/callers.js';
import { goOnSignal } from '../workflows/support/agent-workflows.js';
import type { AgentHandle, Agents } from '../workflows/support/agents.js';
import { respond } from '../workflows/support/suspensions.js';
import { FLOW_SCENES } from './flow-scenes.js';

/** Plays a way in which `requestInput` can go; gives the agents to keep, by the name of their history. */
export type AgentScene = (agents: Agents) => Promise<Readonly<Record<string, WorkflowHandle>>>;

const QUESTION: InputOptions = { question: 'Refund?', response_type: 'confirm' };
const HOOKED: InputOptions = {
  ...QUESTION,
  context: { order: '12345' },
  hooks: {
    onInputRequested: 'asked',
    onInputReceived: 'answered',
    onSuspensionExpired: 'expired',
  },
};
const REMINDED: InputOptions = {
  ...HOOKED,
  retry_policy: { max_attempts: 2, interval_seconds: 600 },
};

async function answered(agents: Agents, agent: AgentHandle): Promise<string> {
  const view = await agents.question(agent);
  const handle = agents.world.suspension(view.id);
  await respond({ handle }, await agents.world.answer(view, 'yes'));
  return view.id;
}

const ended = (agent: AgentHandle) => agent.result().catch(() => undefined);

/** The ends of what an agent on Temporal asks in its own workflow: questions, flows, pauses. */
export const AGENT_SCENES: Readonly<Record<string, AgentScene>> = {
  ...FLOW_SCENES,
  async answered(agents) {
    const agent = await agents.run('asks', QUESTION);
    await answered(agents, agent);
    await agent.result();
    return { 'agent-answered': agent };
  },
  async hooked(agents) {
    const agent = await agents.run('asks', HOOKED);
    await answered(agents, agent);
    await agent.result();
    return { 'agent-with-hooks': agent };
  },
  async 'asked many'(agents) {
    const agent = await agents.run('asksMany', [HOOKED, QUESTION]);
    for (const view of await agents.questions(agent, 2)) {
      const handle = agents.world.suspension(view.id);
      await respond({ handle }, await agents.world.answer(view, 'yes'));
    }
    await agent.result();
    return { 'agent-with-two-questions': agent };
  },
  async reminded(agents) {
    const agent = await agents.run('tells', REMINDED);
    await agents.question(agent);
    await agents.world.sleep('601 s');
    await agents.world.sleep('601 s');
    await agent.result();
    return { 'agent-timed-out-after-a-reminder': agent };
  },
  async cancelled(agents) {
    const agent = await agents.run('tells', QUESTION);
    const { id } = await agents.question(agent);
    const cancel = { by: caller('root', 'admin'), reason: 'obsolete' } as const;
    await agents.world.suspension(id).executeUpdate(cancelUpdate, { args: [cancel] });
    await agent.result();
    return { 'agent-whose-question-was-cancelled': agent };
  },
  async refused(agents) {
    const agent = await agents.run('asks', { question: 'Refund?' });
    await ended(agent);
    return { 'agent-whose-question-was-refused': agent };
  },
  async withdrawn(agents) {
    const agent = await agents.run('withdraws', QUESTION);
    await agents.question(agent);
    await agent.signal(goOnSignal);
    await ended(agent);
    return { 'agent-that-withdraws': agent };
  },
  async impatient(agents) {
    const agent = await agents.run('impatient', QUESTION);
    await agents.question(agent);
    await agents.world.sleep('61 s');
    await agent.result();
    return { 'agent-that-gives-up': agent };
  },
  async 'cancelled itself'(agents) {
    const agent = await agents.run('asks', QUESTION);
    await agents.question(agent);
    await agent.cancel();
    await ended(agent);
    return { 'agent-cancelled': agent };
  },
  async 'awaited later'(agents) {
    const agent = await agents.run('holds', QUESTION);
    await answered(agents, agent);
    await agent.signal(goOnSignal);
    await agent.result();
    return { 'agent-that-awaits-later': agent };
  },
  async 'continued as new'(agents) {
    const agent = await agents.run('continues', { options: QUESTION });
    const { runId } = await agent.describe();
    await agents.question(agent);
    await agent.signal(goOnSignal);
    await answered(agents, agent);
    await agent.result();
    const first = agents.world.client.getHandle(agent.workflowId, runId);
    const last = agents.world.client.getHandle(agent.workflowId);
    return { 'agent-in-two-runs-1': first, 'agent-in-two-runs-2': last };
  },
  async 'answered before it continued'(agents) {
    const agent = await agents.run('continues', { options: QUESTION });
    const id = await answered(agents, agent);
    await agents.world.suspension(id).result();
    await agent.signal(goOnSignal);
    await agent.result();
    const last = agents.world.client.getHandle(agent.workflowId);
    return { 'agent-that-asks-what-became-of-it': last };
  },
  async unknown(agents) {
    const agent = await agents.run('awaits', '00000000-0000-4000-8000-000000000000');
    await ended(agent);
    return { 'agent-that-awaits-nothing': agent };
  },
};
