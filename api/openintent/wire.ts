import type { IntentEvent } from '../../contracts/event.js';
import type { Intent, Lease } from '../../contracts/intent.js';
import type { JsonObject } from '../../contracts/primitives.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { naiveTime, wireRecord } from '../../domain/openintent/record-form.js';

export { naiveTime };

/** The opposite: an instant that names no zone is in UTC. */
export function withZone(instant: string): string {
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(instant) ? instant : `${instant}Z`;
}

/** The same as `naiveTime` of an optional field. */
export function naiveOrNull(instant: string | null | undefined): string | null {
  return instant === null || instant === undefined ? null : naiveTime(instant);
}

/** A record whose instants in these fields are as the SDK reads them; one that is missing is null. */
export function withNaiveTimes<T, Field extends keyof T>(
  record: T & { readonly [F in Field]: string | null | undefined },
  fields: readonly Field[],
): T {
  const times = fields.map((field) => [field, naiveOrNull(record[field])] as const);
  return { ...record, ...(Object.fromEntries(times) as Partial<T>) };
}

/** The state with its SuspensionRecord as the SDK reads it. */
function wireState(state: JsonObject): JsonObject {
  const record = state[SUSPENSION_SLOT];
  return isObject(record) ? { ...state, [SUSPENSION_SLOT]: wireRecord(record) } : state;
}

/** An intent as the SDK parses it. The parent goes under both names: the SDK reads one, its own server sends the other. */
export function wireIntent({ access: _access, ...intent }: Intent) {
  const { parent_intent_id } = intent;
  return {
    ...withNaiveTimes(intent, ['created_at', 'updated_at']),
    description: intent.description ?? '',
    state: wireState(intent.state),
    parent_intent_id,
    parent_id: parent_intent_id,
    confidence: 0,
    governance_policy: intent.governance_policy ?? null,
  };
}

/** An event as the SDK parses it. */
export function wireEvent(event: IntentEvent) {
  return withNaiveTimes(event, ['created_at']);
}

/** A record as the SDK parses it: the payload of an event, with the ids of the event and of its intent. */
export function recordOf({ id, intent_id, payload, created_at }: IntentEvent): JsonObject {
  return { ...payload, id, intent_id, created_at: naiveTime(created_at) };
}

/** A lease as the SDK parses it. */
export function wireLease(lease: Lease) {
  const shown = withNaiveTimes(lease, ['acquired_at', 'expires_at', 'released_at']);
  return { ...shown, created_at: shown.acquired_at };
}
