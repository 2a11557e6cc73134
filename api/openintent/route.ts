import type { Request } from 'express';
import type { z } from 'zod';
import { LIMITS } from '../../contracts/constants/limits.js';
import { RefusalError } from '../errors.js';
import type { Listed, ListedForm, Page } from '../parts/caller.js';
import { refused } from '../parts/refusals.js';
import { pathIdOf, type Names } from '../http/path-ids.js';
import { writtenBy } from '../http/reply.js';
import {
  endpointOf,
  runFor,
  type Binding,
  type Endpoint,
  type RouteCall,
  type Run,
} from '../http/route.js';
import type { Call, Services, UseCase } from '../usecases/usecase.js';
import { parseFields, versionOf } from './errors.js';
import { pageQuery } from './schemas.js';

/** Names in bodies are kept as they are sent, as the OpenIntent protocol has it. */
export const ANY_NAME = { anyName: true } as const;

interface Input<U extends UseCase, At extends Endpoint, Body, Query, Status> {
  readonly run: Run<U>;
  readonly call: RouteCall;
  /** Returns a part of the path by its name, which is checked then. */
  readonly id: (name: Names<At>) => string;
  readonly body: Body;
  readonly query: Query;
  /** The version of `If-Match`, if the route needs one. */
  readonly version: [Status] extends [never] ? undefined : number;
}

interface OpenIntentRouteSpec<
  U extends UseCase,
  At extends Endpoint,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Status extends 400 | 428,
> {
  readonly body?: Body;
  readonly query?: Query;
  /** The write needs `If-Match`; without it, the reply has this status. */
  readonly ifMatch?: Status;
  /** Returns the actor that the body names; it has precedence over `X-Agent-ID`. */
  readonly actor?: (body: z.output<Body>) => string | undefined;
  /** Follows up on a refusal of the request; see `Binding`. */
  readonly afterRefusal?: Binding['afterRefusal'];
  /** Returns the body of the reply; undefined is a 204, unless the handler has replied itself. */
  readonly handle: (
    input: Input<U, At, z.output<Body>, z.output<Query>, Status>,
  ) => Promise<unknown>;
}

/**
 * Binds an operation to a route of the OpenIntent API; a success is a 200 by default. The order of checks is: key,
 * role, query, body, `If-Match`, path.
 */
export function openIntentRoute<
  U extends UseCase,
  const At extends Endpoint,
  Body extends z.ZodType,
  Query extends z.ZodType,
  Status extends 400 | 428 = never,
>(operation: U, at: At, spec: OpenIntentRouteSpec<U, At, Body, Query, Status>): Binding {
  const { body, query, ifMatch, actor, afterRefusal, handle } = spec;
  return {
    operation,
    ...endpointOf(at),
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
      res.set(await writtenBy(call));
      if (reply === undefined) res.status(204).end();
      else res.json(reply);
    },
  };
}

/**
 * Returns the agent that `X-Agent-ID` names, which only events show. A name that is too long is refused: cut, it
 * might be the name of another agent.
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

interface ListOfIntent<T> extends UseCase {
  readonly run: (
    call: Call & Services,
    intentId: string,
    page: Page,
  ) => Promise<Listed<T> | ListedForm<T, unknown>>;
}

/**
 * Returns the entries of a page. A client takes a short page for the last one, so a page is not cut short because its
 * entries are large.
 * @throws RefusalError `page_too_large`, with the limit that fits
 */
export function entriesOf<T>({ value, more }: Listed<T>, { limit }: Pick<Page, 'limit'>) {
  if (!more || value.length === limit) return value;
  const accepted = `at most ${value.length}`;
  const detail = `The entries of this page are too large for one reply; limit may be ${accepted}. The same list under /v1 has them in summary.`;
  throw refused('page_too_large', detail, { field: 'limit', accepted });
}

/** Does the same as `entriesOf` for a page of whole entries. */
export function wholeEntriesOf<T>(list: ListedForm<T, unknown>, page: Pick<Page, 'limit'>) {
  if (!list.whole) throw new TypeError('The page was asked for in summary.');
  return entriesOf(list, page);
}

/** Returns the route of such a list: a plain array, with each entry as `show` returns it. */
export function openIntentList<T>(
  operation: ListOfIntent<T>,
  name: string,
  show: (one: T) => unknown,
  query: z.ZodType<Page> = pageQuery,
): Binding {
  return openIntentRoute(operation, `GET /intents/:intentId/${name}`, {
    query,
    handle: async (input) => {
      const { query: page } = input;
      const list = await input.run(input.id('intentId'), { ...page, whole: true });
      const entries = 'whole' in list ? wholeEntriesOf(list, page) : entriesOf(list, page);
      return entries.map(show);
    },
  });
}
