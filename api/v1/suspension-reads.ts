import {
  inboxCountsSchema,
  inboxFilterSchema,
  inboxPageSchema,
  suspensionViewSchema,
} from '../../contracts/suspension-view.js';
import { inboxQuerySchema, inboxRequestOf, waitQuerySchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import { SUSPENSIONS } from '../operations/suspension.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const VIEW = {
  200: {
    description: 'Record, schedule, attempt and timeline.',
    body: suspensionViewSchema,
    headers: ['Holdpoint-Stale'],
  },
} as const;

/** Questions found, counted, read and waited for. */
export const SUSPENSION_READ_ROUTES: readonly Route[] = [
  v1Route(SUSPENSIONS.listSuspensions, {
    method: 'get',
    path: '/suspensions',
    summary: 'Finds, sorts and pages questions; an agent sees its own',
    query: inboxQuerySchema,
    replies: {
      200: {
        description: 'A page of questions.',
        body: inboxPageSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, query }) {
      const read = await run(inboxRequestOf(query));
      return reply(200, read.value, staleness(read));
    },
  }),
  v1Route(SUSPENSIONS.countSuspensions, {
    method: 'get',
    path: '/suspensions/counts',
    summary: 'Counts the questions that a filter finds',
    query: inboxFilterSchema,
    replies: {
      200: {
        description: 'How many are open, and how the others ended.',
        body: inboxCountsSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, query }) {
      const read = await run(query);
      return reply(200, read.value, staleness(read));
    },
  }),
  v1Route(SUSPENSIONS.getSuspension, {
    method: 'get',
    path: '/suspensions/:suspensionId',
    summary: 'Reads a question',
    replies: VIEW,
    async handle({ run, params }) {
      const read = await run(params.suspensionId);
      return reply(200, read.value, staleness(read));
    },
  }),
  v1Route(SUSPENSIONS.waitForSuspension, {
    method: 'get',
    path: '/suspensions/:suspensionId/wait',
    summary: 'Waits until a question is settled, has passed an attempt, or the time is over',
    query: waitQuerySchema,
    replies: VIEW,
    async handle({ run, call, params, query: { timeout_seconds, after_attempt } }) {
      const read = await run(params.suspensionId, {
        timeoutSeconds: timeout_seconds,
        ...(after_attempt !== undefined && { afterAttempt: after_attempt }),
        signal: call.longPolls.signalFor(call.res),
      });
      return reply(200, read.value, staleness(read));
    },
  }),
];
