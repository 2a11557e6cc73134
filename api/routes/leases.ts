import { Router } from 'express';
import { acquireLeaseRequestSchema, renewLeaseRequestSchema } from '../../contracts/intent.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { parseInput } from '../http/parse.js';
import { intentIdOf, leaseIdOf } from '../http/path-ids.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';

/** `GET` and `POST /intents/{id}/leases`, `PATCH` (renew) and `DELETE` (release) of one lease. */
export function leaseRoutes(gateway: Gateway): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/leases', {
    get: [
      async (req, res) => {
        res.json({ leases: await gateway.listLeases(intentIdOf(req)) });
      },
    ],
    post: forAgents(async (req, res) => {
      const { scope, duration_seconds } = parseInput(acquireLeaseRequestSchema, req.body);
      const intentId = intentIdOf(req);
      const lease = await gateway.acquireLease(callerOf(req), intentId, scope, duration_seconds);
      res.status(201).location(`/v1/intents/${intentId}/leases/${lease.id}`).json(lease);
    }),
  });
  addRoute(router, '/intents/:intentId/leases/:leaseId', {
    patch: forAgents(async (req, res) => {
      const { duration_seconds: seconds } = parseInput(renewLeaseRequestSchema, req.body);
      const [intentId, leaseId] = [intentIdOf(req), leaseIdOf(req)];
      res.json(await gateway.renewLease(callerOf(req), intentId, leaseId, seconds));
    }),
    delete: forAgents(async (req, res) => {
      res.json(await gateway.releaseLease(callerOf(req), intentIdOf(req), leaseIdOf(req)));
    }),
  });
  return router;
}
