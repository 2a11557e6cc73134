import type { Gateway } from '../gateway/index.js';
import { bodyError } from './errors.js';
import { KNOWN_EVENT_TYPES, RESERVED_EVENT_TYPES } from './event-types.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { eventQuery, eventSchema } from './schemas.js';
import { seesAll, wireEvent, withZone } from './wire.js';

const PATH = '/intents/:intentId/events';

/** The log (§2), newest first and without what the SDK cannot read; and an event of the agent's own. */
export function eventRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'get',
      path: PATH,
      access: 'any',
      query: eventQuery,
      async handle({ req, id, query: { event_type: type, since, ...page } }) {
        const caller = openIntentCaller(req);
        const known = KNOWN_EVENT_TYPES.filter((each) => type === undefined || each === type);
        if (known.length === 0) return [];
        const { value: intent } = await gateway.getIntent(id('intentId'));
        const from = since === undefined ? {} : { since: withZone(since) };
        const { value } = await gateway.listEvents(intent.id, {
          ...page,
          ...from,
          event_types: known,
        });
        const whole = seesAll(caller, intent);
        return value.map((event) => wireEvent(event, whole));
      },
    }),
    openIntentRoute({
      method: 'post',
      path: PATH,
      access: 'agent',
      body: eventSchema,
      async handle({ req, id, body: { event_type, actor, payload } }) {
        if (RESERVED_EVENT_TYPES.includes(event_type)) {
          throw bodyError(['event_type'], 'Only the server writes events of this type', event_type);
        }
        const caller = openIntentCaller(req, actor);
        const event = await gateway.appendEvent(caller, id('intentId'), event_type, payload);
        return wireEvent(event, true);
      },
    }),
  ];
}
