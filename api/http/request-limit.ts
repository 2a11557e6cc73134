import { rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import type { LimitsConfig } from '../../contracts/config.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import { callerOf, principalIn } from './keys-and-roles.js';

/**
 * Limits the requests of each principal, whatever keys, tokens and API it uses, and tells how many are left in
 * `RateLimit` headers. Each process counts for itself.
 */
export function limitRequests({ requests_per_minute }: LimitsConfig): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: requests_per_minute,
    identifier: 'requests',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => principalIn(callerOf(req)),
    handler: (_req, _res, next) => {
      next(
        new RefusalError({
          code: 'too_many_requests',
          detail: ERRORS.too_many_requests[2],
          accepted: `at most ${requests_per_minute} requests a minute`,
        }),
      );
    },
  });
}
