import { Router } from 'express';
import { respondRequestSchema } from '../../contracts/suspension-requests.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { idempotencyKeyOf } from '../http/headers.js';
import { parseInput } from '../http/parse.js';
import { intentIdOf } from '../http/path-ids.js';
import { callerOf } from '../middleware/authenticate.js';
import { forOperators } from '../middleware/guards.js';
import { withResponder } from '../middleware/roles.js';

/**
 * `POST /intents/{id}/suspend/respond` (R25-71 … 86): 200 once the answer counts; 202 where it was
 * delivered and no worker has taken it yet. What is wrong with the request alone is refused here, in
 * the order of AM-15. `agents` are principals that never answer.
 */
export function respondRoutes(gateway: Gateway, agents: ReadonlySet<string>): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/suspend/respond', {
    post: forOperators(async (req, res) => {
      const caller = callerOf(req);
      const body = parseInput(respondRequestSchema, req.body, {
        suspension_id: 'missing_suspension_id',
      });
      const request = withResponder(caller, body, agents);
      const key = idempotencyKeyOf(req);
      const intentId = intentIdOf(req);
      const outcome = await gateway.respond(caller, intentId, request, key);
      if (outcome.accepted) {
        res.json(outcome.result);
        return;
      }
      const { suspension_id } = outcome;
      const detail =
        'The answer is delivered but not yet accepted; the Location tells its outcome.';
      res
        .status(202)
        .location(`/v1/suspensions/${suspension_id}`)
        .json({ intent_id: intentId, suspension_id, status: 'handed_over', detail });
    }),
  });
  return router;
}
