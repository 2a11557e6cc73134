import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Role } from '../../contracts/config.js';
import { ERRORS } from '../../contracts/constants/errors.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import { REQUEST_HEADERS } from './headers.js';
import type { HeaderValues, RequestHeader } from './headers.js';
import { parseInput } from './input.js';
import type { BodySpec } from './input.js';
import { jsonBody } from './json-body.js';
import { requireRole } from './keys-and-roles.js';
import { pathIdsOf } from './path-ids.js';
import type { PathIds } from './path-ids.js';
import type { Reply } from './reply.js';

/** Headers a reply may have besides those that every reply has. */
export type ReplyHeader =
  'ETag' | 'Holdpoint-Feed-Position' | 'Holdpoint-Stale' | 'Location' | 'Retry-After';

/** One success reply: what the caller learns, and the schema that its body keeps to the letter. */
export interface ReplySpec<Body extends z.ZodType = z.ZodType> {
  readonly description: string;
  readonly body: Body;
  readonly example?: z.output<Body>;
  readonly headers?: readonly ReplyHeader[];
  /** `application/json` unless given; a handler sends anything else itself. */
  readonly contentType?: string;
}
type Replies = Readonly<Record<number, ReplySpec>>;

/** A key's role (`admin` may do all), any key, or no key at all. */
export type Access = Role | 'any' | 'public';

/** Everything about a route that a reader of the API has to know. */
interface Description {
  readonly method: RouteMethod;
  /** Unique, camelCase; `operationId` in the document. */
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  readonly replies: Replies;
  /** Refusals of its own; those that follow from key, path, query, headers and body come by themselves. */
  readonly errors?: readonly ErrorCode[];
  readonly query?: z.ZodObject;
}

type HeadersOf<Spec extends ReplySpec> = Readonly<
  Partial<Record<Extract<Spec['headers'], readonly unknown[]>[number], string>>
>;
type ReplyOf<R extends Replies> = {
  [Status in keyof R & number]: Reply<
    Status,
    z.output<R[Status]['body']>,
    HeadersOf<R[Status]> | undefined
  >;
}[keyof R & number];

/** What a handler gets: the request, and all of it that was declared, parsed. */
interface Input<Path extends string, Query extends z.ZodType, Body, Header extends RequestHeader> {
  readonly req: Request;
  readonly res: Response;
  readonly params: PathIds<Path>;
  readonly query: z.output<Query>;
  readonly headers: Pick<HeaderValues, Header>;
  readonly body: Body;
}

interface RouteSpec<
  Path extends string,
  Query extends z.ZodObject,
  Body,
  Header extends RequestHeader,
  R extends Replies,
> extends Description {
  readonly path: Path;
  readonly query?: Query;
  readonly headers?: readonly Header[];
  readonly body?: BodySpec<Body>;
  readonly replies: R;
  /** Returns the reply, or undefined where it has sent one itself. */
  readonly handle: (
    input: Input<Path, Query, Body, Header>,
  ) => ReplyOf<R> | undefined | Promise<ReplyOf<R> | undefined>;
}

/** A route as it is mounted and described. */
export interface Route extends Description {
  readonly path: string;
  readonly headers: readonly RequestHeader[];
  readonly body?: BodySpec<unknown>;
  readonly chain: readonly RequestHandler[];
}

function guards(access: Access, takesBody: boolean): readonly RequestHandler[] {
  const role = access === 'any' || access === 'public' ? [] : [requireRole(access)];
  return takesBody ? [...role, ...jsonBody] : role;
}

/**
 * Declares a route once: what it is told here parses the request, types the handler and its replies,
 * and becomes the operation in the OpenAPI document. Query, headers, body and path are checked in this
 * order, after key and role.
 */
export function defineRoute<
  const Path extends string,
  const R extends Replies,
  Query extends z.ZodObject = z.ZodObject,
  Body = undefined,
  Header extends RequestHeader = never,
>(spec: RouteSpec<Path, Query, Body, Header, R>): Route {
  const { handle, query, headers = [], body, ...rest } = spec;
  const handler: RequestHandler = async (req, res) => {
    const input = {
      req,
      res,
      query: (query && parseInput(query, req.query)) as z.output<Query>,
      headers: Object.fromEntries(
        headers.map((name) => [name, REQUEST_HEADERS[name].read(req)]),
      ) as Pick<HeaderValues, Header>,
      body: body?.read(req.body as object) as Body,
      params: pathIdsOf(rest.path, req),
    };
    const reply = await handle(input);
    if (reply === undefined) return;
    res.set(reply.headers ?? {});
    res.status(reply.status).json(reply.body);
  };
  return {
    ...rest,
    ...(query && { query }),
    ...(body && { body }),
    headers,
    chain: [...guards(rest.access, body !== undefined), handler],
  };
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

/** A router with these routes, those of one path together, in the order in which they come. */
export function mount(routes: readonly Route[]): Router {
  const router = Router();
  const paths = new Map<string, Partial<Record<RouteMethod, Route['chain']>>>();
  for (const { path, method, chain } of routes) {
    paths.set(path, { ...paths.get(path), [method]: chain });
  }
  for (const [path, handlers] of paths) addRoute(router, path, handlers);
  return router;
}
