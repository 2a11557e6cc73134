import { Router } from 'express';
import { inboxFilterSchema } from '../../contracts/inbox.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { markStale } from '../http/mark-stale.js';
import { parseInput } from '../http/parse.js';
import { inboxPageSchema } from '../http/queries.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';
import type { SecretCheck } from '../http/secret-check.js';
import { openHandler } from './suspend.js';

/** `GET /suspensions`, a page of them, and `GET /suspensions/counts` (the inbox as data); `POST` asks. */
export function inboxRoutes(gateway: Gateway, refuseSecrets: SecretCheck): Router {
  const router = Router();
  addRoute(router, '/suspensions', {
    get: [
      async (req, res) => {
        const page = parseInput(inboxPageSchema, req.query);
        const read = await gateway.listSuspensions(callerOf(req), page);
        markStale(res, read);
        res.json(read.value);
      },
    ],
    post: forAgents(openHandler(gateway, refuseSecrets)),
  });
  addRoute(router, '/suspensions/counts', {
    get: [
      async (req, res) => {
        const filter = parseInput(inboxFilterSchema, req.query);
        const read = await gateway.countSuspensions(callerOf(req), filter);
        markStale(res, read);
        res.json(read.value);
      },
    ],
  });
  return router;
}
