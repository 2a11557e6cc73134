import type {
  ErrorRequestHandler,
  Express,
  NextFunction,
  Request,
  RequestHandler,
  Response,
} from 'express';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { defined } from '../../contracts/constants/defined.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { FieldIssue } from '../../contracts/kernel/parse-fields.js';
import type { Problem, Refusal } from '../../contracts/kernel/problem.js';
import { boundedIssues, boundedRefusal } from '../../domain/kernel/bounded.js';
import { traceOf } from '../../runtime/program.js';
import { unsoundText } from './sound-text.js';
import { InvalidInputError, RefusalError, refusalOf, standardRefusal } from '../errors.js';

export function requestIdOf(res: ServerResponse): string {
  return String(res.getHeader('X-Request-Id') ?? '');
}

/**
 * Builds the problem body of a refusal (RFC 9457 §3). It cuts long texts, and names at most 20 issues.
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
    ...defined({ field, accepted, valid_choices, state }),
    ...(issues.length > 1 && { errors: boundedIssues(issues) }),
  };
}

/** The `Retry-After` of a 429, in seconds. */
const FULL_SECONDS = '10';

/** Sets the headers that come with a status: a 503 and a 429 say when to try again, a 401 how to sign in. */
export function setStatusHeaders(res: Response, status: number): void {
  if (status === 503) res.setHeader('Retry-After', '1');
  if (status === 429 && !res.hasHeader('Retry-After')) res.setHeader('Retry-After', FULL_SECONDS);
  if (status === 401 && !res.hasHeader('WWW-Authenticate')) {
    res.setHeader('WWW-Authenticate', 'ApiKey header="X-API-Key"');
  }
}

/** Sends a refusal as `application/problem+json`. */
function sendProblem(res: Response, refusal: Refusal, issues: readonly FieldIssue[] = []): void {
  const problem = problemOf(refusal, requestIdOf(res), issues);
  setStatusHeaders(res, problem.status);
  res.status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

const MALFORMED: Refusal = { code: 'malformed_json', detail: ERRORS.malformed_json[2] };

function tooLarge(limit: number): Refusal {
  return {
    code: 'body_too_large',
    detail: `The body is over ${limit} bytes.`,
    accepted: `at most ${limit} bytes`,
  };
}

const ENCODING_REFUSAL: Refusal = {
  code: 'invalid_request',
  detail: 'The content encoding of the body is not supported.',
  field: 'Content-Encoding',
  accepted: 'identity, gzip, deflate or br',
};

/** Returns the refusal for an error of Express or its body parser; they carry a status. */
function transportRefusal(error: unknown): Refusal | undefined {
  // The router could not decode a part of the path.
  if (error instanceof URIError) return unsoundText('path').refusal;
  if (typeof error !== 'object' || error === null) return undefined;
  // Only errors of the body parser have both; a gRPC or database error never has a numeric status.
  if (!('status' in error && 'expose' in error)) return undefined;
  if ('type' in error && error.type === 'encoding.unsupported') return ENCODING_REFUSAL;
  if (error.status === 400) return MALFORMED;
  if (error.status !== 413) return undefined;
  const limit = 'limit' in error ? error.limit : undefined;
  return tooLarge(typeof limit === 'number' ? limit : LIMITS.bodyBytes);
}

/** Returns the refusal that an error means; undefined for an unexpected error. */
export function requestRefusalOf(error: unknown): Refusal | undefined {
  return refusalOf(error) ?? transportRefusal(error);
}

export const notFound: RequestHandler = () => {
  throw standardRefusal('not_found');
};

/** Writes a refusal as a reply; `error` is its origin. */
type SendRefusal = (res: Response, refusal: Refusal, error: unknown) => void;

const asProblem: SendRefusal = (res, refusal, error) => {
  sendProblem(res, refusal, error instanceof InvalidInputError ? error.issues : []);
};

/** Logs an unexpected error. A log that fails does not end the process. */
function logUnexpected(log: Logger, res: ServerResponse, error: unknown): void {
  try {
    log.error({ request_id: requestIdOf(res), error: traceOf(error) }, 'unexpected error');
  } catch {
    // The line is lost; the reply still says that something is wrong.
  }
}

/** Sends the last resort: a problem of a few bytes, without anything of the error. It cuts a reply that has begun. */
function sendLast(res: ServerResponse): void {
  try {
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const problem = problemOf(standardRefusal('internal').refusal, requestIdOf(res));
    for (const name of res.getHeaderNames()) if (/^content-/i.test(name)) res.removeHeader(name);
    res.statusCode = problem.status;
    res.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
    res.end(JSON.stringify(problem));
  } catch {
    res.destroy();
  }
}

/**
 * Turns errors into replies: refusals as they are, all others into a 500 without detail. It never throws and passes
 * no error on.
 * @param send - writes the reply in another form than problem details
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
  send(res, refusal ?? standardRefusal('internal').refusal, error);
}

/** How Express takes a request; a request that no handler ends goes to `done`. The types of Express lack it. */
interface Handling {
  handle: (req: Request, res: Response, done?: NextFunction) => void;
}

/**
 * Replaces the pages by which Express itself replies, which may hold a stack trace: where it cannot read the URL of a
 * request, and where an error gets past every handler.
 */
export function withoutExpressPages(app: Express, log: Logger): Express {
  const handleError = handleErrors(log);
  const own = app as unknown as Handling;
  const handle = own.handle.bind(app);
  own.handle = (req, res) => {
    const done = (error: unknown): void => {
      void handleError(error ?? standardRefusal('not_found'), req, res, () => undefined);
    };
    try {
      handle(req, res, done);
    } catch (error) {
      done(error);
    }
  };
  return app;
}
