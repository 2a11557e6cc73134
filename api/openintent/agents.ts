import { z } from 'zod';
import {
  agentHeartbeatSchema,
  agentStatusSchema,
  registerAgentSchema,
} from '../../contracts/agent.js';
import type { AgentRecord } from '../../contracts/agent.js';
import type { IntentEvent } from '../../contracts/event.js';
import { nameSchema } from '../../contracts/primitives.js';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Gateway } from '../gateway/index.js';
import { recordOf } from './records.js';
import type { Records, WireRecord } from './records.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { naiveOrNull, naiveTime } from './wire.js';

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
export function agentRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'post',
      path: '/agents/register',
      access: 'agent',
      body: registerAgentSchema,
      handle: async ({ req, body }) =>
        wireAgent(await gateway.registerAgent(openIntentCaller(req), body)),
    }),
    openIntentRoute({
      method: 'get',
      path: '/agents',
      access: 'any',
      query: listQuery,
      handle: async ({ query }) => (await gateway.listAgents(query)).map(wireAgent),
    }),
    openIntentRoute({
      method: 'get',
      path: `${AGENT}/record`,
      access: 'any',
      handle: async ({ req }) => wireAgent(await gateway.getAgent(String(req.params['agentId']))),
    }),
    openIntentRoute({
      method: 'post',
      path: `${AGENT}/heartbeat`,
      access: 'agent',
      body: agentHeartbeatSchema,
      async handle({ req, body }) {
        const { at, next_at } = await gateway.beatAgent(String(req.params['agentId']), body);
        const [server_timestamp, next_heartbeat_at] = [at, next_at].map(naiveTime);
        return { status: 'ok', server_timestamp, next_heartbeat_at };
      },
    }),
    openIntentRoute({
      method: 'patch',
      path: `${AGENT}/status`,
      access: 'agent',
      body: statusSchema,
      handle: async ({ req, body: { status } }) =>
        wireAgent(await gateway.setAgentStatus(String(req.params['agentId']), status)),
    }),
  ];
}

const AGENTS = '/intents/:intentId/agents';
const ASSIGNMENT_TYPES = ['agent_assigned', 'agent_unassigned'] as const;
const assignmentSchema = z.object({
  agent_id: nameSchema,
  role: nameSchema.nullish().transform((role) => role ?? 'worker'),
});

/** The event of an assignment by the server; one that an agent posts itself names no role. */
function isAssignment({ event_type, payload }: IntentEvent): boolean {
  return event_type === 'agent_assigned' && payload['role'] !== undefined;
}

/**
 * Who delegates: `delegate` of the SDK posts an event that says so, and assigns then, which does not. What is
 * posted counts for the next assignment of the agent by the same one.
 */
function delegationIn(events: readonly IntentEvent[], agentId: string, actor: string): JsonObject {
  const last = events.findLast(({ payload }) => payload['agent_id'] === agentId);
  if (last?.event_type !== 'agent_assigned' || isAssignment(last) || last.actor !== actor)
    return {};
  const { delegated_by } = last.payload;
  return typeof delegated_by === 'string' ? { delegated_by } : {};
}

function assignmentOf(event: IntentEvent): WireRecord {
  const { created_at: assigned_at = null, ...assignment } = recordOf(event);
  return { ...assignment, assigned_at };
}

/** Whoever is assigned last, and not taken off after that. */
function assignedIn(events: readonly IntentEvent[]): readonly IntentEvent[] {
  const ruling = events.filter(
    (event) => isAssignment(event) || event.event_type === 'agent_unassigned',
  );
  const last = new Map(ruling.map((event) => [event.payload['agent_id'], event]));
  return [...last.values()].filter(isAssignment);
}

/** The agents that are assigned to an intent (§1). */
export function assignmentRoutes(records: Records): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'get',
      path: AGENTS,
      access: 'any',
      async handle({ id }) {
        return assignedIn(await records.of(id('intentId'), ASSIGNMENT_TYPES)).map(assignmentOf);
      },
    }),
    openIntentRoute({
      method: 'post',
      path: AGENTS,
      access: 'any',
      body: assignmentSchema,
      async handle({ req, id, body }) {
        const caller = openIntentCaller(req);
        const events = await records.of(id('intentId'), ASSIGNMENT_TYPES);
        const delegation = delegationIn(events, body.agent_id, caller.openintent.actor);
        const assigned = { ...body, ...delegation };
        return assignmentOf(await records.add(caller, id('intentId'), 'agent_assigned', assigned));
      },
    }),
    openIntentRoute({
      method: 'delete',
      path: `${AGENTS}/:agentId`,
      access: 'any',
      async handle({ req, id }) {
        const agent_id = String(req.params['agentId']);
        await records.find('Assignment', id('intentId'), ASSIGNMENT_TYPES, (events) =>
          assignedIn(events).find(({ payload }) => payload['agent_id'] === agent_id),
        );
        await records.add(openIntentCaller(req), id('intentId'), 'agent_unassigned', { agent_id });
        return { message: 'Agent unassigned' };
      },
    }),
  ];
}
