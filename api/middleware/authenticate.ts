import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ApiKey } from '../../contracts/config.js';
import { RefusalError } from '../errors.js';
import type { Caller } from '../gateway/types.js';

const callers = new WeakMap<Request, Caller>();

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Who sent a request that passed `authenticate`; undefined before that. */
export function findCaller(req: Request): Caller | undefined {
  return callers.get(req);
}

/**
 * Who sent the request.
 *
 * @throws Error on a route that is not behind `authenticate`, which is a defect
 */
export function callerOf(req: Request): Caller {
  const caller = findCaller(req);
  if (caller === undefined) throw new Error('This route is not behind authenticate.');
  return caller;
}

/**
 * Binds a request to the principal and roles of its `X-API-Key` (R25-71, R25-79, R25-98). Digests are
 * compared in constant time, and all of them, so that the time taken tells nothing about any key.
 */
export function authenticate(keys: readonly ApiKey[]): RequestHandler {
  const known = keys.map(({ key, principal, roles }) => ({
    digest: digestOf(key),
    caller: { principal, roles: new Set(roles) },
  }));
  return (req, _res, next) => {
    const digest = digestOf(req.get('X-API-Key') ?? '');
    const matches = known.filter((entry) => timingSafeEqual(entry.digest, digest));
    const [match] = matches;
    if (match === undefined) {
      throw new RefusalError({ code: 'unauthenticated', detail: ERRORS.unauthenticated[2] });
    }
    callers.set(req, match.caller);
    next();
  };
}
