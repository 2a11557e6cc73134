import { Router } from 'express';
import { RefusalError } from '../errors.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { markStale } from '../http/mark-stale.js';
import { intentIdOf } from '../http/path-ids.js';
import { seesSuspensions } from '../http/sees-suspensions.js';
import { sendLog } from '../http/send-log.js';
import { callerOf } from '../middleware/authenticate.js';

/**
 * `GET /intents/{id}/events/verify`, computed over the log as it was recorded, and `…/export`, which
 * is that log and so only for those who may read all of it.
 */
export function eventLogRoutes(gateway: Gateway): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/events/verify', {
    get: [
      async (req, res) => {
        const read = await gateway.verifyEvents(intentIdOf(req));
        markStale(res, read);
        res.json(read.value);
      },
    ],
  });
  addRoute(router, '/intents/:intentId/events/export', {
    get: [
      async (req, res) => {
        const intentId = intentIdOf(req);
        if (!(await seesSuspensions(gateway, callerOf(req), intentId))) throw notForYou();
        const read = await gateway.exportEvents(intentId);
        markStale(res, read);
        res.attachment(`${intentId}.ndjson`);
        await sendLog(res, read.value);
      },
    ],
  });
  return router;
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
