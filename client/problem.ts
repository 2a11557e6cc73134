import type { JsonValue } from '../contracts/json.js';
import { HoldpointError } from './errors.js';
import { workflowErrorOf } from './workflow-errors.js';

/** A reply that is not 2xx, with its parsed body (undefined where it was not JSON). */
export interface FailedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/**
 * Turns a reply into the error to throw. A body that is no problem of RFC 9457 (a proxy's page,
 * another server's form) gives the code `http_<status>`.
 */
export function errorOfReply({ status, headers, body }: FailedReply): HoldpointError {
  const problem = isObject(body) ? body : {};
  const detail = text(problem['detail']) ?? text(problem['title']) ?? `HTTP status ${status}`;
  const code = text(problem['code']) ?? `http_${status}`;
  const Thrown = workflowErrorOf(code) ?? HoldpointError;
  return new Thrown(code, detail, {
    status,
    field: text(problem['field']),
    valid_choices: texts(problem['valid_choices']),
    state: isObject(problem['state']) ? (problem['state'] as Record<string, JsonValue>) : undefined,
    retry_after_seconds: retryAfter(headers.get('retry-after')),
  });
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
