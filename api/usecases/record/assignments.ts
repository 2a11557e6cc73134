import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { actorOf } from '../../parts/caller.js';
import type { Caller } from '../../parts/caller.js';
import { ADD, addRecord } from '../event/append.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { findRecord, recordsOf } from './records.js';

const ASSIGNMENT_TYPES = ['agent_assigned', 'agent_unassigned'] as const;

/** Whether the server wrote the assignment; one that an agent posts itself is a claim, and had no role in 0.1. */
function isAssignment({ event_type, claimed, payload }: IntentEvent): boolean {
  return event_type === 'agent_assigned' && claimed !== true && payload['role'] !== undefined;
}

/**
 * Who delegates: `delegate` of the OpenIntent SDK first posts an event with that name, and then assigns without
 * it. The name in the event is shown with the next assignment of the agent by the same principal and actor.
 */
function delegationIn(
  events: readonly IntentEvent[],
  agentId: JsonValue | undefined,
  caller: Caller,
): JsonObject {
  const last = events.findLast(({ payload }) => payload['agent_id'] === agentId);
  if (last?.event_type !== 'agent_assigned' || isAssignment(last)) return {};
  if (last.actor !== actorOf(caller) || last.principal !== caller.principal) return {};
  const { delegated_by } = last.payload;
  return typeof delegated_by === 'string' ? { delegated_by } : {};
}

/** The latest assignment of each agent that was not taken off after it. */
function assignedIn(events: readonly IntentEvent[]): readonly IntentEvent[] {
  const ruling = events.filter(
    (event) => isAssignment(event) || event.event_type === 'agent_unassigned',
  );
  const last = new Map(ruling.map((event) => [event.payload['agent_id'], event]));
  return [...last.values()].filter(isAssignment);
}

/** The agents that are assigned to an intent. */
export const listAssignments = useCase({
  name: 'listAssignments',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: async (call: Call, intentId: string) =>
    assignedIn(await recordsOf(call, intentId, ASSIGNMENT_TYPES)),
});

export const assignAgent = useCase({
  name: 'assignAgent',
  resource: 'intent',
  refusals: ['governance_violation', ...ADD],
  async run(call: Call, intentId: string, assignment: JsonObject) {
    const events = await recordsOf(call, intentId, ASSIGNMENT_TYPES);
    const delegation = delegationIn(events, assignment['agent_id'], call.caller);
    return addRecord(call, 'assignAgent', intentId, 'agent_assigned', {
      ...assignment,
      ...delegation,
    });
  },
});

export const unassignAgent = useCase({
  name: 'unassignAgent',
  resource: 'intent',
  refusals: ['not_found', ...ADD],
  async run(call: Call, intentId: string, agentId: string): Promise<void> {
    await findRecord(call, 'Assignment', { intentId, types: ASSIGNMENT_TYPES }, (events) =>
      assignedIn(events).find(({ payload }) => payload['agent_id'] === agentId),
    );
    await addRecord(call, 'unassignAgent', intentId, 'agent_unassigned', { agent_id: agentId });
  },
});
