import { z } from 'zod';
import {
  agentHeartbeatSchema,
  agentStatusSchema,
  registerAgentSchema,
} from '../../contracts/agent.js';
import type { AgentRecord } from '../../contracts/agent.js';
import { nameSchema } from '../../contracts/primitives.js';
import type { Binding } from '../http/route.js';
import { AGENTS } from '../operations/agent.js';
import { openIntentRoute } from './route.js';
import { naiveTime, withNaiveTimes } from './wire.js';

const AGENT = '/agents/:agent';
const listQuery = z.object({
  status: agentStatusSchema.optional(),
  role_id: nameSchema.optional(),
});
const statusSchema = z.object({ status: agentStatusSchema });

/** A registration as the SDK parses it. */
function wireAgent(agent: AgentRecord) {
  return withNaiveTimes(agent, ['registered_at', 'last_heartbeat_at']);
}

/** Registrations and heartbeats of agents: no agent needs them to work. */
export const AGENT_ROUTES: readonly Binding[] = [
  openIntentRoute(AGENTS.registerAgent, {
    method: 'post',
    path: '/agents/register',
    body: registerAgentSchema,
    handle: async ({ run, body }) => wireAgent(await run(body)),
  }),
  openIntentRoute(AGENTS.listAgents, {
    method: 'get',
    path: '/agents',
    query: listQuery,
    handle: async ({ run, query }) => (await run(query)).map(wireAgent),
  }),
  openIntentRoute(AGENTS.getAgent, {
    method: 'get',
    path: `${AGENT}/record`,
    handle: async ({ run, id }) => wireAgent(await run(id('agent'))),
  }),
  openIntentRoute(AGENTS.beatAgent, {
    method: 'post',
    path: `${AGENT}/heartbeat`,
    body: agentHeartbeatSchema,
    async handle({ run, id, body }) {
      const { at, next_at } = await run(id('agent'), body);
      const [server_timestamp, next_heartbeat_at] = [at, next_at].map(naiveTime);
      return { status: 'ok', server_timestamp, next_heartbeat_at };
    },
  }),
  openIntentRoute(AGENTS.setAgentStatus, {
    method: 'patch',
    path: `${AGENT}/status`,
    body: statusSchema,
    handle: async ({ run, id, body: { status } }) => wireAgent(await run(id('agent'), status)),
  }),
];
