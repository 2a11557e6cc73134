import type { Request, RequestHandler, Router } from 'express';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';

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
export function addRoute(router: Router, path: string, handlers: RouteHandlers): void {
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
