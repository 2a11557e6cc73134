import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Options } from 'express-rate-limit';
import type { Request, RequestHandler, Response } from 'express';
import type { LimitsConfig } from '../../contracts/server/config.js';
import { standardRefusal } from '../errors.js';
import { callerOf, principalIn } from './keys-and-roles.js';
import { boundPathOf } from './route.js';

/**
 * Limits the requests of each principal, whatever keys, tokens and API it uses, and says how many are left in
 * `RateLimit` headers. Each process counts for itself, here and below.
 */
export function limitRequests({ requests_per_minute }: LimitsConfig): RequestHandler {
  const keyGenerator = (req: Request): string => principalIn(callerOf(req));
  return limited(requests_per_minute, { identifier: 'requests', keyGenerator });
}

/** Limits the requests of an address that need no key, in the same way. */
export function limitLinks({ links_per_minute }: LimitsConfig): RequestHandler {
  return limited(links_per_minute, { identifier: 'links' });
}

/** Limits the unsigned requests of an address: signed ones are neither counted nor refused. */
export function limitUnsigned(
  { links_per_minute }: LimitsConfig,
  isSigned: (req: Request) => boolean,
): RequestHandler {
  return limited(links_per_minute, { identifier: 'unsigned', skip: isSigned });
}

/** More than a person mistypes. */
const FAILURES_PER_MINUTE = 20;
/** More than the people behind one address need. */
const SIGN_INS_PER_MINUTE = 120;

/** Redirects that stand for a failed sign-in. */
const failed = new WeakSet<Response>();

/** Counts a reply as a failed sign-in, although its status does not say so. */
export function noteFailedSignIn(res: Response): void {
  failed.add(res);
}

/** A failure of this server or of the issuer is no failed guess. */
function isNoGuess(_req: Request, res: Response): boolean {
  const { statusCode } = res;
  return !failed.has(res) && (statusCode < 400 || statusCode >= 500);
}

/** Whether a request neither opens a session nor goes to the issuer or back. Reading and ending a session has the usual limit. */
function isNoSignIn(req: Request): boolean {
  const path = boundPathOf(req);
  return path === '/' ? req.method !== 'POST' : path !== '/login' && path !== '/callback';
}

/**
 * Slows down guessing, and endless sign-ins: refuses an address after too many failed sign-ins, or too many of any kind. A
 * finder of the routes goes before. The address is the one that a trusted proxy names, else the one that connected.
 */
export function limitSignIns(): readonly RequestHandler[] {
  const signIns = { code: 'too_many_sign_ins', skip: isNoSignIn } as const;
  return [
    limited(FAILURES_PER_MINUTE, {
      ...signIns,
      identifier: 'failed-tries',
      what: 'failed tries',
      skipSuccessfulRequests: true,
      requestWasSuccessful: isNoGuess,
    }),
    limited(SIGN_INS_PER_MINUTE, { ...signIns, identifier: 'sign-ins', what: 'sign-ins' }),
  ];
}

interface Limit extends Partial<Options> {
  readonly identifier: string;
  readonly code?: 'too_many_requests' | 'too_many_sign_ins';
  readonly what?: string;
}

/** Refuses more than `limit` requests a minute of one address, or of what `keyGenerator` returns. */
function limited(
  limit: number,
  { code = 'too_many_requests', what = 'requests', ...options }: Limit,
): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: ({ ip = '' }) => ipKeyGenerator(ip),
    ...options,
    handler: (_req, _res, next) => {
      next(standardRefusal(code, { accepted: `at most ${limit} ${what} a minute` }));
    },
  });
}
