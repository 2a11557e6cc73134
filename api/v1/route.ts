import type { Request } from 'express';
import { z } from 'zod';
import { defined } from '../../contracts/constants/defined.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import { isPublic } from '../../domain/policy/rules.js';
import { RefusalError } from '../errors.js';
import { underKey } from '../parts/calls/request.js';
import { REQUEST_HEADERS, type HeaderValues, type RequestHeader } from '../http/headers.js';
import { parseInput, type BodySpec } from '../http/input.js';
import { pathIdsOf, type PathIds } from '../http/path-ids.js';
import { writtenBy, type Reply } from '../http/reply.js';
import {
  endpointOf,
  runFor,
  type Binding,
  type Endpoint,
  type RouteCall,
  type Run,
} from '../http/route.js';
import type { UseCase } from '../usecases/usecase.js';

export type ReplyHeader =
  | 'ETag'
  | 'Holdpoint-Feed-Position'
  | 'Holdpoint-Stale'
  | 'Holdpoint-Written'
  | 'Location'
  | 'Retry-After';

/** One success reply: its description, and the exact schema of its body. */
export interface ReplySpec<Body extends z.ZodType = z.ZodType> {
  readonly description: string;
  readonly body: Body;
  readonly headers?: readonly ReplyHeader[];
  /** `application/json` by default; a handler sends anything else itself. */
  readonly contentType?: string;
}
type Replies = Readonly<Record<number, ReplySpec>>;

/**
 * Returns the query of a route that declares none: every parameter is refused, because one without effect would
 * mislead. Routes without a key take any, for probes and caches.
 */
function noQueryOf({ name }: UseCase): z.ZodObject {
  return isPublic(name) ? z.looseObject({}) : z.object({});
}

const KEY = 'Idempotency-Key';

function keyErrors(headers: readonly RequestHeader[], keyed?: true): readonly ErrorCode[] {
  if (keyed) return ['idempotency_key_reused', 'written_before'];
  return headers.includes(KEY) ? ['idempotency_key_reused'] : [];
}

/** Refuses a key that would have no effect: its sender would rely on it. */
function refuseKey(req: Request): void {
  if (req.get(KEY) === undefined) return;
  throw new RefusalError({
    code: 'invalid_request',
    detail: 'This operation takes no Idempotency-Key.',
    field: KEY,
    accepted: 'no such header; the documentation says what makes a repetition safe here',
  });
}

interface Description {
  /** Unique, camelCase; `operationId` in the document. By default the operation's name. */
  readonly id?: string;
  readonly summary: string;
  readonly replies: Replies;
  /** Refusals that this route adds to those of the operation. */
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

interface Input<
  U extends UseCase,
  At extends Endpoint,
  Query extends z.ZodType,
  Body,
  Header extends RequestHeader,
> {
  readonly run: Run<U>;
  readonly call: RouteCall;
  readonly params: PathIds<At>;
  readonly query: z.output<Query>;
  readonly headers: Pick<HeaderValues, Header>;
  readonly body: Body;
}

interface RouteSpec<
  U extends UseCase,
  At extends Endpoint,
  Query extends z.ZodObject,
  Body,
  Header extends RequestHeader,
  R extends Replies,
> extends Description {
  readonly query?: Query;
  readonly headers?: readonly Header[];
  readonly body?: BodySpec<Body>;
  /** The most bytes of the body; 256 KiB by default. */
  readonly bodyBytes?: number;
  /** Whether a caller may repeat this write under an `Idempotency-Key`: its Updates are then carried out once. */
  readonly keyed?: true;
  readonly replies: R;
  /** Returns the reply, or undefined if it has sent one itself. */
  readonly handle: (
    input: Input<U, At, Query, Body, Header>,
  ) => ReplyOf<R> | undefined | Promise<ReplyOf<R> | undefined>;
}

/** A success reply without a body, such as a redirect. */
export type EmptyReplySpec = Omit<ReplySpec, 'body' | 'contentType'> & {
  readonly body?: undefined;
};

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
 * Binds an operation to a route of `/v1`. The declaration parses the request, types the handler and its replies, and
 * becomes the operation of the OpenAPI document. The order of checks is: key, role, query, headers, body, path.
 */
export function v1Route<
  U extends UseCase,
  const At extends Endpoint,
  const R extends Replies,
  Query extends z.ZodObject = z.ZodObject,
  Body = undefined,
  Header extends RequestHeader = never,
>(operation: U, at: At, spec: RouteSpec<U, At, Query, Body, Header, R>): Route {
  const { handle, query, headers = [], body, bodyBytes, keyed, ...rest } = spec;
  const endpoint = endpointOf(at);
  const taken = query ?? noQueryOf(operation);
  const errors = [...(rest.errors ?? []), ...keyErrors(headers, keyed)];
  const all = [...new Set<RequestHeader>(keyed ? [...headers, KEY] : headers)];
  return {
    id: operation.name,
    ...endpoint,
    ...rest,
    ...(errors.length > 0 && { errors }),
    operation,
    ...defined({ query, body, bodyBytes }),
    headers: all,
    takesBody: body !== undefined,
    bodySchema: body?.schema,
    async serve(call) {
      const { req, res } = call;
      if (endpoint.method !== 'get' && !all.includes(KEY)) refuseKey(req);
      const input = {
        run: runFor(call, operation),
        call,
        query: parseInput(taken, req.query) as z.output<Query>,
        headers: Object.fromEntries(
          headers.map((name) => [name, REQUEST_HEADERS[name].read(req)]),
        ) as Pick<HeaderValues, Header>,
        body: body?.read(req.body as object) as Body,
        params: pathIdsOf(at, req),
      };
      if (keyed) {
        const key = REQUEST_HEADERS[KEY].read(req);
        const ids = Object.values<string>(input.params);
        const write = [call.caller.principal, operation.name, ...ids];
        if (key !== undefined) underKey({ key, write, body: input.body ?? {} });
      }
      const reply = await handle(input);
      if (reply === undefined) return;
      const written = isPublic(operation.name) ? {} : await writtenBy(call);
      // The body is serialised first, so that a failure leaves no headers to the problem that replaces it.
      const text = JSON.stringify(reply.body);
      res.set({ ...reply.headers, ...written });
      res.status(reply.status).type('json').send(text);
    },
  };
}
