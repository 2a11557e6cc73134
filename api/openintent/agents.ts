import { z } from 'zod';
import {
  agentHeartbeatSchema,
  agentStatusSchema,
  registerAgentSchema,
  type AgentRecord,
} from '../../contracts/agent/agent.js';
import { nameSchema } from '../../contracts/kernel/primitives.js';
import type { Binding } from '../http/route.js';
import {
  beatAgent,
  getAgent,
  listAgents,
  registerAgent,
  setAgentStatus,
} from '../usecases/agent/agents.js';
import { openIntentRoute } from './route.js';
import { naiveTime, withNaiveTimes } from './wire.js';

const listQuery = z.object({
  status: agentStatusSchema.optional(),
  role_id: nameSchema.optional(),
});
const statusSchema = z.object({ status: agentStatusSchema });

function wireAgent(agent: AgentRecord) {
  return withNaiveTimes(agent, ['registered_at', 'last_heartbeat_at']);
}

/** Registrations and heartbeats of agents. No agent needs them to work. */
export const AGENT_ROUTES: readonly Binding[] = [
  openIntentRoute(registerAgent, 'POST /agents/register', {
    body: registerAgentSchema,
    handle: async ({ run, body }) => wireAgent(await run(body)),
  }),
  openIntentRoute(listAgents, 'GET /agents', {
    query: listQuery,
    handle: async ({ run, query }) => (await run(query)).map(wireAgent),
  }),
  openIntentRoute(getAgent, 'GET /agents/:agent/record', {
    handle: async ({ run, id }) => wireAgent(await run(id('agent'))),
  }),
  openIntentRoute(beatAgent, 'POST /agents/:agent/heartbeat', {
    body: agentHeartbeatSchema,
    async handle({ run, id, body }) {
      const { at, next_at } = await run(id('agent'), body);
      const [server_timestamp, next_heartbeat_at] = [at, next_at].map(naiveTime);
      return { status: 'ok', server_timestamp, next_heartbeat_at };
    },
  }),
  openIntentRoute(setAgentStatus, 'PATCH /agents/:agent/status', {
    body: statusSchema,
    handle: async ({ run, id, body: { status } }) => wireAgent(await run(id('agent'), status)),
  }),
];
