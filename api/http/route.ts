import { Router } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { authorize } from '../../domain/policy/authorize.js';
import { isPublic } from '../../domain/policy/rules.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { RefusalError, refusalOf } from '../errors.js';
import { inRequest } from '../gateway/calls/request.js';
import type { Caller } from '../gateway/caller.js';
import type { Gateways } from '../gateway/index.js';
import type { Call, InputOf, Operation, ResultOf, Services } from '../operations/operation.js';
import { demandAccess } from '../operations/visibility.js';
import type { SignIn } from '../sign-in/sign-in.js';
import { jsonBody } from './json-body.js';
import { authenticate, callerOf, findCaller, recognize, requireRight } from './keys-and-roles.js';
import type { LongPolls } from './long-polls.js';
import { requestIdOf } from './problem.js';
import { servedInSpan } from './request-span.js';
import type { BySession } from './same-site.js';
import { refuseUnsoundUrl } from './sound-text.js';

/** What routes work with, besides operations. */
export interface RouteServices extends Services {
  readonly gateways: Gateways;
  readonly feed: FeedHub;
  readonly longPolls: LongPolls;
}

/** One request, and who sent it. */
export interface RouteCall extends RouteServices, Call {
  readonly req: Request;
  readonly res: Response;
}

/**
 * An operation as one API offers it: under a method and a path. Each API has its own forms, and its own
 * order in which it checks what was sent.
 */
export interface Binding {
  readonly operation: Operation;
  readonly method: RouteMethod;
  readonly path: string;
  readonly takesBody: boolean;
  /** What judges the body first, where a schema does. */
  readonly bodySchema?: z.ZodType | undefined;
  /** Reads the request, runs the operation and replies. */
  readonly serve: (call: RouteCall) => Promise<void>;
  /** What follows from a refusal of the request, also of its body; resolves with the error that is sent. */
  readonly afterRefusal?: ((call: RouteCall, error: unknown) => Promise<unknown>) | undefined;
}

/** The operation as a handler runs it, in the name of its caller. */
export type Run<Op extends Operation> = (...input: InputOf<Op>) => Promise<ResultOf<Op>>;

/** Binds an operation to the one who calls it: every handler gets to its operation, and past access lists, through this. */
export function runFor<Op extends Operation>(call: Call, operation: Op): Run<Op> {
  return async (...input) => {
    await demandAccess(call, operation, input);
    return operation.run(call, ...(input as unknown as never[])) as Promise<ResultOf<Op>>;
  };
}

export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Handlers = readonly (RequestHandler | ErrorRequestHandler)[];
type RouteHandlers = Readonly<Partial<Record<RouteMethod, Handlers>>>;

const VERBS: readonly RouteMethod[] = ['get', 'post', 'put', 'patch', 'delete'];
const patterns = new WeakMap<Request, string>();
const boundPaths = new WeakMap<Request, string>();

/** The pattern of the route that took the request, e.g. `/v1/intents/:intentId`, for the log. */
export function routePatternOf(req: Request): string | undefined {
  return patterns.get(req);
}

/**
 * The path of the binding that a finder has found for the request; undefined if none takes it. A sender can write one path
 * in several ways (`/`, `//`), so what is decided by path is decided by this.
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
  route.all((req, _res, next) => {
    patterns.set(req, `${req.baseUrl}${path}`);
    next();
  });
  for (const verb of VERBS) {
    const chain = handlers[verb];
    if (chain !== undefined) route[verb](...chain);
  }
  route.all((_req, res) => {
    res.setHeader('Allow', allowed(handlers));
    throw new RefusalError({ code: 'method_not_allowed', detail: ERRORS.method_not_allowed[2] });
  });
}

/** The caller of a route that needs no key. */
const ANYONE: Caller = { space: DEFAULT_SPACE, principal: '', roles: [], groups: [] };

function guardsOf({ operation, takesBody }: Binding, signIn?: SignIn): readonly RequestHandler[] {
  const right = isPublic(operation.name) ? [] : [requireRight(operation.name)];
  const known = signIn && operation.tellsCallersMore === true ? [recognize(signIn)] : [];
  return [...right, ...known, refuseUnsoundUrl, ...(takesBody ? jsonBody : [])];
}

function chainOf(services: RouteServices, binding: Binding, signIn?: SignIn): Handlers {
  const { operation, serve } = binding;
  return [
    ...guardsOf(binding, signIn),
    async (req: Request, res: Response) => {
      const caller = isPublic(operation.name) ? (findCaller(req) ?? ANYONE) : callerOf(req);
      const gateway = services.gateways(caller.space);
      await inRequest(leftBy(res), () =>
        servedInSpan(req, operation.name, () => serve({ ...services, gateway, caller, req, res })),
      );
    },
    ...refusedChain(services, binding),
  ];
}

function refusedChain(services: RouteServices, { operation, afterRefusal }: Binding): Handlers {
  if (afterRefusal === undefined) return [];
  const followed: ErrorRequestHandler = async (error: unknown, req, res, next) => {
    const caller = findCaller(req);
    if (caller === undefined || !authorize(caller, operation.name).ok) {
      next(error);
      return;
    }
    const gateway = services.gateways(caller.space);
    next(await afterRefusal({ ...services, gateway, caller, req, res }, error));
  };
  return [followed];
}

/** One for all: every request ends so, and without a reason each would make an error and take its stack trace. */
const LEFT = new Error('the client is gone, or has its reply');

/** Aborts once the client is gone, or has its reply. */
function leftBy(res: Response): AbortSignal {
  const left = new AbortController();
  res.once('close', () => left.abort(LEFT));
  if (res.closed) left.abort(LEFT);
  return left.signal;
}

/**
 * A router with these routes, those of one path together, in the order in which they come.
 *
 * @param signIn - recognizes callers on public routes that tell them more
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

/** What a request has to pass before it gets to a route that needs a key. */
export interface Door {
  readonly signIn: SignIn;
  /** Signs requests of browsers in; without it there are no sessions. */
  readonly bySession?: BySession | undefined;
  /** Limits the requests of each caller. */
  readonly limit: RequestHandler;
  readonly log: Logger;
}

/** Finds the route that would take a request, for what is decided before it, and for the log of one that gets to none. */
export function finderOf(bindings: readonly Binding[]): Router {
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

/** The refusals of one who could not sign in, and not because the issuer is away. */
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
 * Logs a request whose sender could not sign in: where from and what for, and nothing that it sent as proof. `isLogin` leaves
 * out those that tried nothing.
 */
export function logFailedLogins(
  log: Logger,
  finder: Router,
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
          // As the sender or a proxy claims it.
          ...(forwarded !== undefined && { forwarded_for: forwarded }),
        };
        log.warn(fields, 'login failed');
      }
      next(error);
    });
  };
}

/** The same for a whole API: all but what is public needs a key or a token, before anything else. */
export function mountApi(
  services: RouteServices,
  { signIn, bySession, limit, log }: Door,
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
