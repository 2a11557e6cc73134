import type { Request } from 'express';
import type { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Caller } from '../gateway/caller.js';
import { pathIdOf } from '../http/path-ids.js';
import type { Names } from '../http/path-ids.js';
import { runFor } from '../http/route.js';
import type { Binding, RouteCall, RouteMethod, Run } from '../http/route.js';
import type { Operation } from '../operations/operation.js';
import { parseFields, versionOf } from './errors.js';

/** What a handler gets. */
interface Input<Op extends Operation, Path extends string, Body, Query, Status> {
  readonly run: Run<Op>;
  readonly call: RouteCall;
  /** A part of the path by its name; checked when it is asked for, after what the handler checks before. */
  readonly id: (name: Names<Path>) => string;
  readonly body: Body;
  readonly query: Query;
  /** The version of `If-Match`, where the route needs one. */
  readonly version: [Status] extends [never] ? undefined : number;
}

interface OpenIntentRouteSpec<
  Op extends Operation,
  Path extends string,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Status extends 400 | 428,
> {
  readonly method: RouteMethod;
  readonly path: Path;
  readonly body?: Body;
  readonly query?: Query;
  /** The write needs `If-Match`, and this is the status where it is missing. */
  readonly ifMatch?: Status;
  /** The actor that the body names; it goes before that of `X-Agent-ID`. */
  readonly actor?: (body: z.output<Body>) => string | undefined;
  /** The reply's body; undefined is 204, unless the handler has replied by itself. */
  readonly handle: (
    input: Input<Op, Path, z.output<Body>, z.output<Query>, Status>,
  ) => Promise<unknown>;
}

/**
 * Binds an operation to a route of the OpenIntent API. Its forms are those of the OpenIntent protocol, so
 * it is no part of our own OpenAPI document; each success is a 200 unless its handler says otherwise.
 * Query, body, `If-Match` and path are checked in this order, after key and role.
 */
export function openIntentRoute<
  Op extends Operation,
  const Path extends string,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Status extends 400 | 428 = never,
>(operation: Op, spec: OpenIntentRouteSpec<Op, Path, Body, Query, Status>): Binding {
  const { method, path, body, query, ifMatch, actor, handle } = spec;
  return {
    operation,
    method,
    path,
    takesBody: body !== undefined,
    async serve(received) {
      const { req, res } = received;
      const fields = {
        query: (query && parseFields(query, req.query, 'query')) as z.output<Query>,
        body: (body && parseFields(body, req.body, 'body')) as z.output<Body>,
      };
      const version = ifMatch && versionOf(req, ifMatch);
      const caller = openIntentCaller(received.caller, req, actor?.(fields.body));
      const call = { ...received, caller };
      const reply = await handle({
        ...fields,
        run: runFor(call, operation),
        call,
        id: (name) => pathIdOf(name, req),
        version: version as [Status] extends [never] ? undefined : number,
      });
      if (res.headersSent) return;
      if (reply === undefined) res.status(204).end();
      else res.json(reply);
    },
  };
}

/** The agent that `X-Agent-ID` names; undefined where it is missing or empty. */
function agentIdOf(req: Request): string | undefined {
  const sent = req.get('X-Agent-ID')?.trim().slice(0, LIMITS.nameCharacters);
  return sent === '' ? undefined : sent;
}

/**
 * Who calls the OpenIntent API: what it may do follows from its key alone, while the events it causes name
 * the agent of the body or of `X-Agent-ID`.
 */
function openIntentCaller(caller: Caller, req: Request, actor: string | undefined): Caller {
  return { ...caller, openintent: { actor: actor ?? agentIdOf(req) ?? caller.principal } };
}
