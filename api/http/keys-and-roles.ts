import type { Request, RequestHandler } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import { authorize } from '../../domain/policy/authorize.js';
import type { Action } from '../../domain/policy/rules.js';
import { RefusalError, demand } from '../errors.js';
import type { Caller } from '../gateway/caller.js';
import type { Session, SignIn, SignedIn } from '../sign-in/sign-in.js';
import type { BySession } from './same-site.js';

const signedIn = new WeakMap<Request, SignedIn>();

/** Who sent a request that passed `authenticate`; undefined before that. */
export function findCaller(req: Request): Caller | undefined {
  return signedIn.get(req)?.caller;
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

/** The name under which a principal is counted: the same name in another space is somebody else. */
export function principalIn({ space, principal }: Caller): string {
  return JSON.stringify([space, principal]);
}

/** Whether what proved the sender of a request still counts. */
export function stillSignedIn(req: Request): boolean {
  return signedIn.get(req)?.holds() ?? true;
}

/** The session of a request that one has proven. */
export function sessionOf(req: Request): Session | undefined {
  return signedIn.get(req)?.session;
}

/** The refusal of a request that nobody proved to have sent. */
export function unauthenticated(): RefusalError {
  return new RefusalError({ code: 'unauthenticated', detail: ERRORS.unauthenticated[2] });
}

const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/** The token in `Authorization: Bearer`; empty if there is none. */
function bearerOf(req: Request): string {
  return BEARER.exec(req.get('Authorization')?.trim() ?? '')?.[1] ?? '';
}

function credentialsOf(req: Request) {
  return { key: req.get('X-API-Key') ?? '', token: bearerOf(req) };
}

/** Binds a request to the principal of its key or token, where it has a good one. Others pass as anyone. */
export function recognize(signIn: SignIn): RequestHandler {
  return async (req, _res, next) => {
    const found = await signIn.find(credentialsOf(req));
    if (found !== undefined) signedIn.set(req, found);
    next();
  };
}

/**
 * Binds a request to the principal and roles of its key or bearer token (R25-71, R25-79, R25-98), or, if it has neither,
 * of its session.
 */
export function authenticate(signIn: SignIn, bySession?: BySession): RequestHandler {
  return async (req, res, next) => {
    const credentials = credentialsOf(req);
    const hasNone = credentials.key === '' && credentials.token === '';
    const found = await (hasNone && bySession ? bySession(req) : signIn.find(credentials));
    if (found === undefined) {
      res.setHeader('WWW-Authenticate', signIn.challenge);
      throw unauthenticated();
    }
    signedIn.set(req, found);
    next();
  };
}

/** Lets a key pass that may do something of this kind at all (R25-99); the rest is judged where it is known. */
export function requireRight(action: Action): RequestHandler {
  return (req, _res, next) => {
    demand(authorize(callerOf(req), action));
    next();
  };
}
