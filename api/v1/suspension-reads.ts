import {
  inboxCountsSchema,
  inboxFilterSchema,
  inboxPageSchema,
  suspensionViewSchema,
} from '../../contracts/suspension-view.js';
import { RefusalError, refusalOf } from '../errors.js';
import type { Gateway } from '../gateway/index.js';
import { callerOf } from '../http/keys-and-roles.js';
import type { LongPolls } from '../http/long-polls.js';
import { inboxQuerySchema, inboxRequestOf, waitQuerySchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { EXAMPLES } from '../openapi/examples.js';

const VIEW = {
  200: {
    description: 'Record, schedule, attempt and timeline.',
    body: suspensionViewSchema,
    example: EXAMPLES.view,
    headers: ['Holdpoint-Stale'],
  },
} as const;

/** A wait that was cut short changed nothing, so the same request may be sent again. */
function interrupted(error: unknown): unknown {
  if (refusalOf(error) !== undefined) return error;
  return new RefusalError({ code: 'workflow_unavailable', detail: 'The wait was interrupted.' });
}

/** `GET /suspensions/{id}`, and `…/wait`, which is held open until something happens. */
export function suspensionRoutes(gateway: Gateway, longPolls: LongPolls): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/suspensions/:suspensionId',
      id: 'getSuspension',
      access: 'any',
      summary: 'Reads a question',
      replies: VIEW,
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle({ params }) {
        const read = await gateway.getSuspension(params.suspensionId);
        return reply(200, read.value, staleness(read));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/suspensions/:suspensionId/wait',
      id: 'waitForSuspension',
      access: 'any',
      query: waitQuerySchema,
      replies: VIEW,
      summary: 'Waits until a question is settled, has passed an attempt, or the time is over',
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle({ res, params, query }) {
        const signal = longPolls.signalFor(res);
        const wait = gateway.waitForSuspension(params.suspensionId, {
          timeoutSeconds: query.timeout_seconds,
          ...(query.after_attempt !== undefined && { afterAttempt: query.after_attempt }),
          signal,
        });
        const read = await wait.catch((error: unknown) => {
          throw signal.aborted ? interrupted(error) : error;
        });
        return reply(200, read.value, staleness(read));
      },
    }),
  ];
}

/** `GET /suspensions`, a page of them, and `GET /suspensions/counts` (the inbox as data). */
export function inboxRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/suspensions',
      id: 'listSuspensions',
      access: 'any',
      summary: 'Finds, sorts and pages questions; an agent sees its own',
      query: inboxQuerySchema,
      replies: {
        200: {
          description: 'A page of questions.',
          body: inboxPageSchema,
          example: { suspensions: [EXAMPLES.entry], next_cursor: null },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: ['store_unavailable'],
      async handle({ req, query }) {
        const read = await gateway.listSuspensions(callerOf(req), inboxRequestOf(query));
        return reply(200, read.value, staleness(read));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/suspensions/counts',
      id: 'countSuspensions',
      access: 'any',
      summary: 'Counts the questions that a filter finds',
      query: inboxFilterSchema,
      replies: {
        200: {
          description: 'How many are open, and how the others ended.',
          body: inboxCountsSchema,
          headers: ['Holdpoint-Stale'],
          example: { pending: 3, responded: 41, expired: 2, cancelled: 1 },
        },
      },
      errors: ['store_unavailable'],
      async handle({ req, query }) {
        const read = await gateway.countSuspensions(callerOf(req), query);
        return reply(200, read.value, staleness(read));
      },
    }),
  ];
}
