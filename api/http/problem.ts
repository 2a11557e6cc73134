import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ERRORS } from '../../contracts/constants/errors.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { FieldIssue } from '../../contracts/parse-fields.js';
import type { Problem, Refusal } from '../../contracts/problem.js';
import { boundedIssues, boundedRefusal } from '../../domain/kernel/bounded.js';
import { traceOf } from '../../runtime/program.js';
import { unsoundText } from './sound-text.js';
import { InvalidInputError, RefusalError, refusalOf } from '../errors.js';

/** The id under which the log knows this request. */
export function requestIdOf(res: ServerResponse): string {
  return String(res.getHeader('X-Request-Id') ?? '');
}

/**
 * Builds the problem body of a refusal (RFC 9457 §3). Whoever made the refusal, its texts are cut and at most 20 issues
 * are named.
 */
export function problemOf(
  refusal: Refusal,
  requestId: string,
  issues: readonly FieldIssue[] = [],
): Problem {
  const [status, title] = ERRORS[refusal.code];
  const { code, detail, field, accepted, valid_choices, state } = boundedRefusal(refusal);
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
    ...(issues.length > 1 && { errors: boundedIssues(issues) }),
  };
}

/** Seconds after which a place may be free. */
const FULL_SECONDS = '10';

/** The headers that come with a status: a 503 and a 429 say when to come back, a 401 how. */
export function setStatusHeaders(res: Response, status: number): void {
  if (status === 503) res.setHeader('Retry-After', '1');
  if (status === 429 && !res.hasHeader('Retry-After')) res.setHeader('Retry-After', FULL_SECONDS);
  if (status === 401 && !res.hasHeader('WWW-Authenticate')) {
    res.setHeader('WWW-Authenticate', 'ApiKey header="X-API-Key"');
  }
}

/** Sends a refusal as `application/problem+json`. */
export function sendProblem(
  res: Response,
  refusal: Refusal,
  issues: readonly FieldIssue[] = [],
): void {
  const problem = problemOf(refusal, requestIdOf(res), issues);
  setStatusHeaders(res, problem.status);
  res.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

const BODY_REFUSALS: Readonly<Record<number, Refusal>> = {
  400: { code: 'malformed_json', detail: ERRORS.malformed_json[2] },
  413: {
    code: 'body_too_large',
    detail: `The body is over ${LIMITS.bodyBytes} bytes.`,
    accepted: `at most ${LIMITS.bodyBytes} bytes`,
  },
};
const ENCODING_REFUSAL: Refusal = {
  code: 'invalid_request',
  detail: 'The content encoding of the body is not supported.',
  field: 'Content-Encoding',
  accepted: 'identity, gzip, deflate or br',
};

/** Reads what Express and its body parser throw: errors that carry a status of their own. */
function transportRefusal(error: unknown): Refusal | undefined {
  // The router has met a part of the path that it cannot decode.
  if (error instanceof URIError) return unsoundText('path').refusal;
  if (typeof error !== 'object' || error === null) return undefined;
  // Body parser errors alone have both; a gRPC or database error never has a numeric status.
  if (!('status' in error && 'expose' in error)) return undefined;
  if ('type' in error && error.type === 'encoding.unsupported') return ENCODING_REFUSAL;
  return typeof error.status === 'number' ? BODY_REFUSALS[error.status] : undefined;
}

/** What an error refuses a request with; undefined for one that nobody expected. */
export function requestRefusalOf(error: unknown): Refusal | undefined {
  return refusalOf(error) ?? transportRefusal(error);
}

/** Refuses a request that no route takes. */
export const notFound: RequestHandler = () => {
  throw new RefusalError({ code: 'not_found', detail: ERRORS.not_found[2] });
};

/** Writes a refusal as a reply; `error` is what it was made of. */
export type SendRefusal = (res: Response, refusal: Refusal, error: unknown) => void;

const asProblem: SendRefusal = (res, refusal, error) => {
  sendProblem(res, refusal, error instanceof InvalidInputError ? error.issues : []);
};

/** Logs an error that nobody expected. Nothing that a log does ends the process. */
function logUnexpected(log: Logger, res: ServerResponse, error: unknown): void {
  try {
    log.error({ request_id: requestIdOf(res), error: traceOf(error) }, 'unexpected error');
  } catch {
    // Whoever reads the log has lost this line, and the reply says that something is wrong.
  }
}

/**
 * The reply where no other can be made: a problem of a few bytes, and nothing of the error. Half a reply must not look
 * whole, so one that has begun is cut.
 */
export function sendLast(res: ServerResponse): void {
  try {
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const problem = problemOf({ code: 'internal', detail: ERRORS.internal[2] }, requestIdOf(res));
    for (const name of res.getHeaderNames()) if (/^content-/i.test(name)) res.removeHeader(name);
    res.statusCode = problem.status;
    res.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
    res.end(JSON.stringify(problem));
  } catch {
    res.destroy();
  }
}

/**
 * The one place where errors become replies: refusals as they are, all else as 500 without detail. It never throws and
 * lets no error past, so nothing of Express gets to reply.
 *
 * @param send - writes them in another form than problem details
 */
export function handleErrors(log: Logger, send = asProblem): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    try {
      reply(log, res, error, send);
    } catch (failure) {
      logUnexpected(log, res, failure);
      sendLast(res);
    }
  };
}

function reply(log: Logger, res: Response, error: unknown, send: SendRefusal): void {
  const refusal = requestRefusalOf(error);
  if (refusal === undefined) logUnexpected(log, res, error);
  if (res.headersSent) {
    // Half a reply must not look whole.
    res.destroy();
    return;
  }
  if (error instanceof RefusalError && error.retryAfterSeconds !== undefined) {
    res.setHeader('Retry-After', String(error.retryAfterSeconds));
  }
  send(res, refusal ?? { code: 'internal', detail: ERRORS.internal[2] }, error);
}
