import { Router, type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { roleSchema } from '../../contracts/people/api-key.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import {
  loginQuerySchema,
  openSessionSchema,
  sessionSchema,
  signInMethodsSchema,
  type SessionView,
} from '../../contracts/people/session.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import { refusalOf } from '../errors.js';
import type { Caller } from '../parts/caller.js';
import { jsonOf, parseInput } from '../http/input.js';
import { authenticate, sessionOf, unauthenticated } from '../http/keys-and-roles.js';
import {
  boundPathOf,
  endpointOf,
  finderOf,
  logFailedLogins,
  mount,
  runFor,
  type Binding,
  type Endpoint,
  type Guards,
  type RouteCall,
  type RouteServices,
} from '../http/route.js';
import {
  clearLoginCookie,
  clearSessionCookie,
  demandNavigation,
  demandSameSite,
  hasLoginCookie,
  loginCookieOf,
  sessionCookieOf,
  setLoginCookie,
  setSessionCookie,
} from '../http/same-site.js';
import { limitSignIns, noteFailedSignIn } from '../http/middleware.js';
import {
  openSession,
  readSession,
  endSession,
  signInMethods,
  beginSignIn,
  finishSignIn,
} from '../usecases/session/sessions.js';
import type { UseCase } from '../usecases/usecase.js';
import type { Session } from '../sign-in/sign-in.js';
import type { DescribedRoute } from '../v1/route.js';

const LOGIN_PATH = '/login';
const CALLBACK_PATH = '/callback';
const ON_THE_WAY: readonly (string | undefined)[] = [LOGIN_PATH, CALLBACK_PATH];
/** The refusals on these paths before their operation runs. */
const ON_THE_WAY_ERRORS = ['cross_site', 'too_many_sign_ins'] as const;

function viewOf(
  { space, principal, roles }: Caller,
  { csrf, expires_at, idle_expires_at }: Session,
  { image_hosts }: ServerConfig,
): SessionView {
  const named = roleSchema.options.filter((role) => roles.includes(role));
  return { space, principal, roles: named, csrf, expires_at, idle_expires_at, image_hosts };
}

/** Returns the session of the request. Throws RefusalError `unauthenticated` if a key or a token signed it in. */
function ownSession({ req }: RouteCall): Session {
  const session = sessionOf(req);
  if (session === undefined) throw unauthenticated();
  return session;
}

async function open(call: RouteCall): Promise<void> {
  const { req, res, config } = call;
  const body = parseInput(openSessionSchema, req.body);
  const earlier = sessionCookieOf(req, config.public_url);
  const { token, caller, session } = await runFor(call, openSession)(body, earlier);
  setSessionCookie(res, config.public_url, token);
  res.json(viewOf(caller, session, config));
}

async function read(call: RouteCall): Promise<void> {
  const session = await runFor(call, readSession)(ownSession(call));
  call.res.json(viewOf(call.caller, session, call.config));
}

/** Ends the session and, at once, its open requests in this process. */
async function end(call: RouteCall): Promise<void> {
  const { res, config, longPolls } = call;
  await runFor(call, endSession)(ownSession(call));
  longPolls.endRevoked();
  clearSessionCookie(res, config.public_url);
  res.status(204).end();
}

async function methods(call: RouteCall): Promise<void> {
  call.res.json(await runFor(call, signInMethods)());
}

async function toIssuer(call: RouteCall): Promise<void> {
  const { req, res, config } = call;
  const { return_to } = parseInput(loginQuerySchema, req.query);
  // Read now: the browser will not send this cookie when it comes back, because the issuer is another site.
  const earlier = sessionCookieOf(req, config.public_url);
  const { url, sealed } = await runFor(call, beginSignIn)(return_to, earlier);
  setLoginCookie(res, config.public_url, sealed);
  res.redirect(303, url);
}

/** Finishes the sign-in of a browser that comes back from the issuer, and redirects it to its page. */
async function fromIssuer(call: RouteCall): Promise<void> {
  const { req, res, config } = call;
  clearLoginCookie(res, config.public_url);
  const query = req.originalUrl.split('?')[1] ?? '';
  const finish = runFor(call, finishSignIn);
  const { opened, returnTo } = await finish(query, loginCookieOf(req, config.public_url));
  setSessionCookie(res, config.public_url, opened.token);
  res.redirect(303, returnTo);
}

/** Whether a request tries to sign in: one that comes back without the cookie of its sign-in does not. */
function isTry(req: Request): boolean {
  return boundPathOf(req) !== CALLBACK_PATH || hasLoginCookie(req);
}

/** Whether the page only asks if its browser is signed in, before any sign-in. */
function isFirstLook(req: Request, publicUrl: string | undefined): boolean {
  const isLook = req.method === 'GET' && boundPathOf(req) === '/';
  return isLook && sessionCookieOf(req, publicUrl) === undefined && !hasKeyOrToken(req);
}

function hasKeyOrToken(req: Request): boolean {
  return req.get('X-API-Key') !== undefined || req.get('Authorization') !== undefined;
}

/** Redirects a refused browser on its way to the sign-in page, which says what was wrong, instead of a problem document. */
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

type SessionRoute = Binding & DescribedRoute;

function route(
  operation: UseCase,
  at: Endpoint,
  spec: Omit<SessionRoute, 'id' | 'operation' | 'headers' | 'takesBody' | 'method' | 'path'>,
): SessionRoute {
  const takesBody = spec.body !== undefined;
  return { id: operation.name, operation, ...endpointOf(at), headers: [], takesBody, ...spec };
}

export const SESSION_ROUTES: readonly SessionRoute[] = [
  route(openSession, 'POST /', {
    summary: 'Signs in with a browser, by a key or the token of a one-time link',
    body: jsonOf(openSessionSchema),
    replies: { 200: { description: 'The session; its cookie is set.', body: sessionSchema } },
    serve: open,
  }),
  route(readSession, 'GET /', {
    summary: 'Says who is signed in, and until when',
    replies: { 200: { description: 'The session.', body: sessionSchema } },
    serve: read,
  }),
  route(endSession, 'DELETE /', {
    summary: 'Signs out of this browser',
    replies: { 204: { description: 'The session has ended.' } },
    serve: end,
  }),
  route(signInMethods, 'GET /methods', {
    summary: 'Says how people can sign in here',
    replies: { 200: { description: 'The ways there are.', body: signInMethodsSchema } },
    serve: methods,
  }),
  route(beginSignIn, 'GET /login', {
    summary: 'Sends a browser to the issuer',
    query: loginQuerySchema,
    replies: { 303: { description: 'Leads to the issuer.', headers: ['Location'] } },
    errors: ON_THE_WAY_ERRORS,
    serve: toIssuer,
  }),
  route(finishSignIn, 'GET /callback', {
    summary: 'Takes a browser that comes back from the issuer',
    replies: {
      303: { description: 'Leads to the page of `return_to`.', headers: ['Location'] },
    },
    errors: ON_THE_WAY_ERRORS,
    serve: fromIssuer,
  }),
];

/** Applies a check only to requests that need a session, and so not to sign-ins. */
function unlessOpen(guard: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    const isOpen = boundPathOf(req) !== '/' || req.method === 'POST';
    if (isOpen) next();
    else await guard(req, res, next);
  };
}

/** Refuses requests of pages of other sites, before they count as tries of the person at the browser. */
function refuseOtherSites({ config }: RouteServices): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'POST') demandSameSite(req, config.public_url);
    // The issuer, another site, redirects back here, but only browsers that navigate.
    if (ON_THE_WAY.includes(boundPathOf(req))) demandNavigation(req);
    next();
  };
}

export function sessionRoutes(
  services: RouteServices,
  { signIn, bySession, limit, log }: Guards,
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
