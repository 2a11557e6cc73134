import type { Request } from 'express';
import { z } from 'zod';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { isPublic } from '../../domain/policy/rules.js';
import { RefusalError } from '../errors.js';
import { underKey } from '../gateway/calls/request.js';
import { REQUEST_HEADERS } from '../http/headers.js';
import type { HeaderValues, RequestHeader } from '../http/headers.js';
import { parseInput } from '../http/input.js';
import type { BodySpec } from '../http/input.js';
import { pathIdsOf } from '../http/path-ids.js';
import type { PathIds } from '../http/path-ids.js';
import type { Reply } from '../http/reply.js';
import { runFor } from '../http/route.js';
import type { Binding, RouteCall, RouteMethod, Run } from '../http/route.js';
import type { Operation } from '../operations/operation.js';

/** Headers a reply may have besides those that every reply has. */
export type ReplyHeader =
  'ETag' | 'Holdpoint-Feed-Position' | 'Holdpoint-Stale' | 'Location' | 'Retry-After';

/** One success reply: what the caller learns, and the schema that its body keeps to the letter. */
export interface ReplySpec<Body extends z.ZodType = z.ZodType> {
  readonly description: string;
  readonly body: Body;
  readonly headers?: readonly ReplyHeader[];
  /** `application/json` by default; a handler sends anything else itself. */
  readonly contentType?: string;
}
type Replies = Readonly<Record<number, ReplySpec>>;

/**
 * The query of a route that declares none: every parameter is refused, for one without effect misleads.
 * What needs no key takes any: probes and caches add their own.
 */
export function queryOf({ query, operation }: Pick<Route, 'query' | 'operation'>): z.ZodObject {
  return query ?? (isPublic(operation.name) ? z.looseObject({}) : z.object({}));
}

const KEY = 'Idempotency-Key';

/** What a key may be refused for. */
function keyErrors(headers: readonly RequestHeader[], keyed?: true): readonly ErrorCode[] {
  if (keyed) return ['idempotency_key_reused', 'written_before'];
  return headers.includes(KEY) ? ['idempotency_key_reused'] : [];
}

/** A key that would have no effect misleads: whoever sends it relies on it. */
function refuseKey(req: Request): void {
  if (req.get(KEY) === undefined) return;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'This operation takes no Idempotency-Key.',
    field: KEY,
    accepted: 'no such header; the documentation says what makes a repetition safe here',
  });
}

/** What a reader of the API has to know of a route besides its operation. */
interface Description {
  /** Unique, camelCase; `operationId` in the document. By default the operation's name. */
  readonly id?: string;
  readonly summary: string;
  readonly replies: Replies;
  /** Refusals that this way to the operation adds to the operation's own. */
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

/** What a handler gets: its operation, the request, and all of it that was declared, parsed. */
interface Input<
  Op extends Operation,
  Path extends string,
  Query extends z.ZodType,
  Body,
  Header extends RequestHeader,
> {
  readonly run: Run<Op>;
  readonly call: RouteCall;
  readonly params: PathIds<Path>;
  readonly query: z.output<Query>;
  readonly headers: Pick<HeaderValues, Header>;
  readonly body: Body;
}

interface RouteSpec<
  Op extends Operation,
  Path extends string,
  Query extends z.ZodObject,
  Body,
  Header extends RequestHeader,
  R extends Replies,
> extends Description {
  readonly method: RouteMethod;
  readonly path: Path;
  readonly query?: Query;
  readonly headers?: readonly Header[];
  readonly body?: BodySpec<Body>;
  /** A write that a caller may send again under an `Idempotency-Key`: its Updates are then carried out once. */
  readonly keyed?: true;
  readonly replies: R;
  /** Returns the reply, or undefined if it has sent one itself. */
  readonly handle: (
    input: Input<Op, Path, Query, Body, Header>,
  ) => ReplyOf<R> | undefined | Promise<ReplyOf<R> | undefined>;
}

/** A success reply without a body that means anything: where the browser is led on, or that something is done. */
export type EmptyReplySpec = Omit<ReplySpec, 'body' | 'contentType'> & {
  readonly body?: undefined;
};

/** A route as the OpenAPI document shows it. */
export interface DescribedRoute
  extends Omit<Description, 'replies'>, Pick<Binding, 'operation' | 'method' | 'path'> {
  readonly id: string;
  readonly headers: readonly RequestHeader[];
  readonly body?: BodySpec<unknown>;
  readonly replies: Readonly<Record<number, ReplySpec | EmptyReplySpec>>;
}

/** A route of `/v1` as it is mounted and described. */
export interface Route extends DescribedRoute, Binding {
  readonly replies: Replies;
}

/**
 * Binds an operation to a route of `/v1`: what is declared here parses the request, types the handler
 * and its replies, and becomes the operation in the OpenAPI document. Query, headers, body and path are
 * checked in this order, after key and role.
 */
export function v1Route<
  Op extends Operation,
  const Path extends string,
  const R extends Replies,
  Query extends z.ZodObject = z.ZodObject,
  Body = undefined,
  Header extends RequestHeader = never,
>(operation: Op, spec: RouteSpec<Op, Path, Query, Body, Header, R>): Route {
  const { handle, query, headers = [], body, keyed, ...rest } = spec;
  const taken = queryOf({ operation, ...(query && { query }) });
  const errors = [...(rest.errors ?? []), ...keyErrors(headers, keyed)];
  const all = [...new Set<RequestHeader>(keyed ? [...headers, KEY] : headers)];
  return {
    id: operation.name,
    ...rest,
    ...(errors.length > 0 && { errors }),
    operation,
    ...(query && { query }),
    ...(body && { body }),
    headers: all,
    takesBody: body !== undefined,
    bodySchema: body?.schema,
    async serve(call) {
      const { req, res } = call;
      if (rest.method !== 'get' && !all.includes(KEY)) refuseKey(req);
      const input = {
        run: runFor(call, operation),
        call,
        query: parseInput(taken, req.query) as z.output<Query>,
        headers: Object.fromEntries(
          headers.map((name) => [name, REQUEST_HEADERS[name].read(req)]),
        ) as Pick<HeaderValues, Header>,
        body: body?.read(req.body as object) as Body,
        params: pathIdsOf(rest.path, req),
      };
      if (keyed) {
        const key = REQUEST_HEADERS[KEY].read(req);
        const ids = Object.values<string>(input.params);
        const write = [call.caller.principal, operation.name, ...ids];
        if (key !== undefined) underKey({ key, write, body: input.body ?? {} });
      }
      const reply = await handle(input);
      if (reply === undefined) return;
      // A body that cannot be written leaves no headers to the problem that is sent in its place.
      const text = JSON.stringify(reply.body);
      res.set(reply.headers ?? {});
      res.status(reply.status).type('json').send(text);
    },
  };
}
