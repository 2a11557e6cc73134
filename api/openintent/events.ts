import type { Binding } from '../http/route.js';
import { EVENTS } from '../operations/event.js';
import { bodyError } from './errors.js';
import { KNOWN_EVENT_TYPES, RESERVED_EVENT_TYPES } from './event-types.js';
import { openIntentRoute } from './route.js';
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
      const { value } = await run(id('intentId'), { ...page, ...from, event_types: known });
      return value.map(wireEvent);
    },
  }),
  openIntentRoute(EVENTS.appendEvent, {
    method: 'post',
    path: LOG,
    body: eventSchema,
    actor: ({ actor }) => actor,
    async handle({ run, id, body: { event_type, payload } }) {
      if (RESERVED_EVENT_TYPES.includes(event_type)) {
        throw bodyError(['event_type'], 'Only the server writes events of this type', event_type);
      }
      return wireEvent(await run(id('intentId'), event_type, payload));
    },
  }),
  openIntentRoute(EVENTS.listPortfolioEvents, {
    method: 'get',
    path: '/portfolios/:portfolioId/events',
    query: pageQuery,
    async handle({ run, id, query }) {
      const page = { ...query, event_types: KNOWN_EVENT_TYPES };
      return (await run(id('portfolioId'), page)).value.map(wireEvent);
    },
  }),
];
