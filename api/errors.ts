import { ApplicationFailure } from '@temporalio/common';
import { ERRORS, type ErrorCode } from '../contracts/constants/errors.js';
import type { FieldIssue } from '../contracts/kernel/parse-fields.js';
import type { Refusal, Ruling } from '../contracts/kernel/problem.js';

/** How many causes are followed; real chains have two or three. */
const CAUSES = 8;

interface RefusalOptions extends ErrorOptions {
  /** Whole seconds after which the same request may succeed, where that is known. */
  readonly retryAfterSeconds?: number;
}

/** Refuses a request; the routes render `refusal` and `Retry-After`, and nothing else. */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  readonly retryAfterSeconds: number | undefined;

  constructor(refusal: Refusal, options?: RefusalOptions) {
    super(`${refusal.code}: ${refusal.detail}`, options);
    this.name = 'RefusalError';
    this.refusal = refusal;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

/** Returns the error that refuses with a code, in the words of the table of errors; `extra` adds fields. */
export function standardRefusal(
  code: ErrorCode,
  extra: Omit<Refusal, 'code' | 'detail'> = {},
  options?: RefusalOptions,
): RefusalError {
  return new RefusalError({ code, detail: ERRORS[code][2], ...extra }, options);
}

/** Returns what a ruling grants. Throws RefusalError for what it refuses. */
export function demand<T>(ruling: Ruling<T>): T {
  if (!ruling.ok) throw new RefusalError(ruling.refusal);
  return ruling.value;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

function isRefusal(value: unknown, code: ErrorCode): value is Refusal {
  if (typeof value !== 'object' || value === null) return false;
  const { code: own, detail } = value as Partial<Refusal>;
  return own === code && typeof detail === 'string';
}

function ownRefusal(error: unknown): Refusal | undefined {
  if (error instanceof RefusalError) return error.refusal;
  if (!(error instanceof ApplicationFailure) || !isErrorCode(error.type)) return undefined;
  const detail: unknown = error.details?.[0];
  return isRefusal(detail, error.type) ? detail : undefined;
}

/**
 * Returns the refusal of an error or one of its causes: a RefusalError, or a workflow's ApplicationFailure (type: the
 * code; first detail: the refusal).
 */
export function refusalOf(error: unknown): Refusal | undefined {
  let current = error;
  for (let depth = 0; depth < CAUSES && current instanceof Error; depth += 1) {
    const refusal = ownRefusal(current);
    if (refusal) return refusal;
    current = current.cause;
  }
  return undefined;
}

/** A 422 that names every field at fault, not only the first. */
export class InvalidInputError extends RefusalError {
  readonly issues: readonly FieldIssue[];

  constructor(refusal: Refusal, issues: readonly FieldIssue[]) {
    super(refusal);
    this.issues = issues;
  }
}
