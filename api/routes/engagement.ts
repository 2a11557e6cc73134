import { Router } from 'express';
import { engagementSignalsSchema } from '../../contracts/engagement.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { checkContextSize } from '../http/context-size.js';
import { parseInput } from '../http/parse.js';
import type { FieldCodes } from '../../contracts/parse-fields.js';
import { intentIdOf } from '../http/path-ids.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';

const SIGNAL_CODES: FieldCodes = {
  confidence: 'invalid_signals',
  risk: 'invalid_signals',
  reversibility: 'invalid_signals',
};

/** `POST /intents/{id}/engagement`: should the agent ask? The decision is recorded and returned. */
export function engagementRoutes(gateway: Gateway): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/engagement', {
    post: forAgents(async (req, res) => {
      const signals = parseInput(engagementSignalsSchema, req.body, SIGNAL_CODES);
      checkContextSize(signals.context);
      res.json(await gateway.engage(callerOf(req), intentIdOf(req), signals));
    }),
  });
  return router;
}
