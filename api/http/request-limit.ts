import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Request, RequestHandler } from 'express';
import type { LimitsConfig } from '../../contracts/config.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import { callerOf, principalIn } from './keys-and-roles.js';

/**
 * Limits the requests of each principal, whatever keys, tokens and API it uses, and tells how many are left in
 * `RateLimit` headers. Each process counts for itself.
 */
export function limitRequests({ requests_per_minute }: LimitsConfig): RequestHandler {
  return limited(requests_per_minute, 'requests', (req) => principalIn(callerOf(req)));
}

/** Limits what comes from one address without a key, in the same way. */
export function limitLinks({ links_per_minute }: LimitsConfig): RequestHandler {
  return limited(links_per_minute, 'links', ({ ip = '' }) => ipKeyGenerator(ip));
}

/** Limits what comes from one address without a signature: what is signed is neither counted nor refused. */
export function limitUnsigned(
  { links_per_minute }: LimitsConfig,
  isSigned: (req: Request) => boolean,
): RequestHandler {
  return limited(links_per_minute, 'unsigned', ({ ip = '' }) => ipKeyGenerator(ip), isSigned);
}

/** Limits requests by what each is counted under. */
function limited(
  limit: number,
  identifier: string,
  keyGenerator: (req: Request) => string,
  skip: (req: Request) => boolean = () => false,
): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit,
    identifier,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    skip,
    keyGenerator,
    handler: (_req, _res, next) => {
      next(
        new RefusalError({
          code: 'too_many_requests',
          detail: ERRORS.too_many_requests[2],
          accepted: `at most ${limit} requests a minute`,
        }),
      );
    },
  });
}
