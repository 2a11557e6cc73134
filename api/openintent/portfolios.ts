import {
  addMemberRequestSchema,
  createPortfolioRequestSchema,
  portfolioStatusRequestSchema,
  portfolioStatusSchema,
} from '../../contracts/portfolio.js';
import type { PortfolioView } from '../../contracts/portfolio.js';
import { nameSchema } from '../../contracts/primitives.js';
import { mayAnswer } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import { KNOWN_EVENT_TYPES } from './event-types.js';
import { openIntentCaller, openIntentRoute } from './route.js';
import type { OpenIntentRoute } from './route.js';
import { idSchema, optionalName, pageQuery } from './schemas.js';
import { naiveTime, wireEvent, wireIntent } from './wire.js';

const PORTFOLIO = '/portfolios/:portfolioId';
const listQuery = pageQuery.extend({
  status: portfolioStatusSchema.optional(),
  created_by: nameSchema.optional(),
});
/** Members come later, by routes of their own. */
const createSchema = createPortfolioRequestSchema
  .omit({ intents: true, created_by: true })
  .extend({ created_by: optionalName });

/** Portfolios (§9): created, read, listed, closed. */
export function portfolioRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'post',
      path: '/portfolios',
      access: 'agent',
      body: createSchema,
      async handle({ req, body: { created_by, ...request } }) {
        const named = { ...request, intents: [], ...(created_by && { created_by }) };
        return wirePortfolio(await gateway.createPortfolio(openIntentCaller(req), named));
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/portfolios',
      access: 'any',
      query: listQuery,
      async handle({ query: { status, created_by, ...page } }) {
        const filter = { ...(status && { status }), ...(created_by && { created_by }) };
        const { value } = await gateway.listPortfolios({ ...page, ...filter });
        return { portfolios: value.map(wirePortfolio) };
      },
    }),
    openIntentRoute({
      method: 'get',
      path: PORTFOLIO,
      access: 'any',
      handle: async ({ id }) =>
        wirePortfolio((await gateway.getPortfolio(id('portfolioId'))).value),
    }),
    openIntentRoute({
      method: 'patch',
      path: `${PORTFOLIO}/status`,
      access: 'agent',
      body: portfolioStatusRequestSchema,
      async handle({ req, id, body: { status } }) {
        const caller = openIntentCaller(req);
        return wirePortfolio(await gateway.closePortfolio(caller, id('portfolioId'), status));
      },
    }),
  ];
}

const MEMBERS = '/portfolios/:portfolioId/intents';
const memberSchema = addMemberRequestSchema.extend({ intent_id: idSchema });

/** The intents of a portfolio (§9), what is told of it, and the portfolios of an intent. */
export function memberRoutes(gateway: Gateway): readonly OpenIntentRoute[] {
  return [
    openIntentRoute({
      method: 'post',
      path: MEMBERS,
      access: 'agent',
      body: memberSchema,
      async handle({ req, id, body }) {
        const added = await gateway.addMember(openIntentCaller(req), id('portfolioId'), body);
        return { ...added, added_at: naiveTime(added.added_at) };
      },
    }),
    openIntentRoute({
      method: 'get',
      path: MEMBERS,
      access: 'any',
      query: pageQuery,
      async handle({ req, id, query }) {
        const caller = openIntentCaller(req);
        const { value } = await gateway.listMembers(id('portfolioId'), query);
        const intents = value.intents.map((intent) => wireIntent(caller, intent));
        return { intents, aggregate_status: value.aggregate_status };
      },
    }),
    openIntentRoute({
      method: 'delete',
      path: `${MEMBERS}/:intentId`,
      access: 'agent',
      async handle({ req, id }) {
        await gateway.removeMember(openIntentCaller(req), id('portfolioId'), id('intentId'));
        return { message: 'Intent removed from portfolio' };
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/intents/:intentId/portfolios',
      access: 'any',
      query: pageQuery,
      async handle({ id, query }) {
        const { value } = await gateway.listPortfoliosOf(id('intentId'), query);
        return { portfolios: value.map(wirePortfolio) };
      },
    }),
    openIntentRoute({
      method: 'get',
      path: '/portfolios/:portfolioId/events',
      access: 'any',
      query: pageQuery,
      async handle({ req, id, query }) {
        const page = { ...query, event_types: KNOWN_EVENT_TYPES };
        const { value } = await gateway.listPortfolioEvents(id('portfolioId'), page);
        const whole = mayAnswer(openIntentCaller(req));
        return value.map((event) => wireEvent(event, whole));
      },
    }),
  ];
}

/** A portfolio as the SDK parses it: its times go under both names, of which the SDK reads the second. */
export function wirePortfolio(portfolio: PortfolioView) {
  const created = naiveTime(portfolio.created_at);
  const updated = naiveTime(portfolio.updated_at);
  return {
    ...portfolio,
    created_at: created,
    createdAt: created,
    updated_at: updated,
    updatedAt: updated,
  };
}
