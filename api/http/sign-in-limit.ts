import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';

/** More than a person mistypes. */
const FAILURES_PER_MINUTE = 20;

/**
 * Slows down whoever guesses: counts failed sign-ins of each address, and refuses more of them. The address is what a
 * proxy on this machine says, else the one that connected. Each process counts for itself.
 */
export function limitSignIns(): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    limit: FAILURES_PER_MINUTE,
    identifier: 'sign-ins',
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    skip: ({ method }) => method !== 'POST',
    skipSuccessfulRequests: true,
    keyGenerator: ({ ip = '' }) => ipKeyGenerator(ip),
    handler: (_req, _res, next) => {
      next(
        new RefusalError({
          code: 'too_many_sign_ins',
          detail: ERRORS.too_many_sign_ins[2],
          accepted: `at most ${FAILURES_PER_MINUTE} failed tries a minute`,
        }),
      );
    },
  });
}
