import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal, Ruling } from '../../contracts/kernel/problem.js';
import { jsonBytes } from './json.js';
import { toMillis } from './time.js';

export function ok<T>(value: T): Ruling<T> {
  return { ok: true, value };
}

/**
 * A ruling that refuses. The result fits any `Ruling<T>`.
 *
 * @param extra - the field at fault, what would be accepted, and the state that the caller can use
 */
export function refuse(
  code: ErrorCode,
  detail: string,
  extra: Omit<Refusal, 'code' | 'detail'> = {},
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { code, detail, ...extra } };
}

/** Runs checks in order and returns the first refusal; later ones are not run. */
export function checkInOrder(...checks: readonly (() => Ruling<unknown>)[]): Ruling<true> {
  for (const check of checks) {
    const ruling = check();
    if (!ruling.ok) return ruling;
  }
  return ok(true);
}

/**
 * Refuses `version_conflict` unless a write names the current version in its `If-Match`.
 *
 * @param state - other facts for the caller
 */
export function checkIfMatch(
  version: number,
  ifMatch: number,
  state: Readonly<Record<string, string>>,
): Ruling<true> {
  if (version === ifMatch) return ok(true);
  return refuse('version_conflict', `If-Match names version ${ifMatch}.`, {
    field: 'If-Match',
    accepted: String(version),
    state: { current_version: version, ...state },
  });
}

/** Refuses `invalid_request` for the first field that takes more than `maxBytes` as JSON. */
export function checkFieldSizes(
  fields: Readonly<Record<string, unknown>>,
  maxBytes: number,
): Ruling<true> {
  for (const [field, value] of Object.entries(fields)) {
    if (jsonBytes(value) <= maxBytes) continue;
    const accepted = `at most ${maxBytes} bytes of JSON`;
    return refuse('invalid_request', `${field} is too large.`, { field, accepted });
  }
  return ok(true);
}

interface AheadRefusals {
  readonly field: string;
  readonly past: string;
  readonly far: string;
}

/** Refuses `deadline_in_past` before `now`, and `invalid_request` beyond `windowSeconds`. */
export function checkAhead(
  instant: string,
  now: string,
  windowSeconds: number,
  { field, past, far }: AheadRefusals,
): Ruling<true> {
  const seconds = (toMillis(instant) - toMillis(now)) / 1_000;
  if (seconds <= 0) {
    return refuse('deadline_in_past', past, { field, accepted: `an instant after ${now}` });
  }
  if (seconds <= windowSeconds) return ok(true);
  const accepted = `an instant within ${windowSeconds} seconds`;
  return refuse('invalid_request', far, { field, accepted });
}
