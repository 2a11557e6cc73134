import { randomUUID } from 'node:crypto';
import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { actorOf } from '../gateway/caller.js';
import { READ, operations } from './operation.js';
import type { Call } from './operation.js';
import { ADD, addRecord, findRecord, recordsOf } from './records.js';

const ACCESS_TYPES = ['access_policy_set', 'access_granted', 'access_revoked'] as const;

/** Who may do what with an intent. */
export interface AccessList {
  readonly default_policy: JsonValue;
  readonly entries: readonly JsonObject[];
}

/** The list as its events leave it: set whole, added to, taken from. */
function follow(list: AccessList, { event_type, payload }: IntentEvent): AccessList {
  const { default_policy = 'open', entries, entry, entry_id } = payload;
  if (event_type === 'access_policy_set') {
    return { default_policy, entries: entries as readonly JsonObject[] };
  }
  if (event_type === 'access_granted') {
    return { ...list, entries: [...list.entries, entry as JsonObject] };
  }
  return { ...list, entries: list.entries.filter(({ id }) => id !== entry_id) };
}

function accessIn(events: readonly IntentEvent[]): AccessList {
  return events.reduce<AccessList>(follow, { default_policy: 'open', entries: [] });
}

function entryOf({ caller }: Call, { expires_at, reason, granted_at, ...entry }: JsonObject) {
  const granted = { id: randomUUID(), granted_by: caller.principal, granted_at };
  return { ...entry, ...granted, expires_at: expires_at ?? null, reason: reason ?? null };
}

/** Access lists of intents: kept and returned, not enforced. */
export const ACCESS = operations({
  getAccess: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: async (call, intentId: string) => accessIn(await recordsOf(call, intentId, ACCESS_TYPES)),
  },
  setAccess: {
    resource: 'intent',
    access: 'agent',
    refusals: ADD,
    async run(call, intentId: string, { default_policy, entries }: AccessList) {
      const list = { default_policy, entries: entries.map((entry) => entryOf(call, entry)) };
      await addRecord(call, intentId, 'access_policy_set', list as unknown as JsonObject);
      return list;
    },
  },
  grantAccess: {
    resource: 'intent',
    access: 'agent',
    refusals: ADD,
    async run(call, intentId: string, asked: JsonObject) {
      const entry = entryOf(call, asked) as JsonObject;
      await addRecord(call, intentId, 'access_granted', { entry });
      return entry;
    },
  },
  revokeAccess: {
    resource: 'intent',
    access: 'agent',
    refusals: ['not_found', ...ADD],
    async run(call, intentId: string, entryId: string): Promise<void> {
      await findRecord(call, 'ACL entry', { intentId, types: ACCESS_TYPES }, (events) =>
        accessIn(events).entries.find(({ id }) => id === entryId),
      );
      await addRecord(call, intentId, 'access_revoked', { entry_id: entryId });
    },
  },
});

const ASSIGNMENT_TYPES = ['agent_assigned', 'agent_unassigned'] as const;

/** The event of an assignment by the server; one that an agent posts itself names no role. */
function isAssignment({ event_type, payload }: IntentEvent): boolean {
  return event_type === 'agent_assigned' && payload['role'] !== undefined;
}

/**
 * Who delegates: `delegate` of the OpenIntent SDK posts an event that says so, and assigns then, which does
 * not. What is posted counts for the next assignment of the agent by the same one.
 */
function delegationIn(
  events: readonly IntentEvent[],
  agentId: JsonValue | undefined,
  actor: string,
): JsonObject {
  const last = events.findLast(({ payload }) => payload['agent_id'] === agentId);
  if (last?.event_type !== 'agent_assigned' || isAssignment(last) || last.actor !== actor) {
    return {};
  }
  const { delegated_by } = last.payload;
  return typeof delegated_by === 'string' ? { delegated_by } : {};
}

/** Whoever is assigned last, and not taken off after that. */
function assignedIn(events: readonly IntentEvent[]): readonly IntentEvent[] {
  const ruling = events.filter(
    (event) => isAssignment(event) || event.event_type === 'agent_unassigned',
  );
  const last = new Map(ruling.map((event) => [event.payload['agent_id'], event]));
  return [...last.values()].filter(isAssignment);
}

/** The agents that are assigned to an intent. */
export const ASSIGNMENTS = operations({
  listAssignments: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: async (call, intentId: string) =>
      assignedIn(await recordsOf(call, intentId, ASSIGNMENT_TYPES)),
  },
  assignAgent: {
    resource: 'intent',
    access: 'any',
    refusals: ADD,
    async run(call, intentId: string, assignment: JsonObject) {
      const events = await recordsOf(call, intentId, ASSIGNMENT_TYPES);
      const delegation = delegationIn(events, assignment['agent_id'], actorOf(call.caller));
      return addRecord(call, intentId, 'agent_assigned', { ...assignment, ...delegation });
    },
  },
  unassignAgent: {
    resource: 'intent',
    access: 'any',
    refusals: ['not_found', ...ADD],
    async run(call, intentId: string, agentId: string): Promise<void> {
      await findRecord(call, 'Assignment', { intentId, types: ASSIGNMENT_TYPES }, (events) =>
        assignedIn(events).find(({ payload }) => payload['agent_id'] === agentId),
      );
      await addRecord(call, intentId, 'agent_unassigned', { agent_id: agentId });
    },
  },
});
