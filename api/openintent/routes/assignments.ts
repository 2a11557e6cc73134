import { z } from 'zod';
import type { IntentEvent } from '../../../contracts/event.js';
import { nameSchema } from '../../../contracts/primitives.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { noSuch, recordOf } from '../records.js';
import type { Records, WireRecord } from '../records.js';

const AGENTS = '/intents/:intentId/agents';
const TYPES = ['agent_assigned', 'agent_unassigned'] as const;
const assignmentSchema = z.object({
  agent_id: nameSchema,
  role: nameSchema.nullish().transform((role) => role ?? 'worker'),
});

function assignmentOf(event: IntentEvent): WireRecord {
  const { created_at: assigned_at = null, ...assignment } = recordOf(event);
  return { ...assignment, assigned_at };
}

/** Whoever is assigned last, and not taken off after that. */
function assignedIn(events: readonly IntentEvent[]): readonly IntentEvent[] {
  const last = new Map(events.map((event) => [event.payload['agent_id'], event]));
  return [...last.values()].filter(({ event_type }) => event_type === 'agent_assigned');
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
        return assignmentOf(await records.add(caller, id('intentId'), 'agent_assigned', body));
      },
    }),
    doorRoute({
      ...{ method: 'delete', path: `${AGENTS}/:agentId`, access: 'any' },
      async handle({ req, id }) {
        const agent_id = String(req.params['agentId']);
        const assigned = assignedIn(await records.of(id('intentId'), TYPES));
        if (!assigned.some(({ payload }) => payload['agent_id'] === agent_id)) {
          throw noSuch('Assignment');
        }
        await records.add(doorCaller(req), id('intentId'), 'agent_unassigned', { agent_id });
        return { message: 'Agent unassigned' };
      },
    }),
  ];
}
