import { z } from 'zod';
import {
  agentHeartbeatSchema,
  agentStatusSchema,
  registerAgentSchema,
} from '../../../contracts/agent.js';
import type { AgentRecord } from '../../../contracts/agent.js';
import { nameSchema } from '../../../contracts/primitives.js';
import type { Gateway } from '../../gateway/types.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { naiveOrNull, naiveTime } from '../naive-time.js';

const AGENT = '/agents/:agentId';
const listQuery = z.object({
  status: agentStatusSchema.optional(),
  role_id: nameSchema.optional(),
});
const statusSchema = z.object({ status: agentStatusSchema });

/** A registration as the SDK parses it. */
function wireAgent(agent: AgentRecord) {
  const { registered_at, last_heartbeat_at } = agent;
  return {
    ...agent,
    registered_at: naiveTime(registered_at),
    last_heartbeat_at: naiveOrNull(last_heartbeat_at),
  };
}

/** Registrations and signs of life of agents (§1): no agent needs them to work. */
export function agentRoutes(gateway: Gateway): readonly DoorRoute[] {
  return [
    doorRoute({
      ...{ method: 'post', path: '/agents/register', access: 'agent', body: registerAgentSchema },
      handle: async ({ req, body }) =>
        wireAgent(await gateway.registerAgent(doorCaller(req), body)),
    }),
    doorRoute({
      ...{ method: 'get', path: '/agents', access: 'any', query: listQuery },
      handle: async ({ query }) => (await gateway.listAgents(query)).map(wireAgent),
    }),
    doorRoute({
      ...{ method: 'get', path: `${AGENT}/record`, access: 'any' },
      handle: async ({ req }) => wireAgent(await gateway.getAgent(String(req.params['agentId']))),
    }),
    doorRoute({
      ...{ method: 'post', path: `${AGENT}/heartbeat`, access: 'agent' },
      body: agentHeartbeatSchema,
      async handle({ req, body }) {
        const { at, next_at } = await gateway.beatAgent(String(req.params['agentId']), body);
        const [server_timestamp, next_heartbeat_at] = [at, next_at].map(naiveTime);
        return { status: 'ok', server_timestamp, next_heartbeat_at };
      },
    }),
    doorRoute({
      ...{ method: 'patch', path: `${AGENT}/status`, access: 'agent', body: statusSchema },
      handle: async ({ req, body: { status } }) =>
        wireAgent(await gateway.setAgentStatus(String(req.params['agentId']), status)),
    }),
  ];
}
