import type { IntentEventType } from '../../../contracts/constants/events.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import { RefusalError } from '../../errors.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { actorOf, type Caller, type Listed, type Page, type Read } from '../../parts/caller.js';
import { ADD, addRecord } from '../event/events.js';
import { FIRST, READ, useCase, type Call } from '../usecase.js';
import { COORDINATOR_DECISION } from '../../../domain/coordinator/coordinator.js';
import { isEntityId } from '../../../contracts/constants/names.js';
import { readerFor } from '../visibility.js';

/*
 * Decisions, escalations and assignments are only events of their intent's log, so that none can be rewritten
 * unnoticed; the present state is read from these events.
 */

type Events = readonly IntentEvent[];

/**
 * Collects the wanted entries of all pages, oldest first; stale if one page is. Only one page at a time is in memory
 * besides.
 */
async function allPages(
  read: (page: Page) => Promise<Listed<IntentEvent>>,
  isWanted: (event: IntentEvent) => boolean = () => true,
): Promise<Read<Events>> {
  const events: IntentEvent[] = [];
  for (let behind = false, offset = 0; ;) {
    const { value, stale, more } = await read({ limit: LIMITS.pageSize, offset });
    events.push(...value.filter(isWanted));
    offset += value.length;
    behind ||= stale;
    if (!more) return { value: events.reverse(), stale: behind };
  }
}

interface Wanted {
  readonly intentId: string;
  readonly types: readonly IntentEventType[];
  /** All of these types unless given. */
  readonly isWanted?: (event: IntentEvent) => boolean;
}

function readRecords({ parts }: Call, wanted: Wanted): Promise<Read<Events>> {
  const { intentId, types, isWanted } = wanted;
  return allPages(
    (page) => parts.lists.listEvents(intentId, { ...page, event_types: types }),
    isWanted,
  );
}

/** Returns all events of these types of one intent, in the order of the log. */
async function recordsOf(
  call: Call,
  intentId: string,
  types: readonly IntentEventType[],
): Promise<Events> {
  return (await readRecords(call, { intentId, types })).value;
}

function recordNotFound(what: string): RefusalError {
  return new RefusalError({ code: 'not_found', detail: `${what} not found` });
}

/**
 * Returns what `pick` finds in the events of one intent. Throws a 404 of `what` if that is nothing, but
 * `store_unavailable` if the store is behind and may soon have it.
 */
async function findRecord<Found>(
  call: Call,
  what: string,
  wanted: Wanted,
  pick: (events: Events) => Found | undefined,
): Promise<Found> {
  const { value, stale } = await readRecords(call, wanted);
  const found = pick(value);
  if (found !== undefined) return found;
  if (!stale) throw recordNotFound(what);
  const detail = `The store has not caught up: ${what} may be there in a moment.`;
  throw new RefusalError({ code: 'store_unavailable', detail });
}

const ASSIGNMENT_TYPES = ['agent_assigned', 'agent_unassigned'] as const;

/**
 * Whether the server wrote the assignment; an event that an agent posts itself is only a claim, and had no role in
 * 0.1.
 */
function isAssignment({ event_type, claimed, payload }: IntentEvent): boolean {
  return event_type === 'agent_assigned' && claimed !== true && payload['role'] !== undefined;
}

/**
 * Returns who delegates: `delegate` of the OpenIntent SDK posts an event with that name, and then assigns without it.
 * The name is shown with the next assignment of the agent by the same principal and actor.
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

/** Returns the latest assignment of each agent that was not removed after it. */
function assignedIn(events: readonly IntentEvent[]): readonly IntentEvent[] {
  const ruling = events.filter(
    (event) => isAssignment(event) || event.event_type === 'agent_unassigned',
  );
  const last = new Map(ruling.map((event) => [event.payload['agent_id'], event]));
  return [...last.values()].filter(isAssignment);
}

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

/* Decisions that were made for an intent, and requests to arbitrate. */

export const recordIntentDecision = useCase({
  name: 'recordIntentDecision',
  resource: 'intent',
  refusals: ADD,
  run: (call: Call, intentId: string, decision: JsonObject) =>
    addRecord(call, 'recordIntentDecision', intentId, 'decision_recorded', {
      ...decision,
      decision_maker_id: call.caller.principal,
    }),
});

export const listIntentDecisions = useCase({
  name: 'listIntentDecisions',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: (call: Call, intentId: string) => recordsOf(call, intentId, ['decision_recorded']),
});

export const requestArbitration = useCase({
  name: 'requestArbitration',
  resource: 'intent',
  refusals: ADD,
  run: (call: Call, intentId: string, request: JsonObject) =>
    addRecord(call, 'requestArbitration', intentId, 'arbitration_requested', {
      ...request,
      requester_id: call.caller.principal,
      status: 'pending',
    }),
});

/** Logs a coordinator's decision that an OpenIntent client reports; the client need not hold the coordinator's lease. */
export const logCoordinatorDecision = useCase({
  name: 'logCoordinatorDecision',
  resource: 'intent',
  refusals: ADD,
  run: (call: Call, intentId: string, decision: JsonObject) =>
    addRecord(call, 'logCoordinatorDecision', intentId, COORDINATOR_DECISION, decision),
});

/** A request for a person's help; the last resolution counts. */
export interface Escalation {
  /** Contains the intent's id too, because an escalation is resolved by its id alone. */
  readonly id: string;
  readonly request: IntentEvent;
  readonly resolution: IntentEvent | undefined;
}

const ESCALATION_TYPES = ['escalation_requested', 'escalation_resolved'] as const;

function escalationsIn(events: Events): readonly Escalation[] {
  return events
    .filter(({ event_type }) => event_type === 'escalation_requested')
    .map((request) => {
      const id = `${request.intent_id}.${request.id}`;
      const resolution = events.findLast(({ payload }) => payload['escalation_id'] === id);
      return { id, request, resolution };
    });
}

async function findEscalation(call: Call, escalationId: string): Promise<Escalation> {
  const [intentId = ''] = escalationId.split('.');
  if (!isEntityId(intentId)) throw recordNotFound('Escalation');
  return findRecord(call, 'Escalation', { intentId, types: ESCALATION_TYPES }, (events) =>
    escalationsIn(events).find(({ id }) => id === escalationId),
  );
}

export const requestEscalation = useCase({
  name: 'requestEscalation',
  resource: 'intent',
  refusals: ADD,
  async run(call: Call, intentId: string, asked: JsonObject): Promise<Escalation> {
    const escalated_by = asked['escalated_by'] ?? call.caller.principal;
    const payload = { ...asked, escalated_by };
    const request = await addRecord(
      call,
      'requestEscalation',
      intentId,
      'escalation_requested',
      payload,
    );
    return { id: `${request.intent_id}.${request.id}`, request, resolution: undefined };
  },
});

export const listEscalations = useCase({
  name: 'listEscalations',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(call: Call, intentId: string | undefined) {
    if (intentId !== undefined) {
      return escalationsIn(await recordsOf(call, intentId, ESCALATION_TYPES));
    }
    const { value } = await allPages((page) =>
      call.parts.lists.findEvents(ESCALATION_TYPES, page, readerFor(call)),
    );
    return escalationsIn(value);
  },
});

export const resolveEscalation = useCase({
  name: 'resolveEscalation',
  resource: 'intent',
  refusals: ['not_found', ...ADD],
  async run(call: Call, escalationId: string, resolution: JsonObject): Promise<Escalation> {
    const { request } = await findEscalation(call, escalationId);
    await addRecord(call, 'resolveEscalation', request.intent_id, 'escalation_resolved', {
      escalation_id: escalationId,
      ...resolution,
      resolved_by: resolution['resolved_by'] ?? call.caller.principal,
    });
    return findEscalation(call, escalationId);
  },
});
