import { Router } from 'express';
import { cancelRequestSchema, suspendRequestSchema } from '../../contracts/suspension-requests.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { ignoredFields } from '../http/ignored-fields.js';
import { parseInput } from '../http/parse.js';
import type { FieldCodes } from '../http/parse.js';
import { intentIdOf } from '../http/path-ids.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';
import type { SecretCheck } from '../secrets/secret-check.js';

const SUSPEND_CODES: FieldCodes = {
  choices: 'invalid_choices',
  confidence: 'invalid_signals',
  retry_policy: 'invalid_retry_policy',
  agent_retry_policy: 'invalid_retry_policy',
};

/** `POST /intents/{id}/suspend` asks (AM-33), `…/suspend/cancel` withdraws (AM-34). */
export function suspendRoutes(gateway: Gateway, refuseSecrets: SecretCheck): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/suspend', {
    post: forAgents(async (req, res) => {
      const request = parseInput(suspendRequestSchema, req.body, SUSPEND_CODES);
      const intentId = intentIdOf(req);
      await refuseSecrets(request);
      const { created, view, ...told } = await gateway.suspend(callerOf(req), intentId, request);
      const ignored = ignoredFields(req.body, request);
      const warnings = [
        ...ignored.map((name) => `${name} is not known here and was ignored.`),
        ...told.warnings,
      ];
      res
        .status(created ? 201 : 200)
        .location(`/v1/suspensions/${view.id}`)
        .json({ ...view, ...(warnings.length > 0 && { warnings }) });
    }),
  });
  addRoute(router, '/intents/:intentId/suspend/cancel', {
    post: forAgents(async (req, res) => {
      const request = parseInput(cancelRequestSchema, req.body, {
        suspension_id: 'missing_suspension_id',
      });
      res.json(await gateway.cancel(callerOf(req), intentIdOf(req), request));
    }),
  });
  return router;
}
