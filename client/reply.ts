import { endedByDeadline } from '../contracts/constants/fallback.js';
import { detailWithAccepted } from '../contracts/constants/denial.js';
import type { JsonValue } from '../contracts/kernel/primitives.js';
import type { SuspensionView } from '../contracts/suspension/view.js';
import {
  HoldpointError,
  InputCancelledError,
  InputTimeoutError,
  SuspensionUnsupportedError,
  workflowErrorOf,
} from './errors.js';

/** A reply that is not 2xx, with its parsed body (undefined if it was not JSON). */
interface FailedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The address of the server, without `/v1`. */
  readonly address: string;
}

/**
 * Turns a reply into the error to throw. A body that is no problem of RFC 9457 (from a proxy or another server) gives
 * the code `http_<status>` and a message with the address, which may be wrong.
 */
export function errorOfReply({ status, headers, body, address }: FailedReply): HoldpointError {
  const problem = isObject(body) ? body : {};
  const detail = text(problem['detail']) ?? text(problem['title']) ?? statusText(status, headers);
  const ownCode = text(problem['code']);
  const code = ownCode ?? `http_${status}`;
  const said = {
    detail: ownCode === undefined ? `No reply of Holdpoint at ${address}: ${detail}.` : detail,
    field: text(problem['field']),
    accepted: text(problem['accepted']),
    valid_choices: texts(problem['valid_choices']),
  };
  const Thrown = workflowErrorOf(code) ?? HoldpointError;
  return new Thrown(code, detailWithAccepted(said), {
    ...said,
    status,
    state: isObject(problem['state']) ? (problem['state'] as Record<string, JsonValue>) : undefined,
    retry_after_seconds: retryAfter(headers.get('retry-after')),
  });
}

/** Names only the host of a redirect: the rest of its address may be secret. */
function statusText(status: number, headers: Headers): string {
  const location = headers.get('location') ?? '';
  const to = URL.canParse(location) ? `, a redirect to ${new URL(location).origin}` : '';
  return `HTTP status ${status}${to}`;
}

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

/** Returns the warnings in the reply to a write. A question that is only read has a field `warnings` too. */
export function warningsIn(
  { method }: { readonly method: string },
  body: unknown,
): readonly string[] {
  return method !== 'GET' && isObject(body) ? (texts(body['warnings']) ?? []) : [];
}

export function listIn(body: unknown, name: string): readonly unknown[] {
  const list = isObject(body) ? body[name] : undefined;
  if (!Array.isArray(list)) throw unexpected(`a list of ${name}`);
  return list;
}

/** Returns the offset of the next page; undefined for the last one. */
export function nextOffsetIn(body: unknown): number | undefined {
  const next = isObject(body) ? body['next_offset'] : undefined;
  return typeof next === 'number' ? next : undefined;
}

/** Returns the view of a suspension; throws `unexpected_reply` for anything else (a proxy's own 200). */
export function viewIn(body: unknown): SuspensionView {
  if (isObject(body) && isObject(body['record']) && typeof body['attempt'] === 'number') {
    return body as unknown as SuspensionView;
  }
  throw unexpected('a suspension');
}

export function unexpected(wanted: string): HoldpointError {
  return new HoldpointError('unexpected_reply', `The reply does not hold ${wanted}.`);
}

/**
 * Returns the error for a settled question without an answer or a fallback.
 *
 * @param intentId - empty if no intent waited
 */
export function endWithoutAnswer(
  intentId: string,
  { record, attempt }: SuspensionView,
): HoldpointError {
  if (record.resolution === undefined) return unexpected('the outcome of a settled suspension');
  if (record.resolution === 'expired' && !endedByDeadline(record)) {
    return new InputTimeoutError(intentId, record, attempt);
  }
  return new InputCancelledError(intentId, record);
}

/** The codes of a 404 from a server with the suspension protocol. */
const KNOWN_NOT_FOUND: ReadonlySet<string> = new Set([
  'intent_not_found',
  'suspension_not_found',
  'lease_not_found',
]);

/**
 * Distinguishes a missing route from a missing intent: the former becomes SuspensionUnsupportedError (R25-104),
 * everything else passes unchanged.
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
