import { HoldpointError } from './errors.js';
import { parseExact, whyUnread } from '../contracts/constants/exact-json.js';

/**
 * Returns the platform's WebCrypto. Throws HoldpointError `insecure_context` where browsers have none: on pages over
 * plain HTTP, except from localhost.
 */
export function subtle(): typeof crypto.subtle {
  const { subtle: found } = globalThis.crypto as { readonly subtle?: typeof crypto.subtle };
  if (found !== undefined) return found;
  throw new HoldpointError(
    'insecure_context',
    'This browser has no WebCrypto for a page over plain HTTP. Serve the page over https, or from localhost.',
  );
}

/** The headers of a request, as a server or framework has them. */
export type WebhookHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request is not proved to come from Holdpoint. Answer it with 401; it changed nothing. */
export class WebhookError extends HoldpointError {
  override readonly name: string = 'WebhookError';

  constructor(message: string) {
    super('webhook_refused', message);
  }
}

/** How much the clocks of sender and receiver may differ, and how long a copy of a request is valid. */
const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1';

/**
 * Verifies the signature of a webhook request with one of the secrets (Standard Webhooks: HMAC-SHA-256 over id, timestamp and
 * body), and returns its parsed body. WebCrypto compares signatures in constant time. Throws WebhookError if none fits, if
 * the timestamp is more than five minutes off, and for a body that cannot be read exactly: Holdpoint writes none.
 *
 * @param body - the raw bytes of the body
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
    // An event may quote values as deep as a request, and adds its own levels.
    return parseExact(text, Infinity);
  } catch (error) {
    throw new WebhookError(`The body ${whyUnread(error)}.`);
  }
}
