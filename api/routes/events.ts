import { Router } from 'express';
import { appendEventRequestSchema } from '../../contracts/event.js';
import type { Gateway } from '../gateway/types.js';
import { addRoute } from '../http/add-route.js';
import { maskedEvents } from '../http/mask.js';
import { markStale } from '../http/mark-stale.js';
import { parseInput } from '../http/parse.js';
import { intentIdOf } from '../http/path-ids.js';
import { eventPageSchema } from '../http/queries.js';
import { seesSuspensions } from '../http/sees-suspensions.js';
import { callerOf } from '../middleware/authenticate.js';
import { forAgents } from '../middleware/guards.js';

/** `GET /intents/{id}/events`, newest first, and `POST` of an event of the agent's own. */
export function eventRoutes(gateway: Gateway): Router {
  const router = Router();
  addRoute(router, '/intents/:intentId/events', {
    get: [
      async (req, res) => {
        const { event_type, ...page } = parseInput(eventPageSchema, req.query);
        const query = { ...page, ...(event_type !== undefined && { event_type }) };
        const intentId = intentIdOf(req);
        const read = await gateway.listEvents(intentId, query);
        markStale(res, read);
        const open = await seesSuspensions(gateway, callerOf(req), intentId);
        res.json({ events: open ? read.value : maskedEvents(read.value) });
      },
    ],
    post: forAgents(async (req, res) => {
      const { event_type, payload } = parseInput(appendEventRequestSchema, req.body);
      const intentId = intentIdOf(req);
      const event = await gateway.appendEvent(callerOf(req), intentId, event_type, payload);
      res.status(201).location(`/v1/intents/${intentId}/events`).json(event);
    }),
  });
  return router;
}
