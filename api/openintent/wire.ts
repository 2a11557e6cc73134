import type { IntentEvent } from '../../contracts/intent/event.js';
import type { Intent, Lease } from '../../contracts/intent/intent.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { SUSPENSION_SLOT } from '../../domain/intent/state-patch.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { naiveTime, wireRecord } from '../../domain/openintent/record-rule.js';

export { naiveTime };

/** Does the opposite of `naiveTime`: an instant without a zone is in UTC. */
export function withZone(instant: string): string {
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(instant) ? instant : `${instant}Z`;
}

/** Does the same as `naiveTime` for an optional field. */
function naiveOrNull(instant: string | null | undefined): string | null {
  return instant === null || instant === undefined ? null : naiveTime(instant);
}

/** Returns a record with the instants of these fields as the SDK reads them; a missing one is null. */
export function withNaiveTimes<T, Field extends keyof T>(
  record: T & { readonly [F in Field]: string | null | undefined },
  fields: readonly Field[],
): T {
  const times = fields.map((field) => [field, naiveOrNull(record[field])] as const);
  return { ...record, ...(Object.fromEntries(times) as Partial<T>) };
}

function wireState(state: JsonObject): JsonObject {
  const record = state[SUSPENSION_SLOT];
  return isObject(record) ? { ...state, [SUSPENSION_SLOT]: wireRecord(record) } : state;
}

/** Returns an intent as the SDK parses it. The parent has both names: the SDK reads one, its own server sends the other. */
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

export function wireEvent(event: IntentEvent) {
  return withNaiveTimes(event, ['created_at']);
}

/** Returns a record as the SDK parses it: the payload of an event, with the ids of the event and of its intent. */
export function recordOf({ id, intent_id, payload, created_at }: IntentEvent): JsonObject {
  return { ...payload, id, intent_id, created_at: naiveTime(created_at) };
}

export function wireLease(lease: Lease) {
  const shown = withNaiveTimes(lease, ['acquired_at', 'expires_at', 'released_at']);
  return { ...shown, created_at: shown.acquired_at };
}
