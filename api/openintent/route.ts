import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Role } from '../../contracts/config.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { RefusalError } from '../errors.js';
import { isEntityId } from '../gateway/references.js';
import type { Caller } from '../gateway/caller.js';
import { jsonBody } from '../http/json-body.js';
import { callerOf, requireRole } from '../http/keys-and-roles.js';
import { addRoute } from '../http/route.js';
import type { RouteMethod } from '../http/route.js';
import { parseFields } from './errors.js';

/** The ids a path of this door may hold, and what is told where there is no such thing. */
const PATH_IDS: Readonly<Record<string, ErrorCode>> = {
  intentId: 'intent_not_found',
  leaseId: 'lease_not_found',
  portfolioId: 'portfolio_not_found',
  taskId: 'task_not_found',
  planId: 'plan_not_found',
  coordinatorId: 'coordinator_not_found',
  subscriptionId: 'subscription_not_found',
};

/** What a handler gets. */
interface Input<Body, Query> {
  readonly req: Request;
  /** For a status other than 200. */
  readonly res: Response;
  /** An id of the path by its name. */
  readonly id: (name: string) => string;
  readonly body: Body;
  readonly query: Query;
}

interface OpenIntentRouteSpec<Body extends z.ZodType, Query extends z.ZodType> {
  readonly method: RouteMethod;
  readonly path: string;
  /** `any` is any key. */
  readonly access: Role | 'any';
  readonly body?: Body;
  readonly query?: Query;
  /** The reply's body; undefined is 204, unless the handler has replied by itself. */
  readonly handle: (input: Input<z.output<Body>, z.output<Query>>) => Promise<unknown>;
}

/** A route of this door as it is mounted. */
export interface OpenIntentRoute {
  readonly method: RouteMethod;
  readonly path: string;
  readonly chain: readonly RequestHandler[];
}

function idOf(req: Request, name: string): string {
  const value = req.params[name];
  if (typeof value === 'string' && isEntityId(value)) return value;
  const code = PATH_IDS[name] ?? 'not_found';
  throw new RefusalError({ code, detail: ERRORS[code][2] });
}

/**
 * A route of this door. Its forms are those of the OpenIntent wire contract, so it is no part of our own
 * OpenAPI document; each success is a 200 unless its handler says otherwise.
 */
export function openIntentRoute<Body extends z.ZodType, Query extends z.ZodType>(
  spec: OpenIntentRouteSpec<Body, Query>,
): OpenIntentRoute {
  const { method, path, access, body, query, handle } = spec;
  const handler: RequestHandler = async (req, res) => {
    const reply = await handle({
      req,
      res,
      id: (name) => idOf(req, name),
      query: (query && parseFields(query, req.query, 'query')) as z.output<Query>,
      body: (body && parseFields(body, req.body, 'body')) as z.output<Body>,
    });
    if (res.headersSent) return;
    if (reply === undefined) res.status(204).end();
    else res.json(reply);
  };
  const guards = access === 'any' ? [] : [requireRole(access)];
  return { method, path, chain: [...guards, ...(body ? jsonBody : []), handler] };
}

/** A router with these routes; another method of a path is 405. */
export function mountOpenIntent(routes: readonly OpenIntentRoute[]): Router {
  const router = Router();
  const paths = new Map<string, Partial<Record<RouteMethod, OpenIntentRoute['chain']>>>();
  for (const { path, method, chain } of routes) {
    paths.set(path, { ...paths.get(path), [method]: chain });
  }
  for (const [path, handlers] of paths) addRoute(router, path, handlers);
  return router;
}

/** The agent that `X-Agent-ID` names; undefined where it is missing or empty. */
export function agentIdOf(req: Request): string | undefined {
  const sent = req.get('X-Agent-ID')?.trim().slice(0, LIMITS.nameCharacters);
  return sent === '' ? undefined : sent;
}

/** A caller of this door. */
type OpenIntentCaller = Caller & Required<Pick<Caller, 'openintent'>>;

/**
 * The caller of this door: what it may do follows from its key alone, while the events it causes name the
 * agent of `X-Agent-ID`.
 *
 * @param actor - a name in the body, which goes before that
 */
export function openIntentCaller(req: Request, actor?: string): OpenIntentCaller {
  const caller = callerOf(req);
  return { ...caller, openintent: { actor: actor ?? agentIdOf(req) ?? caller.principal } };
}
