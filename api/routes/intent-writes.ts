import { Router } from 'express';
import { statusRequestSchema } from '../../contracts/intent.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { ifMatchOf } from '../http/headers.js';
import { parseInput } from '../http/parse.js';
import { intentIdOf } from '../http/path-ids.js';
import { statePatchesOf } from '../http/state-patches.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';
import { sendIntent } from './intents.js';

/** `POST /intents/{id}/status` and `…/state`: versioned writes that need `If-Match`. */
export function intentWriteRoutes(gateway: Gateway): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/status', {
    post: forAgents(async (req, res) => {
      const ifMatch = ifMatchOf(req);
      const request = parseInput(statusRequestSchema, req.body);
      const intent = await gateway.setStatus(callerOf(req), intentIdOf(req), ifMatch, request);
      sendIntent(res, intent);
    }),
  });
  addRoute(router, '/intents/:intentId/state', {
    post: forAgents(async (req, res) => {
      const ifMatch = ifMatchOf(req);
      const patches = statePatchesOf(req.body as object);
      const intent = await gateway.patchState(callerOf(req), intentIdOf(req), ifMatch, patches);
      sendIntent(res, intent);
    }),
  });
  return router;
}
