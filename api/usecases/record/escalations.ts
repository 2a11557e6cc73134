import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { isEntityId } from '../../parts/refusals.js';
import { ADD, addRecord } from '../event/append.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { readerFor } from '../visibility.js';
import { allPages, findRecord, recordNotFound, recordsOf } from './records.js';
import type { Events } from './records.js';

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

/** The escalations of one intent, or of all. */
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
