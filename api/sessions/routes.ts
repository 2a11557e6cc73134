import { Router } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { roleSchema } from '../../contracts/api-key.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import {
  loginQuerySchema,
  openSessionSchema,
  sessionSchema,
  signInMethodsSchema,
} from '../../contracts/session.js';
import type { SessionView } from '../../contracts/session.js';
import { refusalOf } from '../errors.js';
import type { Caller } from '../gateway/caller.js';
import { jsonOf, parseInput } from '../http/input.js';
import { authenticate, sessionOf, unauthenticated } from '../http/keys-and-roles.js';
import { boundPathOf, finderOf, logFailedLogins, mount, runFor } from '../http/route.js';
import type { Binding, Door, RouteCall, RouteServices } from '../http/route.js';
import { demandNavigation, demandSameSite } from '../http/same-site.js';
import {
  clearLoginCookie,
  clearSessionCookie,
  hasLoginCookie,
  loginCookieOf,
  sessionCookieOf,
  setLoginCookie,
  setSessionCookie,
} from '../http/session-cookie.js';
import { limitSignIns, noteFailedSignIn } from '../http/sign-in-limit.js';
import { SESSIONS } from '../operations/session.js';
import type { Operation } from '../operations/operation.js';
import type { Session } from '../sign-in/sign-in.js';
import type { DescribedRoute } from '../v1/route.js';

const LOGIN_PATH = '/login';
const CALLBACK_PATH = '/callback';
/** Where a browser goes to sign in at the issuer, and comes back. */
const ON_THE_WAY: readonly (string | undefined)[] = [LOGIN_PATH, CALLBACK_PATH];
/** What a browser on its way may be refused with before it gets to an operation. */
const ON_THE_WAY_ERRORS = ['cross_site', 'too_many_sign_ins'] as const;

function viewOf({ space, principal, roles }: Caller, session: Session): SessionView {
  const { csrf, expires_at, idle_expires_at } = session;
  const named = roleSchema.options.filter((role) => roles.includes(role));
  return { space, principal, roles: named, csrf, expires_at, idle_expires_at };
}

/** The session of the request. Throws RefusalError `unauthenticated` if a key or a token has proven its sender. */
function ownSession({ req }: RouteCall): Session {
  const session = sessionOf(req);
  if (session === undefined) throw unauthenticated();
  return session;
}

/** Opens a session, and ends the one that the browser had before. */
async function open(call: RouteCall): Promise<void> {
  const { req, res, config } = call;
  const body = parseInput(openSessionSchema, req.body);
  const earlier = sessionCookieOf(req, config.public_url);
  const { token, caller, session } = await runFor(call, SESSIONS.openSession)(body, earlier);
  setSessionCookie(res, config.public_url, token);
  res.json(viewOf(caller, session));
}

async function read(call: RouteCall): Promise<void> {
  const session = await runFor(call, SESSIONS.readSession)(ownSession(call));
  call.res.json(viewOf(call.caller, session));
}

/** Ends the session and, at once, what it holds open in this process. */
async function end(call: RouteCall): Promise<void> {
  const { res, config, longPolls } = call;
  await runFor(call, SESSIONS.endSession)(ownSession(call));
  longPolls.endRevoked();
  clearSessionCookie(res, config.public_url);
  res.status(204).end();
}

async function methods(call: RouteCall): Promise<void> {
  call.res.json(await runFor(call, SESSIONS.signInMethods)());
}

/** Sends the browser to the issuer. */
async function beginSignIn(call: RouteCall): Promise<void> {
  const { req, res, config } = call;
  const { return_to } = parseInput(loginQuerySchema, req.query);
  // When it comes back, the browser keeps the cookie to itself: the issuer is another site.
  const earlier = sessionCookieOf(req, config.public_url);
  const { url, sealed } = await runFor(call, SESSIONS.beginSignIn)(return_to, earlier);
  setLoginCookie(res, config.public_url, sealed);
  res.redirect(303, url);
}

/** Takes a browser that comes back from the issuer, and leads it on. */
async function finishSignIn(call: RouteCall): Promise<void> {
  const { req, res, config } = call;
  clearLoginCookie(res, config.public_url);
  const query = req.originalUrl.split('?')[1] ?? '';
  const finish = runFor(call, SESSIONS.finishSignIn);
  const { opened, returnTo } = await finish(query, loginCookieOf(req, config.public_url));
  setSessionCookie(res, config.public_url, opened.token);
  res.redirect(303, returnTo);
}

/** Whoever comes back without what a browser was given at the beginning guesses nothing. */
function isTry(req: Request): boolean {
  return boundPathOf(req) !== CALLBACK_PATH || hasLoginCookie(req);
}

/** The page asks whether its browser is signed in, before anybody has tried to. */
function isFirstLook(req: Request, publicUrl: string | undefined): boolean {
  const isLook = req.method === 'GET' && boundPathOf(req) === '/';
  return isLook && sessionCookieOf(req, publicUrl) === undefined && !hasKeyOrToken(req);
}

function hasKeyOrToken(req: Request): boolean {
  return req.get('X-API-Key') !== undefined || req.get('Authorization') !== undefined;
}

/** A browser on its way gets a page and no problem document: that of signing in, which says what was wrong. */
const backToInbox: ErrorRequestHandler = (error: unknown, req, res, next) => {
  const code = refusalOf(error)?.code;
  const isOnItsWay = ON_THE_WAY.includes(boundPathOf(req));
  if (code === undefined || !isOnItsWay) {
    next(error);
    return;
  }
  if (ERRORS[code][0] < 500 && isTry(req)) noteFailedSignIn(res);
  res.redirect(303, `/inbox?sign_in=${code}`);
};

/** A route as it is mounted and described. */
type SessionRoute = Binding & DescribedRoute;

function route(
  operation: Operation,
  spec: Omit<SessionRoute, 'id' | 'operation' | 'headers' | 'takesBody'>,
): SessionRoute {
  const takesBody = spec.body !== undefined;
  return { id: operation.name, operation, headers: [], takesBody, ...spec };
}

/** Where people sign in with a browser: `/session`. */
export const SESSION_ROUTES: readonly SessionRoute[] = [
  route(SESSIONS.openSession, {
    method: 'post',
    path: '/',
    summary: 'Signs in with a browser, by a key or the token of a one-time link',
    body: jsonOf(openSessionSchema),
    replies: { 200: { description: 'The session; its cookie is set.', body: sessionSchema } },
    serve: open,
  }),
  route(SESSIONS.readSession, {
    method: 'get',
    path: '/',
    summary: 'Says who is signed in, and until when',
    replies: { 200: { description: 'The session.', body: sessionSchema } },
    serve: read,
  }),
  route(SESSIONS.endSession, {
    method: 'delete',
    path: '/',
    summary: 'Signs out of this browser',
    replies: { 204: { description: 'The session has ended.' } },
    serve: end,
  }),
  route(SESSIONS.signInMethods, {
    method: 'get',
    path: '/methods',
    summary: 'Says how people can sign in here',
    replies: { 200: { description: 'The ways there are.', body: signInMethodsSchema } },
    serve: methods,
  }),
  route(SESSIONS.beginSignIn, {
    method: 'get',
    path: LOGIN_PATH,
    summary: 'Sends a browser to the issuer',
    query: loginQuerySchema,
    replies: { 303: { description: 'Leads to the issuer.', headers: ['Location'] } },
    errors: ON_THE_WAY_ERRORS,
    serve: beginSignIn,
  }),
  route(SESSIONS.finishSignIn, {
    method: 'get',
    path: CALLBACK_PATH,
    summary: 'Takes a browser that comes back from the issuer',
    replies: {
      303: { description: 'Leads to the page of `return_to`.', headers: ['Location'] },
    },
    errors: ON_THE_WAY_ERRORS,
    serve: finishSignIn,
  }),
];

/** Lets pass what needs no session yet: signing in, and the ways to do so. */
function unlessOpen(guard: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    const isOpen = boundPathOf(req) !== '/' || req.method === 'POST';
    if (isOpen) next();
    else await guard(req, res, next);
  };
}

/** Refuses what a page of another site sends, before it counts as a try of whoever has the browser. */
function refuseOtherSites({ config }: RouteServices): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'POST') demandSameSite(req, config.public_url);
    // The issuer, which is another site, leads back here; only a browser that goes there is led.
    if (ON_THE_WAY.includes(boundPathOf(req))) demandNavigation(req);
    next();
  };
}

/** The routes below `/session`. */
export function sessionRoutes(
  services: RouteServices,
  { signIn, bySession, limit, log }: Door,
): Router {
  const finder = finderOf(SESSION_ROUTES);
  return Router().use(
    finder,
    refuseOtherSites(services),
    ...limitSignIns(),
    unlessOpen(authenticate(signIn, bySession)),
    unlessOpen(limit),
    mount(services, SESSION_ROUTES),
    logFailedLogins(log, finder, (req) => !isFirstLook(req, services.config.public_url)),
    backToInbox,
  );
}
