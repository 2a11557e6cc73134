import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { hashJsonBase64Url, hmacBase64Url, uuidFrom } from '../kernel/hashing.js';
import type { TimelineEntry, TimelineSeal } from '../../contracts/suspension/suspension.js';

/** The fields that a seal adds to an event. */
type Seal = 'id' | 'previous_event_hash' | 'event_hash' | 'payload_commitment' | 'payload_salt';

type Unsealed = JsonObject & { readonly payload: JsonObject };

/** Returns the salt of a payload. Only with the log's key can it be computed and a guess confirmed. */
export function payloadSalt(logKey: string, sequence: number): string {
  return hmacBase64Url(logKey, String(sequence));
}

/** Returns the commitment to a payload: `sha256:` and the digest of payload and salt as canonical JSON. */
export function commitmentTo(payload: JsonValue, salt: string): string {
  return digestOf({ payload, salt });
}

/**
 * Returns the hash of an event as `sha256:<base64url>`, over its RFC 8785 canonical JSON (RFC-0019 §1.3). The
 * commitment replaces the payload, and the id is derived from the hash.
 */
export function hashOfEvent(event: JsonObject): string {
  const {
    id: _id,
    event_hash: _hash,
    payload: _payload,
    payload_salt: _salt,
    erased: _erased,
    ...hashed
  } = event;
  return digestOf(hashed);
}

/** Adds commitment, hashes and id to an event. `previousHash` is that of the event before, null for the first. */
export function sealEvent<const E extends Unsealed>(
  event: E,
  previousHash: string | null,
  payload_salt: string,
): E & Pick<Required<IntentEvent>, Seal> {
  // JSON drops undefined and turns NaN into null. The hash has to cover what the store will contain.
  const plain = JSON.parse(JSON.stringify(event)) as E;
  const payload_commitment = commitmentTo(plain.payload, payload_salt);
  const linked = { ...plain, payload_salt, payload_commitment, previous_event_hash: previousHash };
  const event_hash = hashOfEvent(linked);
  return { id: uuidFrom(event_hash), ...linked, event_hash };
}

/** A stored log entry in the form that was hashed. Without a salt, its payload was erased. */
export function asHashed<E extends { readonly payload_salt: string | null }>({
  payload_salt,
  ...entry
}: E) {
  return payload_salt === null ? { ...entry, erased: true as const } : { ...entry, payload_salt };
}

export function isErased({ erased, payload, payload_salt }: JsonObject): boolean {
  return erased === true && payload_salt === undefined && isEmpty(payload);
}

/** Whether an event is unchanged since it was sealed. An erased payload cannot be checked. */
export function isIntact(event: JsonObject): boolean {
  try {
    const { id, event_hash, payload_commitment } = event;
    return (
      event_hash === hashOfEvent(event) &&
      id === uuidFrom(event_hash) &&
      (isErased(event) || payload_commitment === commitmentOf(event))
    );
  } catch {
    // The event contains what JSON cannot express, such as a number beyond the range of a double.
    return false;
  }
}

/** Returns the commitment to the payload; undefined without payload or salt. */
function commitmentOf({ erased, payload, payload_salt }: JsonObject): string | undefined {
  if (erased !== undefined || payload === undefined || typeof payload_salt !== 'string') return;
  return commitmentTo(payload, payload_salt);
}

function isEmpty(payload: JsonValue | undefined): boolean {
  return payload === undefined || hashJsonBase64Url(payload) === hashJsonBase64Url({});
}

function digestOf(value: JsonValue): string {
  return `sha256:${hashJsonBase64Url(value)}`;
}

/** A timeline entry in the form of an event, which is hashed, exported and checked. */
export type TimelineEvent = JsonObject & { readonly sequence: number };

/**
 * Chains an entry to the one before. The hash covers suspension, number, time, kind, and a commitment instead of the
 * detail. `previousHash` is null for the first entry.
 */
export function sealTimelineEntry(
  suspension_id: string,
  { sequence, at, kind, detail }: TimelineEntry,
  previousHash: string | null,
  salt: string,
): TimelineSeal {
  const entry = { suspension_id, sequence, at, kind, payload: detail };
  const sealed = sealEvent(entry, previousHash, salt);
  const { payload_commitment, payload_salt, previous_event_hash, event_hash } = sealed;
  return { payload_commitment, payload_salt, previous_event_hash, event_hash };
}

/** Converts a stored entry to an event of its log. */
export function timelineEvent(
  suspension_id: string,
  { sequence, at, kind, detail }: TimelineEntry,
  seal: TimelineSeal,
): TimelineEvent {
  const { payload_commitment, payload_salt, previous_event_hash, event_hash } = seal;
  return asHashed({
    id: uuidFrom(event_hash),
    suspension_id,
    sequence,
    at,
    kind,
    payload: detail,
    payload_commitment,
    previous_event_hash,
    event_hash,
    payload_salt,
  });
}
