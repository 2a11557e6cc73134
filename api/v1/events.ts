import type { Response } from 'express';
import { z } from 'zod';
import {
  appendEventRequestSchema,
  intentEventSchema,
  timelineReportSchema,
  verifyReportSchema,
} from '../../contracts/intent/event.js';
import type { Read } from '../parts/caller.js';
import type { LogExport } from '../parts/reads/whole-log.js';
import { jsonOf } from '../http/input.js';
import { checkpointQuerySchema, eventPageSchema, pageSchema } from '../http/queries.js';
import { reply, sendLog, staleness } from '../http/reply.js';
import { appendEvent, listEvents, listPortfolioEvents } from '../usecases/event/events.js';
import {
  verifyEvents,
  exportEvents,
  verifyPortfolioEvents,
  exportPortfolioEvents,
} from '../usecases/event/whole.js';
import { exportTimeline, verifyTimeline } from '../usecases/suspension/timeline.js';
import { CREATED, PAGE, READ } from './replies.js';
import { v1Route, type Route } from './route.js';
import { checkpointListSchema, checkpointSchema } from '../../contracts/log/checkpoint.js';
import {
  requestCheckpoint,
  listCheckpoints,
  latestCheckpoint,
  exportLogs,
} from '../usecases/log/checkpoints.js';

const shownEventSchema = intentEventSchema.extend({
  masked: z
    .exactOptional(z.literal(true))
    .describe('An id was shortened for an agent that did not ask; the hash is that of the whole.'),
});
const LOG_PAGE = PAGE.declare('events', shownEventSchema, 'A page of the log.');

const WHOLE_LOG = {
  description: 'An event a line, the oldest first, and last how the log ends.',
  body: z.string(),
  contentType: 'application/x-ndjson',
  headers: ['Holdpoint-Stale'],
} as const;

/** The log of an intent: read, checked, exported, and added to by its agent. */
export const EVENT_ROUTES: readonly Route[] = [
  v1Route(listEvents, 'GET /intents/:intentId/events', {
    summary: 'Reads the log of an intent, newest first',
    query: eventPageSchema,
    replies: LOG_PAGE,
    handle: async ({ run, params, query }) =>
      PAGE.reply('events', await run(params.intentId, query), query),
  }),
  v1Route(appendEvent, 'POST /intents/:intentId/events', {
    summary: 'Appends an event of the agent’s own',
    body: jsonOf(appendEventRequestSchema),
    keyed: true,
    replies: CREATED.declare('The event.', intentEventSchema),
    async handle({ run, params: { intentId }, body: { event_type, payload, ...tracing } }) {
      const event = await run(intentId, event_type, payload, tracing);
      return CREATED.reply(event, `/v1/intents/${intentId}/events`);
    },
  }),
  v1Route(verifyEvents, 'GET /intents/:intentId/events/verify', {
    summary: 'Checks that the log is what was recorded',
    replies: READ.declare('What was found.', verifyReportSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.intentId)),
  }),
  v1Route(exportEvents, 'GET /intents/:intentId/events/export', {
    summary: 'Sends the whole log; for operators and the agent of its intent',
    replies: { 200: WHOLE_LOG },
    handle: async ({ run, call: { res }, params: { intentId } }) =>
      sendWhole(res, intentId, await run(intentId)),
  }),
];

async function sendWhole(res: Response, id: string, read: Read<LogExport>): Promise<undefined> {
  res.set(staleness(read)).attachment(`${id}.ndjson`);
  await sendLog(res, read.value);
  return undefined;
}

/** The log of a portfolio itself, without the logs of its intents. */
export const PORTFOLIO_EVENT_ROUTES: readonly Route[] = [
  v1Route(listPortfolioEvents, 'GET /portfolios/:portfolioId/events', {
    summary: 'Reads the log of a portfolio itself, newest first',
    query: eventPageSchema,
    replies: LOG_PAGE,
    handle: async ({ run, params, query }) =>
      PAGE.reply('events', await run(params.portfolioId, query), query),
  }),
  v1Route(verifyPortfolioEvents, 'GET /portfolios/:portfolioId/events/verify', {
    summary: 'Checks that the log of a portfolio is what was recorded',
    replies: READ.declare('What was found.', verifyReportSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.portfolioId)),
  }),
  v1Route(exportPortfolioEvents, 'GET /portfolios/:portfolioId/events/export', {
    summary: 'Sends the whole log of a portfolio; not for agents',
    replies: { 200: WHOLE_LOG },
    handle: async ({ run, call: { res }, params: { portfolioId } }) =>
      sendWhole(res, portfolioId, await run(portfolioId)),
  }),
];

export const TIMELINE_ROUTES: readonly Route[] = [
  v1Route(verifyTimeline, 'GET /suspensions/:suspensionId/timeline/verify', {
    summary: 'Checks that the timeline of a question is what was recorded',
    replies: READ.declare('What was found.', timelineReportSchema),
    handle: async ({ run, params }) => READ.reply(await run(params.suspensionId)),
  }),
  v1Route(exportTimeline, 'GET /suspensions/:suspensionId/timeline/export', {
    summary: 'Sends the whole timeline of a question',
    replies: { 200: WHOLE_LOG },
    handle: async ({ run, call: { res }, params: { suspensionId } }) =>
      sendWhole(res, suspensionId, await run(suspensionId)),
  }),
];

export const LOG_ROUTES: readonly Route[] = [
  v1Route(requestCheckpoint, 'POST /log/checkpoints', {
    summary: 'Signs a checkpoint over all logs now; for admins and auditors',
    replies: CREATED.declare('The checkpoint.', checkpointSchema),
    handle: async ({ run }) => CREATED.reply(await run(), '/v1/log/checkpoints/latest'),
  }),
  v1Route(listCheckpoints, 'GET /log/checkpoints', {
    summary: 'Lists checkpoints, newest first; for admins and auditors',
    query: pageSchema,
    replies: { 200: { description: 'A page of checkpoints.', body: checkpointListSchema } },
    handle: async ({ run, query }) => reply(200, await run(query)),
  }),
  v1Route(latestCheckpoint, 'GET /log/checkpoints/latest', {
    summary: 'Reads the newest checkpoint; for admins and auditors',
    replies: { 200: { description: 'The checkpoint.', body: checkpointSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(exportLogs, 'GET /log/export', {
    summary: 'Sends all logs as far as a checkpoint covers them; for admins and auditors',
    query: checkpointQuerySchema,
    replies: {
      200: {
        description:
          'The end of every log, a line each, then the logs, and last a line that ends it.',
        body: z.string(),
        contentType: 'application/x-ndjson',
      },
    },
    async handle({ run, call: { res }, query }) {
      const { checkpoint, lines } = await run(query.checkpoint);
      const { number } = checkpoint;
      res.attachment(`logs-${number}.ndjson`);
      await sendLog(res, { events: lines, end: { end_of_export: { checkpoint: number } } });
      return undefined;
    },
  }),
];
