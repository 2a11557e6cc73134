import type { Request } from 'express';
import type { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { RefusalError } from '../errors.js';
import type { Listed, ListedForm, Page } from '../gateway/caller.js';
import { refused } from '../gateway/refusals.js';
import { pathIdOf } from '../http/path-ids.js';
import type { Names } from '../http/path-ids.js';
import { runFor } from '../http/route.js';
import type { Binding, RouteCall, RouteMethod, Run } from '../http/route.js';
import type { Call, Operation } from '../operations/operation.js';
import { parseFields, versionOf } from './errors.js';
import { pageQuery } from './schemas.js';

/** Names in bodies are kept as they are sent, as the OpenIntent protocol has it. */
export const ANY_NAME = { anyName: true } as const;

/** What a handler gets. */
interface Input<Op extends Operation, Path extends string, Body, Query, Status> {
  readonly run: Run<Op>;
  readonly call: RouteCall;
  /** A part of the path by its name; checked when the handler reads it. */
  readonly id: (name: Names<Path>) => string;
  readonly body: Body;
  readonly query: Query;
  /** The version of `If-Match`, if the route needs one. */
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
  /** The write needs `If-Match`, and this is the status if it is missing. */
  readonly ifMatch?: Status;
  /** The actor that the body names; it goes before that of `X-Agent-ID`. */
  readonly actor?: (body: z.output<Body>) => string | undefined;
  /** What follows from a refusal of the request; see `Binding`. */
  readonly afterRefusal?: Binding['afterRefusal'];
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
  const { method, path, body, query, ifMatch, actor, afterRefusal, handle } = spec;
  return {
    operation,
    method,
    path,
    takesBody: body !== undefined,
    bodySchema: body,
    afterRefusal,
    async serve(received) {
      const { req, res } = received;
      const fields = {
        query: (query && parseFields(query, req.query, 'query')) as z.output<Query>,
        body: (body && parseFields(body, req.body, 'body')) as z.output<Body>,
      };
      const version = ifMatch && versionOf(req, ifMatch);
      const name = actor?.(fields.body) ?? agentIdOf(req);
      const caller = { ...received.caller, ...(name !== undefined && { actor: name }) };
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

/**
 * The agent that `X-Agent-ID` names; undefined if it is missing or empty. It only stands in events. One that is too long is refused:
 * cut, it might be the name of another.
 */
function agentIdOf(req: Request): string | undefined {
  const sent = req.get('X-Agent-ID')?.trim() ?? '';
  if (sent.length > LIMITS.nameCharacters) {
    throw new RefusalError({
      code: 'invalid_request',
      detail: 'X-Agent-ID is too long.',
      field: 'X-Agent-ID',
      accepted: `at most ${LIMITS.nameCharacters} characters`,
    });
  }
  return sent === '' ? undefined : sent;
}

/** An operation that lists something of an intent. */
interface ListOfIntent<T> extends Operation {
  readonly run: (
    call: Call,
    intentId: string,
    page: Page,
  ) => Promise<Listed<T> | ListedForm<T, unknown>>;
}

/**
 * The entries of a page. A client takes a short page for the last one and goes on after its limit, so it is not given
 * fewer than that because they are large.
 *
 * @throws RefusalError `page_too_large`, with the limit that fits
 */
export function entriesOf<T>({ value, more }: Listed<T>, { limit }: Pick<Page, 'limit'>) {
  if (!more || value.length === limit) return value;
  const accepted = `at most ${value.length}`;
  const detail = `The entries of this page are too large for one reply; limit may be ${accepted}. The same list under /v1 has them in summary.`;
  throw refused('page_too_large', detail, { field: 'limit', accepted });
}

/** The same of a page that was asked for whole. */
export function wholeEntriesOf<T>(list: ListedForm<T, unknown>, page: Pick<Page, 'limit'>) {
  if (!list.whole) throw new TypeError('The page was asked for in summary.');
  return entriesOf(list, page);
}

/** The route of such a list: a plain array of what `show` makes of each. */
export function openIntentList<T>(
  operation: ListOfIntent<T>,
  name: string,
  show: (one: T) => unknown,
  query: z.ZodType<Page> = pageQuery,
): Binding {
  return openIntentRoute(operation, {
    method: 'get',
    path: `/intents/:intentId/${name}`,
    query,
    handle: async (input) => {
      const { query: page } = input;
      const list = await input.run(input.id('intentId'), { ...page, whole: true });
      const entries = 'whole' in list ? wholeEntriesOf(list, page) : entriesOf(list, page);
      return entries.map(show);
    },
  });
}
