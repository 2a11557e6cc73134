import type { Request, RequestHandler } from 'express';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKey, Role } from '../../contracts/config.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import type { Caller } from '../gateway/caller.js';

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

/** Lets a key pass that has the role, or is `admin` (R25-99). */
export function requireRole(role: Role): RequestHandler {
  return (req, _res, next) => {
    const { roles } = callerOf(req);
    if (!roles.has(role) && !roles.has('admin')) {
      throw new RefusalError({
        code: 'forbidden',
        detail: `This needs a key with the role ${role} or admin.`,
        accepted: `role ${role} or admin`,
      });
    }
    next();
  };
}

/** The principals of which no key has another role than `agent`. */
export function agentsAmong(keys: readonly ApiKey[]): ReadonlySet<string> {
  const others = keys.filter(({ roles }) => roles.some((role) => role !== 'agent'));
  const people = new Set(others.map(({ principal }) => principal));
  return new Set(keys.map(({ principal }) => principal).filter((name) => !people.has(name)));
}
