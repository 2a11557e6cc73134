import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Refusal, Ruling } from '../../contracts/problem.js';

/** A ruling that grants, with what was decided. */
export function ok<T>(value: T): Ruling<T> {
  return { ok: true, value };
}

/**
 * A ruling that refuses; usable wherever a `Ruling<T>` is expected, whatever `T`.
 * `extra` names the field at fault, what is accepted, and the state a caller can act on.
 */
export function refuse(
  code: ErrorCode,
  detail: string,
  extra: Omit<Refusal, 'code' | 'detail'> = {},
): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal: { code, detail, ...extra } };
}
