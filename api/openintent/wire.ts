import type { IntentEvent } from '../../contracts/event.js';
import type { Intent, Lease } from '../../contracts/intent.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { SuspensionRecord } from '../../contracts/suspension.js';
import { endedByDeadline } from '../../domain/suspension/state.js';

const INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,6})\d*)?Z$/;

/**
 * An instant of ours as the OpenIntent SDK reads it: naive UTC with microseconds, no `Z`. A text of any
 * other form is left as it is.
 */
export function naiveTime(instant: string): string {
  const match = INSTANT.exec(instant);
  if (match?.[1] === undefined) return instant;
  return `${match[1]}.${(match[2] ?? '').padEnd(6, '0')}`;
}

/** The opposite: an instant that names no zone is in UTC. */
export function withZone(instant: string): string {
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(instant) ? instant : `${instant}Z`;
}

/** The same as `naiveTime` of an optional field. */
export function naiveOrNull(instant: string | null | undefined): string | null {
  return instant === null || instant === undefined ? null : naiveTime(instant);
}

/** Fields of a SuspensionRecord that hold an instant. */
const RECORD_TIMES = ['suspended_at', 'expires_at', 'responded_at', 'settled_at'];

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The record of a question as the SDK knows its ends: one that a portfolio's deadline ended is cancelled, for
 * after `expired` the SDK takes the fallback, which does not apply then (R26-28).
 */
function wireEnd(record: JsonObject): JsonObject {
  const { resolution, reason } = record as Pick<SuspensionRecord, 'resolution' | 'reason'>;
  return endedByDeadline({ resolution, reason }) ? { ...record, resolution: 'cancelled' } : record;
}

/** The state with its SuspensionRecord as the SDK reads it. */
function wireState(state: JsonObject): JsonObject {
  const record = state['_suspension'];
  if (!isObject(record)) return state;
  const entries = Object.entries(wireEnd(record)).map(([name, value]) => {
    const isTime = RECORD_TIMES.includes(name) && typeof value === 'string';
    return [name, isTime ? naiveTime(value) : value] as const;
  });
  return { ...state, _suspension: Object.fromEntries(entries) };
}

/** An intent as the SDK parses it. The parent goes under both names: the SDK reads one, its own server sends the other. */
export function wireIntent(intent: Intent) {
  const { parent_intent_id, created_at, updated_at } = intent;
  return {
    ...intent,
    description: intent.description ?? '',
    state: wireState(intent.state),
    parent_intent_id,
    parent_id: parent_intent_id,
    confidence: 0,
    governance_policy: intent.governance_policy ?? null,
    created_at: naiveTime(created_at),
    updated_at: naiveTime(updated_at),
  };
}

/** An event as the SDK parses it. */
export function wireEvent(event: IntentEvent) {
  return { ...event, created_at: naiveTime(event.created_at) };
}

/** A record as the SDK parses it: what an event tells, under the event's id and with the id of its intent. */
export function recordOf({ id, intent_id, payload, created_at }: IntentEvent): JsonObject {
  return { ...payload, id, intent_id, created_at: naiveTime(created_at) };
}

/** A lease as the SDK parses it. */
export function wireLease(lease: Lease) {
  const acquired_at = naiveTime(lease.acquired_at);
  return {
    ...lease,
    acquired_at,
    created_at: acquired_at,
    expires_at: naiveTime(lease.expires_at),
    released_at: naiveOrNull(lease.released_at),
  };
}
