import type { JsonValue } from '../contracts/primitives.js';
import type { SuspensionView } from '../contracts/suspension-view.js';
import { HoldpointError, SuspensionUnsupportedError, workflowErrorOf } from './errors.js';

/** A reply that is not 2xx, with its parsed body (undefined if it was not JSON). */
export interface FailedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** Of the server, without `/v1`. */
  readonly address: string;
}

/**
 * Turns a reply into the error to throw. A body that is no problem of RFC 9457 (a proxy's page,
 * another server's form) gives the code `http_<status>` and names the address, which may be a wrong one.
 */
export function errorOfReply({ status, headers, body, address }: FailedReply): HoldpointError {
  const problem = isObject(body) ? body : {};
  const detail = text(problem['detail']) ?? text(problem['title']) ?? statusText(status, headers);
  const ownCode = text(problem['code']);
  const code = ownCode ?? `http_${status}`;
  const message =
    ownCode === undefined ? `No reply of Holdpoint at ${address}: ${detail}.` : detail;
  const Thrown = workflowErrorOf(code) ?? HoldpointError;
  return new Thrown(code, message, {
    status,
    field: text(problem['field']),
    accepted: text(problem['accepted']),
    valid_choices: texts(problem['valid_choices']),
    state: isObject(problem['state']) ? (problem['state'] as Record<string, JsonValue>) : undefined,
    retry_after_seconds: retryAfter(headers.get('retry-after')),
  });
}

/** The host of a redirect alone: the rest of its address may hold what nobody else should see. */
function statusText(status: number, headers: Headers): string {
  const location = headers.get('location') ?? '';
  const to = URL.canParse(location) ? `, a redirect to ${new URL(location).origin}` : '';
  return `HTTP status ${status}${to}`;
}

/** Whether a parsed JSON value is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((entry): entry is string => typeof entry === 'string');
}

/** `Retry-After` is a number of seconds or an HTTP date. */
function retryAfter(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const instant = Date.parse(header);
  return Number.isNaN(instant) ? undefined : Math.max(0, (instant - Date.now()) / 1_000);
}

/** What the server warns of in the reply to a write, in its field `warnings`. A question that is only read has them too. */
export function warningsIn(
  { method }: { readonly method: string },
  body: unknown,
): readonly string[] {
  return method !== 'GET' && isObject(body) ? (texts(body['warnings']) ?? []) : [];
}

/** The list that a reply holds under its name. */
export function listIn(body: unknown, name: string): readonly unknown[] {
  const list = isObject(body) ? body[name] : undefined;
  if (!Array.isArray(list)) throw unexpected(`a list of ${name}`);
  return list;
}

/** Where a list goes on; undefined if the reply holds its end. */
export function nextOffsetIn(body: unknown): number | undefined {
  const next = isObject(body) ? body['next_offset'] : undefined;
  return typeof next === 'number' ? next : undefined;
}

/** A suspension's view; anything else (a proxy's own 200) throws `unexpected_reply`. */
export function viewIn(body: unknown): SuspensionView {
  if (isObject(body) && isObject(body['record']) && typeof body['attempt'] === 'number') {
    return body as unknown as SuspensionView;
  }
  throw unexpected('a suspension');
}

/** The error for a reply that is none of ours. */
export function unexpected(wanted: string): HoldpointError {
  return new HoldpointError('unexpected_reply', `The reply does not hold ${wanted}.`);
}

/** Codes of a 404 that a server with the suspension protocol gives. */
const KNOWN_NOT_FOUND: ReadonlySet<string> = new Set([
  'intent_not_found',
  'suspension_not_found',
  'lease_not_found',
]);

/**
 * Tells "this server has no such route" from "there is no such intent": the first becomes
 * SuspensionUnsupportedError (R25-104), everything else passes as it is.
 */
export async function supported<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (
      error instanceof HoldpointError &&
      error.status === 404 &&
      !KNOWN_NOT_FOUND.has(error.code)
    ) {
      throw new SuspensionUnsupportedError(error);
    }
    throw error;
  }
}
