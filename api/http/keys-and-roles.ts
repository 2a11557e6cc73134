import type { Request, RequestHandler } from 'express';
import { authorize } from '../../domain/policy/authorize.js';
import type { Action } from '../../domain/policy/rules.js';
import { RefusalError, demand, standardRefusal } from '../errors.js';
import type { Caller } from '../parts/caller.js';
import type { Session, SignIn, SignedIn } from '../sign-in/sign-in.js';
import { hasSessionCookie, type BySession } from './same-site.js';

const signedIn = new WeakMap<Request, SignedIn>();

/** Returns the sender of a request that passed `authenticate`; undefined before that. */
export function findCaller(req: Request): Caller | undefined {
  return signedIn.get(req)?.caller;
}

/**
 * Returns the sender of the request.
 *
 * @throws Error on a route that is not behind `authenticate`, which is a defect
 */
export function callerOf(req: Request): Caller {
  const caller = findCaller(req);
  if (caller === undefined) throw new Error('This route is not behind authenticate.');
  return caller;
}

/** Returns the name under which a principal is counted: the same name in another space is somebody else. */
export function principalIn({ space, principal }: Caller): string {
  return JSON.stringify([space, principal]);
}

export function stillSignedIn(req: Request): boolean {
  return signedIn.get(req)?.holds() ?? true;
}

export function sessionOf(req: Request): Session | undefined {
  return signedIn.get(req)?.session;
}

export function unauthenticated(): RefusalError {
  return standardRefusal('unauthenticated');
}

const KEY_HEADER = 'X-API-Key: <your key>';
/** The three parts of a signed token; no key that we make has points. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Returns the refusal of a request whose sender is not proven. Unknown, expired and removed keys get the same words,
 * so that it reveals nothing about any key.
 */
function unproven(req: Request, { takesTokens }: SignIn): RefusalError {
  const { key, token } = credentialsOf(req);
  if (key !== '') {
    const accepted = 'a key of this server, which has not expired or been removed';
    return notProven('X-API-Key', 'The key in X-API-Key is not valid here.', accepted);
  }
  if (takesTokens && TOKEN.test(token)) {
    const accepted = 'a token of the issuer for this server, which has not expired';
    return notProven('Authorization', 'The token in Authorization is not valid here.', accepted);
  }
  if (req.get('Authorization') !== undefined) {
    const detail = takesTokens
      ? 'Authorization holds no token of the issuer. If it is an API key, send it as X-API-Key.'
      : 'This server takes no Authorization header. Send your API key as X-API-Key.';
    return notProven('Authorization', detail, KEY_HEADER);
  }
  if (hasSessionCookie(req)) {
    return notProven('Cookie', 'The session of this browser is over.', 'a new sign-in');
  }
  const tokens = takesTokens ? ', or Authorization: Bearer <token of the issuer>' : '';
  return notProven('X-API-Key', 'The request has no API key.', `${KEY_HEADER}${tokens}`);
}

function notProven(field: string, detail: string, accepted: string): RefusalError {
  return new RefusalError({ code: 'unauthenticated', detail, field, accepted });
}

const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/** Returns the token of `Authorization: Bearer`; empty without one. */
function bearerOf(req: Request): string {
  return BEARER.exec(req.get('Authorization')?.trim() ?? '')?.[1] ?? '';
}

function credentialsOf(req: Request) {
  return { key: req.get('X-API-Key') ?? '', token: bearerOf(req) };
}

/** Binds a request to the principal of its key or token, if that is valid. All other requests pass without a caller. */
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
      throw unproven(req, signIn);
    }
    signedIn.set(req, found);
    next();
  };
}

/** Refuses callers whose roles never allow this action (R25-99). Later code judges the rest, once it knows the resource. */
export function requireRight(action: Action): RequestHandler {
  return (req, _res, next) => {
    demand(authorize(callerOf(req), action));
    next();
  };
}
