import { z } from 'zod';
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
import { ANY_NAME, wholeEntriesOf, openIntentRoute } from './route.js';
import { idSchema, optionalName, pageQuery } from './schemas.js';
import { wireIntent, withNaiveTimes } from './wire.js';

const PORTFOLIO = '/portfolios/:portfolioId';
const listQuery = pageQuery.extend({
  status: z.exactOptional(portfolioStatusSchema),
  created_by: z.exactOptional(nameSchema),
});
/** Members come later, by routes of their own. */
const createSchema = createPortfolioRequestSchema
  .omit({ intents: true, created_by: true })
  .extend({ created_by: optionalName });

/** A portfolio as the SDK parses it: its times go under both names, of which the SDK reads the second. */
function wirePortfolio(portfolio: PortfolioView) {
  const shown = withNaiveTimes(portfolio, ['created_at', 'updated_at']);
  return { ...shown, createdAt: shown.created_at, updatedAt: shown.updated_at };
}

/** Portfolios: created, read, listed, closed. */
export const PORTFOLIO_ROUTES: readonly Binding[] = [
  openIntentRoute(PORTFOLIOS.createPortfolio, {
    method: 'post',
    path: '/portfolios',
    body: createSchema,
    async handle({ run, body: { created_by, ...sent } }) {
      const request = { ...sent, intents: [], ...(created_by && { created_by }) };
      return wirePortfolio(await run(request, undefined, ANY_NAME));
    },
  }),
  openIntentRoute(PORTFOLIOS.listPortfolios, {
    method: 'get',
    path: '/portfolios',
    query: listQuery,
    async handle({ run, query }) {
      const portfolios = wholeEntriesOf(await run({ ...query, whole: true }), query);
      return { portfolios: portfolios.map(wirePortfolio) };
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
    handle: async ({ run, id, body }) =>
      withNaiveTimes(await run(id('portfolioId'), body), ['added_at']),
  }),
  openIntentRoute(MEMBERS.listMembers, {
    method: 'get',
    path: `${PORTFOLIO}/intents`,
    query: pageQuery,
    async handle({ run, id, query }) {
      const page = { ...query, whole: true };
      const { members, aggregate_status } = await run(id('portfolioId'), page);
      return { intents: wholeEntriesOf(members, query).map(wireIntent), aggregate_status };
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
    async handle({ run, id, query }) {
      const portfolios = wholeEntriesOf(
        await run(id('intentId'), { ...query, whole: true }),
        query,
      );
      return { portfolios: portfolios.map(wirePortfolio) };
    },
  }),
];
