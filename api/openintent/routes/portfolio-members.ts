import { addMemberRequestSchema } from '../../../contracts/portfolio.js';
import type { Gateway } from '../../gateway/types.js';
import { mayAnswer } from '../../gateway/may-answer.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { KNOWN_EVENT_TYPES } from '../event-types.js';
import { doorCaller } from '../identity.js';
import { naiveTime } from '../naive-time.js';
import { idSchema, pageQuery } from '../schemas.js';
import { wireEvent, wireIntent } from '../wire.js';
import { wirePortfolio } from '../wire-portfolio.js';

const MEMBERS = '/portfolios/:portfolioId/intents';
const memberSchema = addMemberRequestSchema.extend({ intent_id: idSchema });

/** The intents of a portfolio (§9), what is told of it, and the portfolios of an intent. */
export function memberRoutes(gateway: Gateway): readonly DoorRoute[] {
  return [
    doorRoute({
      ...{ method: 'post', path: MEMBERS, access: 'agent', body: memberSchema },
      async handle({ req, id, body }) {
        const added = await gateway.addMember(doorCaller(req), id('portfolioId'), body);
        return { ...added, added_at: naiveTime(added.added_at) };
      },
    }),
    doorRoute({
      ...{ method: 'get', path: MEMBERS, access: 'any', query: pageQuery },
      async handle({ req, id, query }) {
        const caller = doorCaller(req);
        const { value } = await gateway.listMembers(id('portfolioId'), query);
        const intents = value.intents.map((intent) => wireIntent(caller, intent));
        return { intents, aggregate_status: value.aggregate_status };
      },
    }),
    doorRoute({
      ...{ method: 'delete', path: `${MEMBERS}/:intentId`, access: 'agent' },
      async handle({ req, id }) {
        await gateway.removeMember(doorCaller(req), id('portfolioId'), id('intentId'));
        return { message: 'Intent removed from portfolio' };
      },
    }),
    doorRoute({
      ...{ method: 'get', path: '/intents/:intentId/portfolios', access: 'any' },
      query: pageQuery,
      async handle({ id, query }) {
        const { value } = await gateway.listPortfoliosOf(id('intentId'), query);
        return { portfolios: value.map(wirePortfolio) };
      },
    }),
    doorRoute({
      ...{ method: 'get', path: '/portfolios/:portfolioId/events', access: 'any' },
      query: pageQuery,
      async handle({ req, id, query }) {
        const page = { ...query, event_types: KNOWN_EVENT_TYPES };
        const { value } = await gateway.listPortfolioEvents(id('portfolioId'), page);
        const whole = mayAnswer(doorCaller(req));
        return value.map((event) => wireEvent(event, whole));
      },
    }),
  ];
}
