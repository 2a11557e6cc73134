import { Router } from 'express';
import type { RequestHandler, Response } from 'express';
import {
  cancelRequestSchema,
  SUSPEND_CODES,
  suspendRequestSchema,
} from '../../contracts/suspension-requests.js';
import type { SuspendRequest } from '../../contracts/suspension-requests.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { ignoredFields } from '../http/ignored-fields.js';
import { parseInput } from '../http/parse.js';
import { intentIdOf, suspensionIdOf } from '../http/path-ids.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';
import type { SecretCheck } from '../http/secret-check.js';

type Opened = Awaited<ReturnType<Gateway['suspend']>>;

function sendOpened(res: Response, request: SuspendRequest, { created, view, ...told }: Opened) {
  const ignored = ignoredFields(res.req.body, request);
  const warnings = [
    ...ignored.map((name) => `${name} is not known here and was ignored.`),
    ...told.warnings,
  ];
  res
    .status(created ? 201 : 200)
    .location(`/v1/suspensions/${view.id}`)
    .json({ ...view, ...(warnings.length > 0 && { warnings }) });
}

/** `POST /suspensions` asks without an intent. */
export function openHandler(gateway: Gateway, refuseSecrets: SecretCheck): RequestHandler {
  return async (req, res) => {
    const request = parseInput(suspendRequestSchema, req.body, SUSPEND_CODES);
    await refuseSecrets(request);
    sendOpened(res, request, await gateway.openSuspension(callerOf(req), request));
  };
}

/**
 * `POST /intents/{id}/suspend` asks (AM-33), `…/suspend/cancel` withdraws (AM-34), and
 * `POST /suspensions/{id}/cancel` without an intent.
 */
export function suspendRoutes(gateway: Gateway, refuseSecrets: SecretCheck): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/suspend', {
    post: forAgents(async (req, res) => {
      const request = parseInput(suspendRequestSchema, req.body, SUSPEND_CODES);
      const intentId = intentIdOf(req);
      await refuseSecrets(request);
      sendOpened(res, request, await gateway.suspend(callerOf(req), intentId, request));
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
  addRoute(router, '/suspensions/:suspensionId/cancel', {
    post: forAgents(async (req, res) => {
      const suspension_id = suspensionIdOf(req);
      const { reason } = parseInput(cancelRequestSchema.pick({ reason: true }), req.body);
      const request = { suspension_id, ...(reason !== undefined && { reason }) };
      res.json(await gateway.cancel(callerOf(req), undefined, request));
    }),
  });
  return router;
}
