import { z } from 'zod';
import { checkpointListSchema, checkpointSchema } from '../../contracts/log/checkpoint.js';
import { checkpointQuerySchema, pageSchema } from '../http/queries.js';
import { reply, sendLog } from '../http/reply.js';
import {
  requestCheckpoint,
  listCheckpoints,
  latestCheckpoint,
  exportLogs,
} from '../usecases/log/checkpoints.js';
import { CREATED } from './replies.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

/** Signed checkpoints over all logs, and the export that is checked against one. */
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
