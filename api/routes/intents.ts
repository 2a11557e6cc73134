import { Router } from 'express';
import type { Response } from 'express';
import { createIntentRequestSchema } from '../../contracts/intent.js';
import type { Intent } from '../../contracts/intent.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { idempotencyKeyOf } from '../http/headers.js';
import { intentFor } from '../http/mask.js';
import { markStale } from '../http/mark-stale.js';
import { parseInput } from '../http/parse.js';
import { intentIdOf } from '../http/path-ids.js';
import { intentPageSchema } from '../http/queries.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';

/** Sends an intent as its caller may read it, with its version as `ETag`, which `If-Match` takes. */
export function sendIntent(res: Response, intent: Intent): void {
  res.setHeader('ETag', `"${intent.version}"`);
  res.json(intentFor(callerOf(res.req), intent));
}

/** `POST /intents`, `GET /intents` (newest first) and `GET /intents/{id}`. */
export function intentRoutes(gateway: Gateway): Router {
  const router = Router();
  addRoute(router, '/intents', {
    get: [
      async (req, res) => {
        const { status, ...page } = parseInput(intentPageSchema, req.query);
        const read = await gateway.listIntents({ ...page, ...(status && { status }) });
        markStale(res, read);
        const caller = callerOf(req);
        res.json({ intents: read.value.map((intent) => intentFor(caller, intent)) });
      },
    ],
    post: forAgents(async (req, res) => {
      const request = parseInput(createIntentRequestSchema, req.body);
      const intent = await gateway.createIntent(callerOf(req), request, idempotencyKeyOf(req));
      res.status(201).location(`/v1/intents/${intent.id}`);
      sendIntent(res, intent);
    }),
  });
  addRoute(router, '/intents/:intentId', {
    get: [
      async (req, res) => {
        const read = await gateway.getIntent(intentIdOf(req));
        markStale(res, read);
        sendIntent(res, read.value);
      },
    ],
  });
  return router;
}
