import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { JsonObject } from '../../contracts/json.js';
import { shortened } from '../../domain/shortened-id.js';
import { mayAnswer } from '../gateway/may-answer.js';
import type { Caller } from '../gateway/types.js';

/** The intent as a caller may read it: an agent sees the id of its own intent's suspension only (AM-45). */
export function intentFor(caller: Caller, intent: Intent): Intent {
  const record = intent.state['_suspension'] as JsonObject | undefined;
  if (record === undefined || mayAnswer(caller) || intent.created_by === caller.principal) {
    return intent;
  }
  return { ...intent, state: { ...intent.state, _suspension: withShort(record, 'id') } };
}

/** An event with a shortened id says so, for its `event_hash` is that of the whole one. */
type MaskedEvent = IntentEvent & { readonly masked?: true };

/** Events as somebody may read them who neither may answer nor owns the intent (AM-45). */
export function maskedEvents(events: readonly IntentEvent[]): readonly MaskedEvent[] {
  return events.map((event) => {
    const payload = withShort(event.payload, 'suspension_id');
    return payload === event.payload ? event : { ...event, payload, masked: true };
  });
}

function withShort(object: JsonObject, key: string): JsonObject {
  const id = object[key];
  return typeof id === 'string' ? { ...object, [key]: shortened(id) } : object;
}
