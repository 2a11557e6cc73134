import { inboxCountsSchema, inboxFilterSchema, inboxPageSchema } from '../../contracts/inbox.js';
import type { Gateway } from '../gateway/types.js';
import { inboxQuerySchema, inboxRequestOf } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { staleness } from '../http/staleness.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

/** `GET /suspensions`, a page of them, and `GET /suspensions/counts` (the inbox as data). */
export function inboxRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'get', path: '/suspensions', id: 'listSuspensions', access: 'any' },
      summary: 'Finds, sorts and pages questions; an agent sees its own',
      query: inboxQuerySchema,
      replies: {
        200: {
          ...{ description: 'A page of questions.', body: inboxPageSchema },
          ...{ example: { suspensions: [EXAMPLES.entry], next_cursor: null } },
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
      ...{ method: 'get', path: '/suspensions/counts', id: 'countSuspensions', access: 'any' },
      summary: 'Counts the questions that a filter finds',
      query: inboxFilterSchema,
      replies: {
        200: {
          ...{ description: 'How many are open, and how the others ended.' },
          ...{ body: inboxCountsSchema, headers: ['Holdpoint-Stale'] },
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
