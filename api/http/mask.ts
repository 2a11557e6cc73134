import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { JsonObject } from '../../contracts/json.js';
import { shortened } from '../../domain/shortened-id.js';
import type { Caller } from '../gateway/types.js';

/** Whether a caller's role lets it answer, so that it may see which suspension is open. */
export function mayAnswer({ roles }: Caller): boolean {
  return roles.has('operator') || roles.has('admin');
}

/** The intent as a caller may read it: an agent sees the id of its own intent's suspension only (AM-45). */
export function intentFor(caller: Caller, intent: Intent): Intent {
  const record = intent.state['_suspension'] as JsonObject | undefined;
  if (record === undefined || mayAnswer(caller) || intent.created_by === caller.principal) {
    return intent;
  }
  return { ...intent, state: { ...intent.state, _suspension: withShort(record, 'id') } };
}

/** Events as somebody may read them who neither may answer nor owns the intent (AM-45). */
export function maskedEvents(events: readonly IntentEvent[]): readonly IntentEvent[] {
  return events.map((event) => ({
    ...event,
    payload: withShort(event.payload, 'suspension_id'),
  }));
}

function withShort(object: JsonObject, key: string): JsonObject {
  const id = object[key];
  return typeof id === 'string' ? { ...object, [key]: shortened(id) } : object;
}
