import { z } from 'zod';
import type { IntentEvent } from '../../../contracts/event.js';
import type { JsonObject } from '../../../contracts/json.js';
import { nameSchema } from '../../../contracts/primitives.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { recordOf } from '../records.js';
import type { Records, WireRecord } from '../records.js';

const AGENTS = '/intents/:intentId/agents';
const TYPES = ['agent_assigned', 'agent_unassigned'] as const;
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
export function assignmentRoutes(records: Records): readonly DoorRoute[] {
  return [
    doorRoute({
      ...{ method: 'get', path: AGENTS, access: 'any' },
      async handle({ id }) {
        return assignedIn(await records.of(id('intentId'), TYPES)).map(assignmentOf);
      },
    }),
    doorRoute({
      ...{ method: 'post', path: AGENTS, access: 'any', body: assignmentSchema },
      async handle({ req, id, body }) {
        const caller = doorCaller(req);
        const events = await records.of(id('intentId'), TYPES);
        const delegation = delegationIn(events, body.agent_id, caller.door.actor);
        const assigned = { ...body, ...delegation };
        return assignmentOf(await records.add(caller, id('intentId'), 'agent_assigned', assigned));
      },
    }),
    doorRoute({
      ...{ method: 'delete', path: `${AGENTS}/:agentId`, access: 'any' },
      async handle({ req, id }) {
        const agent_id = String(req.params['agentId']);
        await records.find('Assignment', id('intentId'), TYPES, (events) =>
          assignedIn(events).find(({ payload }) => payload['agent_id'] === agent_id),
        );
        await records.add(doorCaller(req), id('intentId'), 'agent_unassigned', { agent_id });
        return { message: 'Agent unassigned' };
      },
    }),
  ];
}
