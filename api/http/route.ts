import {
  Router,
  type ErrorRequestHandler,
  type IRoute,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { WRITTEN_HEADER } from '../../contracts/constants/headers.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { authorize } from '../../domain/policy/authorize.js';
import { isPublic } from '../../domain/policy/rules.js';
import { inSpan } from '../../runtime/tracing/tracing.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { refusalOf, standardRefusal } from '../errors.js';
import { inRequest } from '../parts/calls/request.js';
import type { Caller } from '../parts/caller.js';
import type { Call, InputOf, ResultOf, Services, UseCase } from '../usecases/usecase.js';
import { demandAccess } from '../usecases/visibility.js';
import type { SignIn } from '../sign-in/sign-in.js';
import { jsonBody } from './json-body.js';
import { authenticate, callerOf, findCaller, recognize, requireRight } from './keys-and-roles.js';
import type { LongPolls } from './long-polls.js';
import { requestIdOf } from './problem.js';
import { tellWait } from './reply.js';
import { spanOf } from './request-span.js';
import type { BySession } from './same-site.js';
import { refuseUnsoundUrl } from './sound-text.js';

export interface RouteServices extends Services {
  readonly feed: FeedHub;
  readonly longPolls: LongPolls;
}

export interface RouteCall extends RouteServices, Call {
  readonly req: Request;
  readonly res: Response;
}

/**
 * An operation as one API offers it: under a method and a path. Each API has its own forms, and its own order of checks.
 */
export interface Binding {
  readonly operation: UseCase;
  readonly method: RouteMethod;
  readonly path: string;
  readonly takesBody: boolean;
  readonly bodyBytes?: number;
  /** The schema that judges the body first, if one does. */
  readonly bodySchema?: z.ZodType | undefined;
  /** Reads the request, runs the operation and replies. */
  readonly serve: (call: RouteCall) => Promise<void>;
  /** Follows up on a refusal of the request, also of its body; resolves with the error to send. */
  readonly afterRefusal?: ((call: RouteCall, error: unknown) => Promise<unknown>) | undefined;
}

export type Run<U extends UseCase> = (...input: InputOf<U>) => Promise<ResultOf<U>>;

/** Returns an operation as the caller may run it: it first asks the access list of the intent. Every handler uses this. */
export function runFor<U extends UseCase>(call: Call & Services, useCase: U): Run<U> {
  return async (...input) => {
    await demandAccess(call, useCase, input);
    return useCase.run(call, ...(input as unknown as never[])) as Promise<ResultOf<U>>;
  };
}

export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The method and the path of a route, such as `POST /intents/:intentId/status`. */
export type Endpoint = `${Uppercase<RouteMethod>} /${string}`;

export function endpointOf(endpoint: Endpoint): Pick<Binding, 'method' | 'path'> {
  const [verb = '', path = ''] = endpoint.split(' ');
  return { method: verb.toLowerCase() as RouteMethod, path };
}

type Handlers = readonly (RequestHandler | ErrorRequestHandler)[];
type RouteHandlers = Readonly<Partial<Record<RouteMethod, Handlers>>>;

const VERBS: readonly RouteMethod[] = ['get', 'post', 'put', 'patch', 'delete'];
const patterns = new WeakMap<Request, string>();
const boundPaths = new WeakMap<Request, string>();

/** Returns the pattern of the route that took the request, such as `/v1/intents/:intentId`, for the log. */
export function routePatternOf(req: Request): string | undefined {
  return patterns.get(req);
}

/**
 * Returns the path of the binding that a finder found for the request. Decisions go by this path, because a sender
 * can write one path in several ways (`/`, `//`).
 */
export function boundPathOf(req: Request): string | undefined {
  return boundPaths.get(req);
}

function allowed(handlers: RouteHandlers): string {
  const verbs = VERBS.filter((verb) => handlers[verb] !== undefined);
  return verbs
    .flatMap((verb) => (verb === 'get' ? ['GET', 'HEAD'] : verb.toUpperCase()))
    .join(', ');
}

/**
 * Adds one path with a handler chain for each method; any other method is 405 with `Allow`
 * (RFC 9110 §15.5.6).
 */
function addRoute(router: Router, path: string, handlers: RouteHandlers): void {
  const route = router.route(path);
  let isFilled = false;
  route.all((req, _res, next) => {
    patterns.set(req, `${req.baseUrl}${path}`);
    // Filled on first use: each handler costs Express a regular expression, and most routes are seldom asked for.
    if (!isFilled) fillRoute(route, handlers);
    isFilled = true;
    next();
  });
}

function fillRoute(route: IRoute, handlers: RouteHandlers): void {
  for (const verb of VERBS) {
    const chain = handlers[verb];
    if (chain !== undefined) route[verb](...chain);
  }
  route.all((_req, res) => {
    res.setHeader('Allow', allowed(handlers));
    throw standardRefusal('method_not_allowed');
  });
}

const ANYONE: Caller = { space: DEFAULT_SPACE, principal: '', roles: [], groups: [] };

function guardsOf({ operation, ...sent }: Binding, signIn?: SignIn): readonly RequestHandler[] {
  const right = isPublic(operation.name) ? [] : [requireRight(operation.name)];
  const known = signIn && operation.tellsCallersMore === true ? [recognize(signIn)] : [];
  return [...right, ...known, refuseUnsoundUrl, ...jsonBody(sent)];
}

function chainOf(services: RouteServices, binding: Binding, signIn?: SignIn): Handlers {
  const { operation, serve } = binding;
  return [
    ...guardsOf(binding, signIn),
    async (req: Request, res: Response) => {
      const caller = isPublic(operation.name) ? (findCaller(req) ?? ANYONE) : callerOf(req);
      const call = { ...services, ...scopeOf(services, caller), req, res };
      call.parts.writtenHeader.takeIn(req.get(WRITTEN_HEADER));
      const span = spanOf(req, operation.name);
      await inRequest(leftBy(res), () => inSpan(span, () => serve(call)), tellWait(res));
    },
    ...refusedChain(services, binding),
  ];
}

function scopeOf({ partsOf }: RouteServices, caller: Caller) {
  return { caller, parts: partsOf(caller.space) };
}

function refusedChain(services: RouteServices, { operation, afterRefusal }: Binding): Handlers {
  if (afterRefusal === undefined) return [];
  const followed: ErrorRequestHandler = async (error: unknown, req, res, next) => {
    const caller = findCaller(req);
    if (caller === undefined || !authorize(caller, operation.name).ok) {
      next(error);
      return;
    }
    next(await afterRefusal({ ...services, ...scopeOf(services, caller), req, res }, error));
  };
  return [followed];
}

/** The reason of every abort. Without a shared one, each request would create an error with a stack trace. */
const LEFT = new Error('the client is gone, or has its reply');

function leftBy(res: Response): AbortSignal {
  const left = new AbortController();
  res.once('close', () => left.abort(LEFT));
  if (res.closed) left.abort(LEFT);
  return left.signal;
}

/**
 * Returns a router with these routes in their order. Routes of one path share an entry.
 *
 * @param signIn - recognizes callers on public routes that tell known callers more
 */
export function mount(
  services: RouteServices,
  bindings: readonly Binding[],
  signIn?: SignIn,
): Router {
  const router = Router();
  const paths = new Map<string, Partial<Record<RouteMethod, Handlers>>>();
  for (const binding of bindings) {
    const { path, method } = binding;
    paths.set(path, { ...paths.get(path), [method]: chainOf(services, binding, signIn) });
  }
  for (const [path, handlers] of paths) addRoute(router, path, handlers);
  return router;
}

export interface Guards {
  readonly signIn: SignIn;
  /** Signs browsers in by their sessions; without it there are none. */
  readonly bySession?: BySession | undefined;
  readonly limit: RequestHandler;
  readonly log: Logger;
}

/**
 * Returns a handler that finds the route of a request: for checks before that route, and for the log of requests that
 * reach none. It is built on first use.
 */
export function finderOf(bindings: readonly Binding[]): RequestHandler {
  let finder: Router | undefined;
  return (req, res, next) => {
    finder ??= newFinder(bindings);
    finder(req, res, next);
  };
}

function newFinder(bindings: readonly Binding[]): Router {
  const router = Router();
  for (const path of new Set(bindings.map((binding) => binding.path))) {
    router.all(path, (req, _res, next) => {
      patterns.set(req, `${req.baseUrl}${path}`);
      boundPaths.set(req, path);
      next('router');
    });
  }
  return router;
}

const ADDRESS_CHARACTERS = 200;

/** Refusals that mean a failed sign-in, as opposed to an issuer that is away. */
const FAILED_LOGINS: ReadonlySet<ErrorCode | undefined> = new Set([
  'unauthenticated',
  'too_many_groups',
  'too_many_sign_ins',
  'sign_in_failed',
  'sign_in_link_used',
  'sign_in_link_expired',
  'cross_site',
  'csrf_token_missing',
]);

/**
 * Logs a request whose sender could not sign in: its address and route, but no credentials.
 *
 * @param isLogin - whether the request tried to sign in; others are not logged
 */
export function logFailedLogins(
  log: Logger,
  finder: RequestHandler,
  isLogin: (req: Request) => boolean = () => true,
): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    finder(req, res, () => {
      const code = refusalOf(error)?.code;
      if (FAILED_LOGINS.has(code) && isLogin(req)) {
        const forwarded = req.get('X-Forwarded-For')?.slice(0, ADDRESS_CHARACTERS);
        const fields = {
          request_id: requestIdOf(res),
          code,
          method: req.method,
          route: routePatternOf(req) ?? null,
          address: req.socket.remoteAddress ?? null,
          // The sender or a proxy claims this; nobody has checked it.
          ...(forwarded !== undefined && { forwarded_for: forwarded }),
        };
        log.warn(fields, 'login failed');
      }
      next(error);
    });
  };
}

/** Mounts a whole API: every route that is not public needs a key or a token before anything else. */
export function mountApi(
  services: RouteServices,
  { signIn, bySession, limit, log }: Guards,
  bindings: readonly Binding[],
): Router {
  const isOpen = ({ operation }: Binding): boolean => isPublic(operation.name);
  const open = bindings.filter(isOpen);
  const closed = bindings.filter((binding) => !isOpen(binding));
  return Router().use(
    mount(services, open, signIn),
    authenticate(signIn, bySession),
    limit,
    logFailedLogins(log, finderOf(closed)),
    mount(services, closed),
  );
}
