import type { IntentEvent } from '../../contracts/event.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import { hashJsonBase64Url, hmacBase64Url, uuidFrom } from '../kernel/hashing.js';

/** What a seal adds to an event. */
type Seal = 'id' | 'previous_event_hash' | 'event_hash' | 'payload_commitment' | 'payload_salt';

/** An event before it is sealed. */
export type UnsealedEvent = Omit<IntentEvent, Seal | 'erased'>;

/** Anything of a log that can be sealed. */
type Unsealed = JsonObject & { readonly payload: JsonObject };

/**
 * Returns the salt of the payload of an event. Nobody can tell it without the key of the log, so the commitment of
 * an erased payload does not give away what the payload was.
 */
export function payloadSalt(logKey: string, sequence: number): string {
  return hmacBase64Url(logKey, String(sequence));
}

/** Returns the commitment to a payload: `sha256:` and the digest of payload and salt as canonical JSON. */
export function commitmentTo(payload: JsonValue, salt: string): string {
  return digestOf({ payload, salt });
}

/**
 * Returns the hash of an event as `sha256:<base64url>`: SHA-256 over its RFC 8785 canonical JSON (RFC-0019 §1.3).
 * The commitment stands for the payload, and the id follows from the hash.
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

/**
 * Adds commitment, hashes and id to an event.
 *
 * @param previousHash - hash of the event before it, null for the first
 */
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

/** The commitment to the payload that is there; undefined if there is none, or no salt. */
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
