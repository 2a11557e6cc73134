import type { CoordinatorEventType, IntentEventType } from '../../../contracts/constants/events.js';
import type { IntentEvent, Tracing } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { checkPostedType } from '../../../domain/policy/posted-events.js';
import type { Action } from '../../../domain/policy/rules.js';
import { appendEventUpdate, type AppendEventInput } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { sentBy, type Listed, type Page } from '../../parts/caller.js';
import { FIRST, READ, WRITE, useCase, type Call } from '../usecase.js';
import { COORDINATOR_DECISION } from '../../../domain/coordinator/coordinator.js';
import { mayAll } from '../../../domain/policy/authorize.js';
import type { EventListOptions } from '../../../store/queries/event-log.js';
import { eventsFor, readerFor, seesQuestionsOf } from '../visibility.js';

/*
 * Writes to the log of an intent. Neither write has a guard such as `ifMatch`: after a 503 send it again under its
 * key, or read the log first.
 */

/** Appends an event of a client. Throws `invalid_request` for a type that is not for clients. */
export const appendEvent = useCase({
  name: 'appendEvent',
  resource: 'intent',
  refusals: ['governance_violation', 'intent_closed', ...WRITE],
  async run(
    call: Call,
    intentId: string,
    event_type: string,
    payload: JsonObject,
    tracing: Tracing = {},
  ): Promise<IntentEvent> {
    demand(checkPostedType(event_type));
    const posted = { ...sentBy(call.caller), event_type, payload, posted: true } as const;
    return append(call, intentId, { ...tracing, ...posted });
  },
});

/** The refusals of every event that is added to the log of an intent. */
export const ADD = ['intent_closed', ...WRITE] as const;

/** Appends an event that the server records for a use case of a caller. */
export async function addRecord(
  call: Call,
  action: Action,
  intentId: string,
  event_type: IntentEventType | CoordinatorEventType,
  payload: JsonObject,
): Promise<IntentEvent> {
  return append(call, intentId, { ...sentBy(call.caller), action, event_type, payload });
}

async function append(
  { parts: { write, consistency } }: Call,
  intentId: string,
  input: AppendEventInput,
): Promise<IntentEvent> {
  const event = await write(intentId, appendEventUpdate, input);
  consistency.touch(intentId, event.sequence);
  return event;
}

export const listEvents = useCase({
  name: 'listEvents',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(call: Call, intentId: string, page: EventListOptions) {
    const log = await call.parts.lists.listEvents(intentId, page);
    return eventsFor(await seesQuestionsOf(call, intentId), log);
  },
});

export const listPortfolioEvents = useCase({
  name: 'listPortfolioEvents',
  resource: 'portfolio',
  refusals: READ,
  async run(call: Call, portfolioId: string, page: EventListOptions) {
    const { caller, parts } = call;
    const log = await parts.lists.listPortfolioEvents(portfolioId, page, readerFor(call));
    return eventsFor(mayAll(caller, 'seeQuestionIds'), log);
  },
});

export const listCoordinatorDecisions = useCase({
  name: 'listCoordinatorDecisions',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  run: ({ parts }: Call, intentId: string, page: Page): Promise<Listed<IntentEvent>> =>
    parts.lists.listEvents(intentId, { ...page, event_types: [COORDINATOR_DECISION] }),
});
