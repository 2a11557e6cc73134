import { z } from 'zod';
import {
  appendEventRequestSchema,
  intentEventSchema,
  verifyReportSchema,
} from '../../contracts/event.js';
import { jsonOf } from '../http/input.js';
import { eventPageSchema } from '../http/queries.js';
import { reply, sendLog, staleness } from '../http/reply.js';
import { EVENTS } from '../operations/event.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const LOG = '/intents/:intentId/events';
const shownEventSchema = intentEventSchema.extend({
  masked: z
    .exactOptional(z.literal(true))
    .describe('An id was shortened for an agent that did not ask; the hash is that of the whole.'),
});
const PAGE = {
  200: {
    description: 'A page of the log.',
    body: z.object({ events: z.array(shownEventSchema).readonly() }),
    headers: ['Holdpoint-Stale'],
  },
} as const;

/** What of a log is asked for. */
function pageOf({ event_type, ...page }: z.output<typeof eventPageSchema>) {
  return { ...page, ...(event_type !== undefined && { event_type }) };
}

/** The log of an intent: read, checked, exported, and added to by its agent. */
export const EVENT_ROUTES: readonly Route[] = [
  v1Route(EVENTS.listEvents, {
    method: 'get',
    path: LOG,
    summary: 'Reads the log of an intent, newest first',
    query: eventPageSchema,
    replies: PAGE,
    async handle({ run, params, query }) {
      const read = await run(params.intentId, pageOf(query));
      return reply(200, { events: read.value }, staleness(read));
    },
  }),
  v1Route(EVENTS.appendEvent, {
    method: 'post',
    path: LOG,
    summary: 'Appends an event of the agent’s own',
    body: jsonOf(appendEventRequestSchema),
    replies: {
      201: { description: 'The event.', body: intentEventSchema, headers: ['Location'] },
    },
    async handle({ run, params: { intentId }, body: { event_type, payload } }) {
      const event = await run(intentId, event_type, payload);
      return reply(201, event, { Location: `/v1/intents/${intentId}/events` });
    },
  }),
  v1Route(EVENTS.verifyEvents, {
    method: 'get',
    path: `${LOG}/verify`,
    summary: 'Checks that the log is what was recorded',
    replies: {
      200: {
        description: 'What was found.',
        body: verifyReportSchema,
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, params }) {
      const read = await run(params.intentId);
      return reply(200, read.value, staleness(read));
    },
  }),
  v1Route(EVENTS.exportEvents, {
    method: 'get',
    path: `${LOG}/export`,
    summary: 'Sends the whole log; for operators and the agent of its intent',
    replies: {
      200: {
        description: 'An event a line, the oldest first, and last how the log ends.',
        body: z.string(),
        contentType: 'application/x-ndjson',
        headers: ['Holdpoint-Stale'],
      },
    },
    async handle({ run, call: { res }, params: { intentId } }) {
      const read = await run(intentId);
      res.set(staleness(read)).attachment(`${intentId}.ndjson`);
      await sendLog(res, read.value);
      return undefined;
    },
  }),
];

/** The log of a portfolio itself; those of its intents are theirs. */
export const PORTFOLIO_EVENT_ROUTES: readonly Route[] = [
  v1Route(EVENTS.listPortfolioEvents, {
    method: 'get',
    path: '/portfolios/:portfolioId/events',
    summary: 'Reads the log of a portfolio itself, newest first',
    query: eventPageSchema,
    replies: PAGE,
    async handle({ run, params, query }) {
      const read = await run(params.portfolioId, pageOf(query));
      return reply(200, { events: read.value }, staleness(read));
    },
  }),
];
