import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Request, RequestHandler, Response } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import { boundPathOf } from './route.js';

/** More than a person mistypes. */
const FAILURES_PER_MINUTE = 20;
/** More than the people behind one address need. */
const SIGN_INS_PER_MINUTE = 120;

/** Replies that lead a browser on, and stand for a failed sign-in nevertheless. */
const failed = new WeakSet<Response>();

/** Counts a reply as that to a failed sign-in, although its status does not say so. */
export function noteFailedSignIn(res: Response): void {
  failed.add(res);
}

/** A failure of this server, or of the issuer, is nobody's guess. */
function isNoGuess(_req: Request, res: Response): boolean {
  const { statusCode } = res;
  return !failed.has(res) && (statusCode < 400 || statusCode >= 500);
}

/** What opens a session, or sends to the issuer and back. Reading and ending one is limited as any request. */
function isSignIn(req: Request): boolean {
  const path = boundPathOf(req);
  return path === '/' ? req.method === 'POST' : path === '/login' || path === '/callback';
}

/**
 * Slows down whoever guesses, and whoever signs in without end: counts the failed sign-ins of each address, and all of
 * them, and refuses more. A finder of the routes goes before. The address is what a trusted proxy says, else the one that connected. Each process
 * counts for itself.
 */
export function limitSignIns(): readonly RequestHandler[] {
  return [
    limited(FAILURES_PER_MINUTE, 'failed tries', true),
    limited(SIGN_INS_PER_MINUTE, 'sign-ins', false),
  ];
}

function limited(limit: number, what: string, onlyFailed: boolean): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit,
    identifier: what.replace(' ', '-'),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    skip: (req) => !isSignIn(req),
    skipSuccessfulRequests: onlyFailed,
    requestWasSuccessful: isNoGuess,
    keyGenerator: ({ ip = '' }) => ipKeyGenerator(ip),
    handler: (_req, _res, next) => {
      next(
        new RefusalError({
          code: 'too_many_sign_ins',
          detail: ERRORS.too_many_sign_ins[2],
          accepted: `at most ${limit} ${what} a minute`,
        }),
      );
    },
  });
}
