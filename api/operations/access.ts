import { randomUUID } from 'node:crypto';
import type { AccessEntry, AccessList } from '../../contracts/access.js';
import type { Permission } from '../../contracts/constants/access.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { toInstant } from '../../domain/kernel/time.js';
import { NO_LIST } from '../../domain/policy/access-list.js';
import { actorOf } from '../gateway/caller.js';
import type { Caller } from '../gateway/caller.js';
import { asCaller, operations, readOf } from './operation.js';
import type { Call } from './operation.js';
import { ADD, addRecord, findRecord, recordsOf } from './records.js';

/** An entry as it is asked for. */
export interface AskedEntry {
  readonly principal_id: string;
  readonly principal_type: string;
  readonly permission: Permission;
  readonly expires_at: string | null;
  readonly reason: string | null;
}

/** A list as it is asked for. */
export interface AskedList {
  readonly default_policy: AccessList['default_policy'];
  readonly entries: readonly AskedEntry[];
}

function entryOf({ caller }: Call, asked: AskedEntry): AccessEntry {
  const granted_at = toInstant(Date.now());
  return { id: randomUUID(), ...asked, granted_by: caller.principal, granted_at };
}

const ACCESS_WRITE = ['state_too_large', ...ADD] as const;

/** Access lists of intents (RFC-0011); the intent judges who changes one. */
export const ACCESS = operations({
  getAccess: readOf(
    async ({ gateway }, intentId: string): Promise<AccessList> =>
      (await gateway.getIntent(intentId)).value.access ?? NO_LIST,
  ),
  setAccess: {
    resource: 'intent',
    refusals: ACCESS_WRITE,
    run(call, intentId: string, { default_policy, entries }: AskedList): Promise<AccessList> {
      const list = { default_policy, entries: entries.map((entry) => entryOf(call, entry)) };
      return call.gateway.setAccess(call.caller, intentId, list);
    },
  },
  grantAccess: {
    resource: 'intent',
    refusals: ACCESS_WRITE,
    run: (call, intentId: string, asked: AskedEntry): Promise<AccessEntry> =>
      call.gateway.grantAccess(call.caller, intentId, entryOf(call, asked)),
  },
  revokeAccess: {
    resource: 'intent',
    refusals: ['not_found', ...ADD],
    run: asCaller('revokeAccess'),
  },
});

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
export const ASSIGNMENTS = operations({
  listAssignments: readOf(async (call, intentId: string) =>
    assignedIn(await recordsOf(call, intentId, ASSIGNMENT_TYPES)),
  ),
  assignAgent: {
    resource: 'intent',
    refusals: ['governance_violation', ...ADD],
    async run(call, intentId: string, assignment: JsonObject) {
      const events = await recordsOf(call, intentId, ASSIGNMENT_TYPES);
      const delegation = delegationIn(events, assignment['agent_id'], call.caller);
      return addRecord(call, 'assignAgent', intentId, 'agent_assigned', {
        ...assignment,
        ...delegation,
      });
    },
  },
  unassignAgent: {
    resource: 'intent',
    refusals: ['not_found', ...ADD],
    async run(call, intentId: string, agentId: string): Promise<void> {
      await findRecord(call, 'Assignment', { intentId, types: ASSIGNMENT_TYPES }, (events) =>
        assignedIn(events).find(({ payload }) => payload['agent_id'] === agentId),
      );
      await addRecord(call, 'unassignAgent', intentId, 'agent_unassigned', { agent_id: agentId });
    },
  },
});
