import { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { respondRequestSchema } from '../../contracts/suspension-requests.js';
import type { RespondRequest } from '../../contracts/suspension-requests.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { idempotencyKeyOf } from '../http/headers.js';
import { parseInput } from '../http/parse.js';
import { intentIdOf, suspensionIdOf } from '../http/path-ids.js';
import { callerOf } from '../middleware/authenticate.js';
import { forOperators } from '../middleware/guards.js';
import { withResponder } from '../middleware/roles.js';

/** What a body holds where the path names the suspension. */
const answerSchema = respondRequestSchema.omit({ suspension_id: true });

/**
 * `POST /intents/{id}/suspend/respond` (R25-71 … 86), and `POST /suspensions/{id}/respond` for any
 * suspension, whatever it holds up: 200 once the answer counts; 202 where it was delivered and no worker
 * has taken it yet. What is wrong with the request alone is refused here, in the order of AM-15.
 * `agents` are principals that never answer.
 */
export function respondRoutes(gateway: Gateway, agents: ReadonlySet<string>): Router {
  const router = Router();
  const answering = (
    read: (req: Request) => RespondRequest,
    through: (req: Request) => string | undefined,
  ): RequestHandler => {
    return async (req, res) => {
      const caller = callerOf(req);
      const request = withResponder(caller, read(req), agents);
      const key = idempotencyKeyOf(req);
      const intentId = through(req);
      const outcome = await gateway.respond(caller, intentId, request, key);
      if (outcome.accepted) res.json(outcome.result);
      else sendHandedOver(res, intentId, outcome.suspension_id);
    };
  };
  addRoute(router, '/intents/:intentId/suspend/respond', {
    post: forOperators(
      answering(
        ({ body }) =>
          parseInput(respondRequestSchema, body, { suspension_id: 'missing_suspension_id' }),
        intentIdOf,
      ),
    ),
  });
  addRoute(router, '/suspensions/:suspensionId/respond', {
    post: forOperators(
      answering(
        (req) => ({ suspension_id: suspensionIdOf(req), ...parseInput(answerSchema, req.body) }),
        () => undefined,
      ),
    ),
  });
  return router;
}

function sendHandedOver(res: Response, intentId: string | undefined, suspensionId: string): void {
  const detail = 'The answer is delivered but not yet accepted; the Location tells its outcome.';
  res
    .status(202)
    .location(`/v1/suspensions/${suspensionId}`)
    .json({
      intent_id: intentId ?? null,
      suspension_id: suspensionId,
      status: 'handed_over',
      detail,
    });
}
