import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { shortened } from '../kernel/text.js';
import { SUSPENSION_SLOT } from './state-patch.js';

/** An event that may contain shortened ids. `masked` says so, because its commitment covers the full ids. */
export type MaskedEvent = IntentEvent & { readonly masked?: true };

/** Shortens the ids of suspensions in an event for readers who neither may answer nor own the intent (R25-100). */
export function maskedEvent(event: IntentEvent): MaskedEvent {
  const payload = withoutRecord(withShortId(event.payload, 'suspension_id') as JsonObject);
  if (jsonEqual(payload, event.payload)) return event;
  // With the salt, a guess at the full ids could be proven.
  const { payload_salt: _, ...shown } = event;
  return { ...shown, payload, masked: true };
}

/** A state write can contain the whole record of a question. */
function withoutRecord(payload: JsonObject): JsonObject {
  const { patches } = payload;
  if (!Array.isArray(patches)) return payload;
  return { ...payload, patches: (patches as readonly JsonValue[]).map(shortPatch) };
}

function shortPatch(patch: JsonValue): JsonValue {
  if (!isObject(patch) || typeof patch['path'] !== 'string') return patch;
  const [slot, field, ...deeper] = patch['path'].split('/').filter((part) => part !== '');
  if (slot !== SUSPENSION_SLOT || patch['value'] === undefined || deeper.length > 0) return patch;
  if (field === undefined) return { ...patch, value: withShortId(patch['value'], 'id') };
  return field === 'id' ? withShortId(patch, 'value') : patch;
}

export function withShortId(value: JsonValue, key: string): JsonValue {
  if (!isObject(value) || typeof value[key] !== 'string') return value;
  return { ...value, [key]: shortened(value[key]) };
}
