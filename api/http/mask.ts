import type { IntentEvent } from '../../contracts/event.js';
import type { Intent } from '../../contracts/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/json.js';
import { jsonEqual } from '../../domain/json-size.js';
import { shortened } from '../../domain/shortened-id.js';
import { mayAnswer } from '../gateway/may-answer.js';
import type { Caller } from '../gateway/types.js';

/** Where an intent keeps its SuspensionRecord. */
const SLOT = '_suspension';

/** The intent as a caller may read it: an agent sees the id of its own intent's suspension only (AM-45). */
export function intentFor(caller: Caller, intent: Intent): Intent {
  if (mayAnswer(caller) || intent.created_by === caller.principal) return intent;
  return maskedIntent(intent);
}

/** The intent without the id of its suspension. */
export function maskedIntent(intent: Intent): Intent {
  const record = intent.state[SLOT];
  if (record === undefined) return intent;
  return { ...intent, state: { ...intent.state, [SLOT]: withShort(record, 'id') } };
}

/** An event with a shortened id says so, for its `event_hash` is that of the whole one. */
type MaskedEvent = IntentEvent & { readonly masked?: true };

/** Events as somebody may read them who neither may answer nor owns the intent (AM-45). */
export function maskedEvents(events: readonly IntentEvent[]): readonly MaskedEvent[] {
  return events.map(maskedEvent);
}

/** One such event. */
export function maskedEvent(event: IntentEvent): MaskedEvent {
  const payload = withoutRecord(withShort(event.payload, 'suspension_id') as JsonObject);
  return jsonEqual(payload, event.payload) ? event : { ...event, payload, masked: true };
}

/** A state write may have held the whole record. */
function withoutRecord(payload: JsonObject): JsonObject {
  const { patches } = payload;
  if (!Array.isArray(patches)) return payload;
  return { ...payload, patches: (patches as readonly JsonValue[]).map(shortPatch) };
}

function shortPatch(patch: JsonValue): JsonValue {
  if (!isObject(patch) || typeof patch['path'] !== 'string') return patch;
  const [slot, field, ...deeper] = patch['path'].split('/').filter((part) => part !== '');
  if (slot !== SLOT || patch['value'] === undefined || deeper.length > 0) return patch;
  if (field === undefined) return { ...patch, value: withShort(patch['value'], 'id') };
  return field === 'id' ? withShort(patch, 'value') : patch;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withShort(value: JsonValue, key: string): JsonValue {
  if (!isObject(value) || typeof value[key] !== 'string') return value;
  return { ...value, [key]: shortened(value[key]) };
}
