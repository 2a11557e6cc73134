import { defined } from '../../contracts/constants/defined.js';
import { KNOWN_EVENT_TYPES } from '../../contracts/constants/openintent-events.js';
import { checkPostedType } from '../../domain/policy/posted-events.js';
import type { Binding } from '../http/route.js';
import { listEvents, listPortfolioEvents } from '../usecases/event/read.js';
import { appendEvent } from '../usecases/event/append.js';
import { bodyError } from './errors.js';
import { entriesOf, openIntentRoute } from './route.js';
import { eventQuery, eventSchema, pageQuery } from './schemas.js';
import { wireEvent, withZone } from './wire.js';

/** Logs, newest first and without events that the SDK cannot read; and an event of the agent's own. */
export const EVENT_ROUTES: readonly Binding[] = [
  openIntentRoute(listEvents, 'GET /intents/:intentId/events', {
    query: eventQuery,
    async handle({ run, id, query: { event_type: type, since, ...page } }) {
      const known = KNOWN_EVENT_TYPES.filter((each) => type === undefined || each === type);
      if (known.length === 0) return [];
      const from = since === undefined ? {} : { since: withZone(since) };
      const events = await run(id('intentId'), { ...page, ...from, event_types: known });
      return entriesOf(events, page).map(wireEvent);
    },
  }),
  openIntentRoute(appendEvent, 'POST /intents/:intentId/events', {
    body: eventSchema,
    actor: ({ actor }) => actor,
    async handle({ run, id, body: { event_type, payload, trace_id, parent_event_id } }) {
      const may = checkPostedType(event_type);
      if (!may.ok) throw bodyError(['event_type'], may.refusal.detail, event_type);
      const tracing = defined({ trace_id, parent_event_id });
      return wireEvent(await run(id('intentId'), event_type, payload, tracing));
    },
  }),
  openIntentRoute(listPortfolioEvents, 'GET /portfolios/:portfolioId/events', {
    query: pageQuery,
    async handle({ run, id, query }) {
      const page = { ...query, event_types: KNOWN_EVENT_TYPES };
      return entriesOf(await run(id('portfolioId'), page), query).map(wireEvent);
    },
  }),
];
