import {
  addMemberRequestSchema,
  createPortfolioRequestSchema,
  portfolioStatusRequestSchema,
  portfolioStatusSchema,
} from '../../contracts/portfolio.js';
import type { PortfolioView } from '../../contracts/portfolio.js';
import { nameSchema } from '../../contracts/primitives.js';
import type { Binding } from '../http/route.js';
import { MEMBERS, PORTFOLIOS } from '../operations/portfolio.js';
import { openIntentRoute } from './route.js';
import { idSchema, optionalName, pageQuery } from './schemas.js';
import { naiveTime, wireIntent } from './wire.js';

const PORTFOLIO = '/portfolios/:portfolioId';
const listQuery = pageQuery.extend({
  status: portfolioStatusSchema.optional(),
  created_by: nameSchema.optional(),
});
/** Members come later, by routes of their own. */
const createSchema = createPortfolioRequestSchema
  .omit({ intents: true, created_by: true })
  .extend({ created_by: optionalName });

/** A portfolio as the SDK parses it: its times go under both names, of which the SDK reads the second. */
function wirePortfolio(portfolio: PortfolioView) {
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

/** Portfolios: created, read, listed, closed. */
export const PORTFOLIO_ROUTES: readonly Binding[] = [
  openIntentRoute(PORTFOLIOS.createPortfolio, {
    method: 'post',
    path: '/portfolios',
    body: createSchema,
    handle: async ({ run, body: { created_by, ...request } }) =>
      wirePortfolio(await run({ ...request, intents: [], ...(created_by && { created_by }) })),
  }),
  openIntentRoute(PORTFOLIOS.listPortfolios, {
    method: 'get',
    path: '/portfolios',
    query: listQuery,
    async handle({ run, query: { status, created_by, ...page } }) {
      const filter = { ...(status && { status }), ...(created_by && { created_by }) };
      const { value } = await run({ ...page, ...filter });
      return { portfolios: value.map(wirePortfolio) };
    },
  }),
  openIntentRoute(PORTFOLIOS.getPortfolio, {
    method: 'get',
    path: PORTFOLIO,
    handle: async ({ run, id }) => wirePortfolio((await run(id('portfolioId'))).value),
  }),
  openIntentRoute(PORTFOLIOS.closePortfolio, {
    method: 'patch',
    path: `${PORTFOLIO}/status`,
    body: portfolioStatusRequestSchema,
    handle: async ({ run, id, body: { status } }) =>
      wirePortfolio(await run(id('portfolioId'), status)),
  }),
];

const ADDED = addMemberRequestSchema.extend({ intent_id: idSchema });

/** The intents of a portfolio, and the portfolios of an intent. */
export const MEMBER_ROUTES: readonly Binding[] = [
  openIntentRoute(MEMBERS.addMember, {
    method: 'post',
    path: `${PORTFOLIO}/intents`,
    body: ADDED,
    async handle({ run, id, body }) {
      const added = await run(id('portfolioId'), body);
      return { ...added, added_at: naiveTime(added.added_at) };
    },
  }),
  openIntentRoute(MEMBERS.listMembers, {
    method: 'get',
    path: `${PORTFOLIO}/intents`,
    query: pageQuery,
    async handle({ run, id, query }) {
      const { intents, aggregate_status } = (await run(id('portfolioId'), query)).value;
      return { intents: intents.map(wireIntent), aggregate_status };
    },
  }),
  openIntentRoute(MEMBERS.removeMember, {
    method: 'delete',
    path: `${PORTFOLIO}/intents/:intentId`,
    async handle({ run, id }) {
      await run(id('portfolioId'), id('intentId'));
      return { message: 'Intent removed from portfolio' };
    },
  }),
  openIntentRoute(MEMBERS.listPortfoliosOf, {
    method: 'get',
    path: '/intents/:intentId/portfolios',
    query: pageQuery,
    handle: async ({ run, id, query }) => ({
      portfolios: (await run(id('intentId'), query)).value.map(wirePortfolio),
    }),
  }),
];
