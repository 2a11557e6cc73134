import type { CoordinatorEventType, IntentEventType } from '../../contracts/constants/events.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { COORDINATOR_DECISION } from '../../domain/coordinator/coordinator.js';
import { RefusalError } from '../errors.js';
import type { Listed, Page, Read } from '../gateway/caller.js';
import { isEntityId } from '../gateway/refusals.js';
import { WRITE, operations, readOf } from './operation.js';
import type { Action } from '../../domain/policy/rules.js';
import type { Call } from './operation.js';
import { readerFor } from './visibility.js';

/*
 * Decisions, escalations and assignments are only kept and returned. Each is
 * an event of its intent's log and nothing else, so that it is recorded once, in order, and cannot be
 * rewritten unnoticed; what holds now is read from these events.
 */

type Events = readonly IntentEvent[];

/** What adding to the log of an intent may be refused with. */
export const ADD = ['intent_closed', ...WRITE] as const;

/** Appends a record to the log of its intent; throws what `appendEvent` throws. */
export async function addRecord(
  { gateway, caller }: Call,
  action: Action,
  intentId: string,
  type: IntentEventType | CoordinatorEventType,
  payload: JsonObject,
): Promise<IntentEvent> {
  return gateway.appendEvent(caller, action, intentId, type, payload);
}

/**
 * What is wanted of every page of what is read newest first, oldest first; stale if one of them is. Only one page at a time
 * is held besides that.
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

/** Which events of an intent are read. */
interface Wanted {
  readonly intentId: string;
  readonly types: readonly IntentEventType[];
  /** All of these types unless given. */
  readonly isWanted?: (event: IntentEvent) => boolean;
}

function readRecords({ gateway }: Call, wanted: Wanted): Promise<Read<Events>> {
  const { intentId, types, isWanted } = wanted;
  return allPages(
    (page) => gateway.listEvents(intentId, { ...page, event_types: types }),
    isWanted,
  );
}

/** All events of these types of one intent, in the order of the log. */
export async function recordsOf(
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
 * What `pick` makes of the events of one intent. Throws a 404 of `what` if that is nothing, but
 * `store_unavailable` if the store is behind and may hold it in a moment.
 */
export async function findRecord<Found>(
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

/** Decisions that were made for an intent, and requests to arbitrate. */
export const DECISIONS = operations({
  recordIntentDecision: {
    resource: 'intent',
    refusals: ADD,
    run: (call, intentId: string, decision: JsonObject) =>
      addRecord(call, 'recordIntentDecision', intentId, 'decision_recorded', {
        ...decision,
        decision_maker_id: call.caller.principal,
      }),
  },
  listIntentDecisions: readOf((call, intentId: string) =>
    recordsOf(call, intentId, ['decision_recorded']),
  ),
  requestArbitration: {
    resource: 'intent',
    refusals: ADD,
    run: (call, intentId: string, request: JsonObject) =>
      addRecord(call, 'requestArbitration', intentId, 'arbitration_requested', {
        ...request,
        requester_id: call.caller.principal,
        status: 'pending',
      }),
  },
  /** A coordinator's decision that an OpenIntent client reports; it need not hold the coordinator's lease. */
  logCoordinatorDecision: {
    resource: 'intent',
    refusals: ADD,
    run: (call, intentId: string, decision: JsonObject) =>
      addRecord(call, 'logCoordinatorDecision', intentId, COORDINATOR_DECISION, decision),
  },
});

/** A request for a person's help; the last resolution counts. */
export interface Escalation {
  /** Names the intent too, for an escalation is resolved by its id alone. */
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

/** Escalations to people. */
export const ESCALATIONS = operations({
  requestEscalation: {
    resource: 'intent',
    refusals: ADD,
    async run(call, intentId: string, asked: JsonObject): Promise<Escalation> {
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
  },
  /** Those of one intent, or of all. */
  listEscalations: readOf(async (call, intentId: string | undefined) => {
    if (intentId !== undefined) {
      return escalationsIn(await recordsOf(call, intentId, ESCALATION_TYPES));
    }
    const { value } = await allPages((page) =>
      call.gateway.findEvents(ESCALATION_TYPES, page, readerFor(call)),
    );
    return escalationsIn(value);
  }),
  resolveEscalation: {
    resource: 'intent',
    refusals: ['not_found', ...ADD],
    async run(call, escalationId: string, resolution: JsonObject): Promise<Escalation> {
      const { request } = await findEscalation(call, escalationId);
      await addRecord(call, 'resolveEscalation', request.intent_id, 'escalation_resolved', {
        escalation_id: escalationId,
        ...resolution,
        resolved_by: resolution['resolved_by'] ?? call.caller.principal,
      });
      return findEscalation(call, escalationId);
    },
  },
});
