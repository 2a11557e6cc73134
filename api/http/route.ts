import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import type { ApiKey } from '../../contracts/config.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { FeedHub } from '../../store/feed/hub.js';
import { RefusalError } from '../errors.js';
import type { Caller } from '../gateway/caller.js';
import type {
  Access,
  Call,
  InputOf,
  Operation,
  ResultOf,
  Services,
} from '../operations/operation.js';
import { jsonBody } from './json-body.js';
import { authenticate, callerOf, requireRole } from './keys-and-roles.js';
import type { LongPolls } from './long-polls.js';

/** What routes work with, besides operations. */
export interface RouteServices extends Services {
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
  /** Reads the request, runs the operation and replies. */
  readonly serve: (call: RouteCall) => Promise<void>;
}

/** The operation as a handler runs it, in the name of its caller. */
export type Run<Op extends Operation> = (...input: InputOf<Op>) => Promise<ResultOf<Op>>;

/** Binds an operation to the one who calls it: every handler gets to its operation through this. */
export function runFor<Op extends Operation>(call: Call, { run }: Op): Run<Op> {
  return (...input) => run(call, ...(input as unknown as never[])) as Promise<ResultOf<Op>>;
}

export type RouteMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';
type RouteHandlers = Readonly<Partial<Record<RouteMethod, readonly RequestHandler[]>>>;

const VERBS: readonly RouteMethod[] = ['get', 'post', 'put', 'patch', 'delete'];
const patterns = new WeakMap<Request, string>();

/** The pattern of the route that took the request, e.g. `/v1/intents/:intentId`, for the log. */
export function routePatternOf(req: Request): string | undefined {
  return patterns.get(req);
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

/** Who calls what needs no key. */
const ANYONE: Caller = { principal: '', roles: new Set() };

function guardsOf(access: Access, takesBody: boolean): readonly RequestHandler[] {
  const role = access === 'any' || access === 'public' ? [] : [requireRole(access)];
  return takesBody ? [...role, ...jsonBody] : role;
}

function chainOf(services: RouteServices, binding: Binding): readonly RequestHandler[] {
  const { operation, takesBody, serve } = binding;
  const { access } = operation;
  return [
    ...guardsOf(access, takesBody),
    async (req, res) => {
      const caller = access === 'public' ? ANYONE : callerOf(req);
      await serve({ ...services, caller, req, res });
    },
  ];
}

/** A router with these routes, those of one path together, in the order in which they come. */
export function mount(services: RouteServices, bindings: readonly Binding[]): Router {
  const router = Router();
  const paths = new Map<string, Partial<Record<RouteMethod, readonly RequestHandler[]>>>();
  for (const binding of bindings) {
    const { path, method } = binding;
    paths.set(path, { ...paths.get(path), [method]: chainOf(services, binding) });
  }
  for (const [path, handlers] of paths) addRoute(router, path, handlers);
  return router;
}

/** The same for a whole API: all but what is public needs a key, before anything else. */
export function mountApi(
  services: RouteServices,
  keys: readonly ApiKey[],
  bindings: readonly Binding[],
): Router {
  const isOpen = ({ operation }: Binding): boolean => operation.access === 'public';
  return Router().use(
    mount(services, bindings.filter(isOpen)),
    authenticate(keys),
    mount(
      services,
      bindings.filter((binding) => !isOpen(binding)),
    ),
  );
}
