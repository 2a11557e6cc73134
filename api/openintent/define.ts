import type { Request, RequestHandler, Response } from 'express';
import { Router } from 'express';
import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { Role } from '../../contracts/config.js';
import { RefusalError } from '../errors.js';
import { isEntityId } from '../gateway/ids.js';
import { addRoute } from '../http/add-route.js';
import type { RouteMethod } from '../http/add-route.js';
import { jsonBody } from '../middleware/json-body.js';
import { requireRole } from '../middleware/roles.js';
import { parseFields } from './field-errors.js';

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

interface DoorSpec<Body extends z.ZodType, Query extends z.ZodType> {
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
export interface DoorRoute {
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
export function doorRoute<Body extends z.ZodType, Query extends z.ZodType>(
  spec: DoorSpec<Body, Query>,
): DoorRoute {
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
export function mountDoor(routes: readonly DoorRoute[]): Router {
  const router = Router();
  const paths = new Map<string, Partial<Record<RouteMethod, DoorRoute['chain']>>>();
  for (const { path, method, chain } of routes) {
    paths.set(path, { ...paths.get(path), [method]: chain });
  }
  for (const [path, handlers] of paths) addRoute(router, path, handlers);
  return router;
}
