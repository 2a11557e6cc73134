import { z } from 'zod';
import { checkpointListSchema, checkpointSchema } from '../../contracts/checkpoint.js';
import { checkpointQuerySchema, pageSchema } from '../http/queries.js';
import { reply, sendLog } from '../http/reply.js';
import { LOGS } from '../operations/log.js';
import { CREATED } from './replies.js';
import { v1Route } from './route.js';
import type { Route } from './route.js';

const CHECKPOINTS = '/log/checkpoints';

/** Signed checkpoints over all logs, and the export that is checked against one. */
export const LOG_ROUTES: readonly Route[] = [
  v1Route(LOGS.requestCheckpoint, {
    method: 'post',
    path: CHECKPOINTS,
    summary: 'Signs a checkpoint over all logs now; for admins and auditors',
    replies: CREATED.declare('The checkpoint.', checkpointSchema),
    handle: async ({ run }) => CREATED.reply(await run(), `/v1${CHECKPOINTS}/latest`),
  }),
  v1Route(LOGS.listCheckpoints, {
    method: 'get',
    path: CHECKPOINTS,
    summary: 'Lists checkpoints, newest first; for admins and auditors',
    query: pageSchema,
    replies: { 200: { description: 'A page of checkpoints.', body: checkpointListSchema } },
    handle: async ({ run, query }) => reply(200, await run(query)),
  }),
  v1Route(LOGS.latestCheckpoint, {
    method: 'get',
    path: `${CHECKPOINTS}/latest`,
    summary: 'Reads the newest checkpoint; for admins and auditors',
    replies: { 200: { description: 'The checkpoint.', body: checkpointSchema } },
    handle: async ({ run }) => reply(200, await run()),
  }),
  v1Route(LOGS.exportLogs, {
    method: 'get',
    path: '/log/export',
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
