import type { IntentEvent } from '../../contracts/intent/event.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { hashJsonBase64Url, hmacBase64Url, uuidFrom } from '../kernel/hashing.js';

/** The fields that a seal adds to an event. */
type Seal = 'id' | 'previous_event_hash' | 'event_hash' | 'payload_commitment' | 'payload_salt';

type Unsealed = JsonObject & { readonly payload: JsonObject };

/** Returns the salt of a payload. Without the log's key nobody can compute it and confirm a guess. */
export function payloadSalt(logKey: string, sequence: number): string {
  return hmacBase64Url(logKey, String(sequence));
}

/** Returns the commitment to a payload: `sha256:` and the digest of payload and salt as canonical JSON. */
export function commitmentTo(payload: JsonValue, salt: string): string {
  return digestOf({ payload, salt });
}

/**
 * Returns the hash of an event as `sha256:<base64url>`, over its RFC 8785 canonical JSON (RFC-0019 §1.3). The
 * commitment stands for the payload, and the id follows from the hash.
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

/** A stored entry of a log in the form that was hashed. Without a salt, its payload was erased. */
export function asHashed<E extends { readonly payload_salt: string | null }>({
  payload_salt,
  ...entry
}: E) {
  return payload_salt === null ? { ...entry, erased: true as const } : { ...entry, payload_salt };
}

/** Whether the payload was erased and nothing is left of it. */
export function isErased({ erased, payload, payload_salt }: JsonObject): boolean {
  return erased === true && payload_salt === undefined && isEmpty(payload);
}

/** Whether an event that was read is as it was sealed. An erased payload is taken on trust. */
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
