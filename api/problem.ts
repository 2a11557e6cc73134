import type { Response } from 'express';
import { ERRORS } from '../contracts/constants/errors.js';
import type { Problem } from '../contracts/problem.js';
import type { Refusal } from '../contracts/refusal.js';
import type { FieldIssue } from '../contracts/field-issues.js';

/** The id under which the log knows this request. */
export function requestIdOf(res: Response): string {
  return String(res.getHeader('X-Request-Id') ?? '');
}

/** Builds the problem body of a refusal (RFC 9457 §3). */
export function problemOf(
  refusal: Refusal,
  requestId: string,
  issues: readonly FieldIssue[] = [],
): Problem {
  const [status, title] = ERRORS[refusal.code];
  const { code, detail, field, accepted, valid_choices, state } = refusal;
  return {
    type: `urn:holdpoint:error:${code}`,
    title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(field !== undefined && { field }),
    ...(accepted !== undefined && { accepted }),
    ...(valid_choices !== undefined && { valid_choices }),
    ...(state !== undefined && { state }),
    ...(issues.length > 1 && { errors: issues }),
  };
}

/** Sends a refusal as `application/problem+json`; a 503 says when to come back, a 401 how. */
export function sendProblem(
  res: Response,
  refusal: Refusal,
  issues: readonly FieldIssue[] = [],
): void {
  const problem = problemOf(refusal, requestIdOf(res), issues);
  if (problem.status === 503) res.setHeader('Retry-After', '1');
  if (problem.status === 401) res.setHeader('WWW-Authenticate', 'ApiKey header="X-API-Key"');
  res.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}
