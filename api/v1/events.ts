import { z } from 'zod';
import {
  appendEventRequestSchema,
  intentEventSchema,
  verifyReportSchema,
} from '../../contracts/event.js';
import { RefusalError } from '../errors.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import { eventPageSchema } from '../http/queries.js';
import { reply, sendLog, staleness } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { maskedEvents, seesSuspensions } from '../http/visibility.js';
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
      method: 'get',
      path: '/intents/:intentId/events',
      id: 'listEvents',
      access: 'any',
      summary: 'Reads the log of an intent, newest first',
      query: eventPageSchema,
      replies: {
        200: {
          description: 'A page of the log.',
          body: eventListSchema,
          example: { events: [EXAMPLES.event] },
          headers: ['Holdpoint-Stale'],
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
      method: 'post',
      path: '/intents/:intentId/events',
      id: 'appendEvent',
      access: 'agent',
      summary: 'Appends an event of the agent’s own',
      body: jsonOf(appendEventRequestSchema, { event_type, payload }),
      replies: {
        201: {
          description: 'The event.',
          body: intentEventSchema,
          example: EXAMPLES.event,
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

const EVENTS = '/intents/:intentId/events';

/**
 * `GET /intents/{id}/events/verify`, computed over the log as it was recorded, and `…/export`, which
 * is that log and so only for those who may read all of it.
 */
export function eventLogRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: `${EVENTS}/verify`,
      id: 'verifyEvents',
      access: 'any',
      summary: 'Checks that the log is what was recorded',
      replies: {
        200: {
          description: 'What was found.',
          body: verifyReportSchema,
          example: EXAMPLES.verified,
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: ['workflow_unavailable', 'store_unavailable'],
      async handle({ params }) {
        const read = await gateway.verifyEvents(params.intentId);
        return reply(200, read.value, staleness(read));
      },
    }),
    defineRoute({
      method: 'get',
      path: `${EVENTS}/export`,
      id: 'exportEvents',
      access: 'any',
      summary: 'Sends the whole log; for operators and the agent of its intent',
      replies: {
        200: {
          description: 'An event a line, the oldest first, and last how the log ends.',
          body: z.string(),
          contentType: 'application/x-ndjson',
          example: EXAMPLES.exported,
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: ['forbidden', 'workflow_unavailable', 'store_unavailable'],
      async handle({ req, res, params: { intentId } }) {
        if (!(await seesSuspensions(gateway, callerOf(req), intentId))) throw exportForbidden();
        const read = await gateway.exportEvents(intentId);
        res.set(staleness(read)).attachment(`${intentId}.ndjson`);
        await sendLog(res, read.value);
        return undefined;
      },
    }),
  ];
}

/** A log with shortened ids would not verify (AM-45). */
function exportForbidden(): RefusalError {
  return new RefusalError({
    code: 'forbidden',
    detail:
      'An exported log holds everything: it is for operators and for the agent of its intent.',
    accepted: 'role operator or admin, or the key that created the intent',
  });
}
