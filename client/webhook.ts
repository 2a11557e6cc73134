import { parseExact, whyUnread } from '../contracts/constants/exact-json.js';
import { HoldpointError } from './errors.js';
import { subtle } from './web-crypto.js';

/** The headers of a request, as a server or framework has them. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that nothing proves to come from Holdpoint. Answer it with 401; it changes nothing. */
export class WebhookError extends HoldpointError {
  override readonly name: string = 'WebhookError';

  constructor(message: string) {
    super('webhook_refused', message);
  }
}

/** How far the clocks of sender and receiver may differ, and how long a copy of a request is good for. */
const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1';

/**
 * Reads what a webhook has posted, once its signature is proved by one of the secrets (Standard Webhooks: HMAC-SHA-256 over
 * id, timestamp and body). Signatures are compared by WebCrypto, in constant time. Throws WebhookError where none fits,
 * for a timestamp that is more than five minutes away, and for a body of which a number or a name would be lost: Holdpoint writes none.
 *
 * @param body - the raw body, byte by byte as it came
 */
export async function verifiedWebhook(
  secrets: readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
): Promise<unknown> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) {
    throw new WebhookError('The request is not signed.');
  }
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS) {
    throw new WebhookError('The signature is too old, or from the future.');
  }
  const signed = joined(`${id}.${timestamp}.`, bytesOf(body));
  const proofs = signatures.split(' ').flatMap(proofOf);
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const proof of proofs) {
      if (await subtle().verify('HMAC', key, proof, signed)) return parsed(body);
    }
  }
  throw new WebhookError('The signature fits no secret.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = found?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

function proofOf(signature: string): Uint8Array<ArrayBuffer>[] {
  const [version, text = ''] = signature.split(',');
  const proof = version === VERSION ? decoded(text) : undefined;
  return proof === undefined ? [] : [proof];
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Throws TypeError for a text that is no secret of a subscription. */
async function keyOf(secret: string) {
  const bytes = secret.startsWith(SECRET_PREFIX)
    ? decoded(secret.slice(SECRET_PREFIX.length))
    : undefined;
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError(`A secret of a subscription begins with ${SECRET_PREFIX}.`);
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return subtle().importKey('raw', bytes, algorithm, false, ['verify']);
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

function joined(start: string, rest: Uint8Array): Uint8Array<ArrayBuffer> {
  const first = bytesOf(start);
  const all = new Uint8Array(first.length + rest.length);
  all.set(first);
  all.set(rest, first.length);
  return all;
}

function parsed(body: string | Uint8Array): unknown {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    // What an event quotes may be as deep as a request, and the event is around it.
    return parseExact(text, Infinity);
  } catch (error) {
    throw new WebhookError(`The body ${whyUnread(error)}.`);
  }
}
