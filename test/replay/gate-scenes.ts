import type { WorkflowHandle } from '@temporalio/client';
import { suspendedUpdate } from '../../workflows/human/index.js';
import { goOnSignal } from '../workflows/support/gated-agents.js';
import { callOf, type Gates } from '../workflows/support/gates.js';

/** Plays a way in which a turn with gated tools can go; gives the agents to keep, by the name of their history. */
export type GateScene = (gates: Gates) => Promise<Readonly<Record<string, WorkflowHandle>>>;

const SEARCH = callOf('search', { q: 'tides' });
const DEPLOY = callOf('deploy', { env: 'prod' });
const DELETE = callOf('delete', { id: 7 });

/** The ends of a turn of an agent that gates its tools in its own workflow. */
export const GATE_SCENES: Readonly<Record<string, GateScene>> = {
  async ungated(gates) {
    const agent = await gates.turn({ calls: [SEARCH] });
    await agent.result();
    return { 'gate-that-holds-nothing': agent };
  },
  async approved(gates) {
    const agent = await gates.turn({ calls: [DEPLOY, SEARCH], working_memory: { messages: [] } });
    await gates.decide(await gates.one(agent), 'approved');
    await agent.result();
    return { 'gate-approved': agent };
  },
  async edited(gates) {
    const agent = await gates.turn({ calls: [DEPLOY] });
    const edits = { call_id: 'call-deploy', arguments: { env: 'test' } };
    await gates.decide(await gates.one(agent), 'approved', {}, edits);
    await agent.result();
    return { 'gate-approved-with-an-edit': agent };
  },
  async rejected(gates) {
    const agent = await gates.turn({ calls: [DEPLOY, SEARCH] });
    await gates.decide(await gates.one(agent), 'rejected', { comment: 'Not today.' });
    await agent.result();
    return { 'gate-rejected': agent };
  },
  async 'rejected for all'(gates) {
    const calls = [DEPLOY, DELETE, SEARCH];
    const agent = await gates.turn({ calls, rejection_policy: 'cancel_siblings' });
    const [deploy] = await gates.open(agent, 2);
    if (deploy) await gates.decide(deploy, 'rejected');
    await agent.result();
    return { 'gate-whose-rejection-cancels-siblings': agent };
  },
  async 'per turn'(gates) {
    const agent = await gates.turn({ calls: [DEPLOY, DELETE, SEARCH], grouping: 'per_turn' });
    await gates.decide(await gates.one(agent), 'approved');
    await agent.result();
    return { 'gate-of-a-whole-turn': agent };
  },
  async policy(gates) {
    gates.act = ({ tool }) =>
      Promise.resolve(tool === 'policy' ? { require_approval: { reason: 'Looked up.' } } : 'done');
    const agent = await gates.turn({ calls: [SEARCH], policy: 'activity' });
    await gates.decide(await gates.one(agent), 'approved');
    await agent.result();
    return { 'gate-of-a-policy': agent };
  },
  async unanswered(gates) {
    const agent = await gates.turn({ calls: [DEPLOY] });
    await gates.one(agent);
    await gates.world.sleep('86401 s');
    await agent.result();
    return { 'gate-that-nobody-opens': agent };
  },
  async tampered(gates) {
    const agent = await gates.turn({ calls: [DEPLOY], tampers: true });
    const gate = await gates.one(agent);
    await gates.world.sleep('61 s');
    await gates.decide(gate, 'approved');
    await agent.result();
    return { 'gate-of-what-was-changed': agent };
  },
  async 'failing tool'(gates) {
    gates.act = () => Promise.reject(new Error('no disk'));
    const agent = await gates.turn({ calls: [DEPLOY] });
    await gates.decide(await gates.one(agent), 'approved');
    await agent.result();
    return { 'gate-of-a-tool-that-fails': agent };
  },
  async reported(gates) {
    const agent = await gates.start('reports', { calls: [DEPLOY] });
    const waiting = agent.executeUpdate(suspendedUpdate);
    await agent.signal(goOnSignal);
    await waiting;
    await gates.decide(await gates.one(agent), 'approved');
    await agent.result();
    return { 'gate-that-reports-its-run': agent };
  },
  async cancelled(gates) {
    const agent = await gates.turn({ calls: [DEPLOY] });
    await gates.one(agent);
    await agent.cancel();
    await agent.result().catch(() => undefined);
    return { 'gate-of-a-cancelled-agent': agent };
  },
};
