import { KNOWN_EVENT_TYPES } from '../../contracts/constants/openintent-events.js';
import { checkPostedType } from '../../domain/policy/posted-events.js';
import type { Binding } from '../http/route.js';
import { EVENTS } from '../operations/event.js';
import { bodyError } from './errors.js';
import { entriesOf, openIntentRoute } from './route.js';
import { eventQuery, eventSchema, pageQuery } from './schemas.js';
import { wireEvent, withZone } from './wire.js';

const LOG = '/intents/:intentId/events';

/** Logs, newest first and without what the SDK cannot read; and an event of the agent's own. */
export const EVENT_ROUTES: readonly Binding[] = [
  openIntentRoute(EVENTS.listEvents, {
    method: 'get',
    path: LOG,
    query: eventQuery,
    async handle({ run, id, query: { event_type: type, since, ...page } }) {
      const known = KNOWN_EVENT_TYPES.filter((each) => type === undefined || each === type);
      if (known.length === 0) return [];
      const from = since === undefined ? {} : { since: withZone(since) };
      const events = await run(id('intentId'), { ...page, ...from, event_types: known });
      return entriesOf(events, page).map(wireEvent);
    },
  }),
  openIntentRoute(EVENTS.appendEvent, {
    method: 'post',
    path: LOG,
    body: eventSchema,
    actor: ({ actor }) => actor,
    async handle({ run, id, body: { event_type, payload, trace_id, parent_event_id } }) {
      const may = checkPostedType(event_type);
      if (!may.ok) throw bodyError(['event_type'], may.refusal.detail, event_type);
      const tracing = {
        ...(trace_id !== undefined && { trace_id }),
        ...(parent_event_id !== undefined && { parent_event_id }),
      };
      return wireEvent(await run(id('intentId'), event_type, payload, tracing));
    },
  }),
  openIntentRoute(EVENTS.listPortfolioEvents, {
    method: 'get',
    path: '/portfolios/:portfolioId/events',
    query: pageQuery,
    async handle({ run, id, query }) {
      const page = { ...query, event_types: KNOWN_EVENT_TYPES };
      return entriesOf(await run(id('portfolioId'), page), query).map(wireEvent);
    },
  }),
];
