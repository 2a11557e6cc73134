import { z } from 'zod';
import { verifyReportSchema } from '../../contracts/event-log.js';
import { RefusalError } from '../errors.js';
import type { Gateway } from '../gateway/types.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { seesSuspensions } from '../http/sees-suspensions.js';
import { sendLog } from '../http/send-log.js';
import { staleness } from '../http/staleness.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

const EVENTS = '/intents/:intentId/events';

/**
 * `GET /intents/{id}/events/verify`, computed over the log as it was recorded, and `…/export`, which
 * is that log and so only for those who may read all of it.
 */
export function eventLogRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'get', path: `${EVENTS}/verify`, id: 'verifyEvents', access: 'any' },
      summary: 'Checks that the log is what was recorded',
      replies: {
        200: {
          ...{ description: 'What was found.', body: verifyReportSchema },
          ...{ example: EXAMPLES.verified, headers: ['Holdpoint-Stale'] },
        },
      },
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle({ params }) {
        const read = await gateway.verifyEvents(params.intentId);
        return reply(200, read.value, staleness(read));
      },
    }),
    defineRoute({
      ...{ method: 'get', path: `${EVENTS}/export`, id: 'exportEvents', access: 'any' },
      summary: 'Sends the whole log; for operators and the agent of its intent',
      replies: {
        200: {
          description: 'An event a line, the oldest first, and last how the log ends.',
          ...{ body: z.string(), contentType: 'application/x-ndjson' },
          ...{ example: EXAMPLES.exported, headers: ['Holdpoint-Stale'] },
        },
      },
      errors: ['forbidden', 'workflow_unavailable', 'store_unavailable'],
      async handle({ req, res, params: { intentId } }) {
        if (!(await seesSuspensions(gateway, callerOf(req), intentId))) throw notForYou();
        const read = await gateway.exportEvents(intentId);
        res.set(staleness(read)).attachment(`${intentId}.ndjson`);
        await sendLog(res, read.value);
        return undefined;
      },
    }),
  ];
}

/** A log with shortened ids would not verify (AM-45). */
function notForYou(): RefusalError {
  return new RefusalError({
    code: 'forbidden',
    detail:
      'An exported log holds everything: it is for operators and for the agent of its intent.',
    accepted: 'role operator or admin, or the key that created the intent',
  });
}
