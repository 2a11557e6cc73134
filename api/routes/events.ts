import { z } from 'zod';
import { appendEventRequestSchema, intentEventSchema } from '../../contracts/event.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { maskedEvents } from '../http/mask.js';
import { eventPageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { seesSuspensions } from '../http/sees-suspensions.js';
import { staleness } from '../http/staleness.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

const shownEventSchema = intentEventSchema.extend({
  masked: z
    .exactOptional(z.literal(true))
    .describe('An id was shortened for an agent that did not ask; the hash is that of the whole.'),
});
/** Body of a page of a log. */
export const eventListSchema = z.object({ events: z.array(shownEventSchema).readonly() });
const { event_type, payload } = EXAMPLES.event;

/** `GET /intents/{id}/events`, newest first, and `POST` of an event of the agent's own. */
export function eventRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'get', path: '/intents/:intentId/events', id: 'listEvents', access: 'any' },
      summary: 'Reads the log of an intent, newest first',
      query: eventPageSchema,
      replies: {
        200: {
          ...{ description: 'A page of the log.', body: eventListSchema },
          ...{ example: { events: [EXAMPLES.event] }, headers: ['Holdpoint-Stale'] },
        },
      },
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle({ req, params: { intentId }, query: { event_type: type, ...page } }) {
        const query = { ...page, ...(type !== undefined && { event_type: type }) };
        const read = await gateway.listEvents(intentId, query);
        const open = await seesSuspensions(gateway, callerOf(req), intentId);
        return reply(
          200,
          { events: open ? read.value : maskedEvents(read.value) },
          staleness(read),
        );
      },
    }),
    defineRoute({
      ...{ method: 'post', path: '/intents/:intentId/events', id: 'appendEvent', access: 'agent' },
      summary: 'Appends an event of the agent’s own',
      body: jsonOf(appendEventRequestSchema, { event_type, payload }),
      replies: {
        201: {
          ...{ description: 'The event.', body: intentEventSchema, example: EXAMPLES.event },
          headers: ['Location'],
        },
      },
      errors: ['intent_closed', 'moving', 'workflow_unavailable', 'store_unavailable'],
      async handle({ req, params: { intentId }, body }) {
        const caller = callerOf(req);
        const event = await gateway.appendEvent(caller, intentId, body.event_type, body.payload);
        return reply(201, event, { Location: `/v1/intents/${intentId}/events` });
      },
    }),
  ];
}
