import { Router } from 'express';
import { RefusalError, refusalOf } from '../errors.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { markStale } from '../http/mark-stale.js';
import { parseInput } from '../http/parse.js';
import { suspensionIdOf } from '../http/path-ids.js';
import { waitQuerySchema } from '../http/queries.js';
import type { LongPolls } from '../long-polls.js';

/** A wait that was cut short changed nothing, so the same request may be sent again. */
function interrupted(error: unknown): unknown {
  if (refusalOf(error) !== undefined) return error;
  return new RefusalError({ code: 'workflow_unavailable', detail: 'The wait was interrupted.' });
}

/** `GET /suspensions/{id}`, and `…/wait`, which is held open until something happens. */
export function suspensionRoutes(gateway: Gateway, longPolls: LongPolls): Router {
  const router = Router();
  addRoute(router, '/suspensions/:suspensionId', {
    get: [
      async (req, res) => {
        const read = await gateway.getSuspension(suspensionIdOf(req));
        markStale(res, read);
        res.json(read.value);
      },
    ],
  });
  addRoute(router, '/suspensions/:suspensionId/wait', {
    get: [
      async (req, res) => {
        const query = parseInput(waitQuerySchema, req.query);
        const suspensionId = suspensionIdOf(req);
        const signal = longPolls.signalFor(res);
        const wait = gateway.waitForSuspension(suspensionId, {
          timeoutSeconds: query.timeout_seconds,
          ...(query.after_attempt !== undefined && { afterAttempt: query.after_attempt }),
          signal,
        });
        const read = await wait.catch((error: unknown) => {
          throw signal.aborted ? interrupted(error) : error;
        });
        markStale(res, read);
        res.json(read.value);
      },
    ],
  });
  return router;
}
