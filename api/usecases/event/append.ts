import type { CoordinatorEventType, IntentEventType } from '../../../contracts/constants/events.js';
import type { IntentEvent, Tracing } from '../../../contracts/intent/event.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { checkPostedType } from '../../../domain/policy/posted-events.js';
import type { Action } from '../../../domain/policy/rules.js';
import { appendEventUpdate } from '../../../workflows/intent/messages.js';
import type { AppendEventInput } from '../../../workflows/intent/messages.js';
import { demand } from '../../errors.js';
import { sentBy } from '../../parts/caller.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/*
 * Writes to the log of an intent. Neither has a guard such as `ifMatch`: after a 503 send them again under their key, or look
 * at the log before.
 */

/** Appends an event that a client posts by itself. Throws `invalid_request` for a type that is not for clients. */
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

/** The refusals of every addition to the log of an intent. */
export const ADD = ['intent_closed', ...WRITE] as const;

/** Appends what the server records of a use case of a caller. */
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
