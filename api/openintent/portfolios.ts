import { z } from 'zod';
import { defined } from '../../contracts/constants/defined.js';
import {
  addMemberRequestSchema,
  createPortfolioRequestSchema,
  portfolioStatusRequestSchema,
  portfolioStatusSchema,
  type PortfolioView,
} from '../../contracts/portfolio/portfolio.js';
import { nameSchema } from '../../contracts/kernel/primitives.js';
import type { Binding } from '../http/route.js';
import {
  addMember,
  closePortfolio,
  createPortfolio,
  getPortfolio,
  listMembers,
  listPortfolios,
  listPortfoliosOf,
  removeMember,
} from '../usecases/portfolio/portfolios.js';
import { ANY_NAME, wholeEntriesOf, openIntentRoute } from './route.js';
import { idSchema, optionalName, pageQuery } from './schemas.js';
import { wireIntent, withNaiveTimes } from './wire.js';

const listQuery = pageQuery.extend({
  status: z.exactOptional(portfolioStatusSchema),
  created_by: z.exactOptional(nameSchema),
});
/** Members are added later, by other routes. */
const createSchema = createPortfolioRequestSchema
  .omit({ intents: true, created_by: true })
  .extend({ created_by: optionalName });

/** Returns a portfolio as the SDK parses it: its times have both names, of which the SDK reads the second. */
function wirePortfolio(portfolio: PortfolioView) {
  const shown = withNaiveTimes(portfolio, ['created_at', 'updated_at']);
  return { ...shown, createdAt: shown.created_at, updatedAt: shown.updated_at };
}

export const PORTFOLIO_ROUTES: readonly Binding[] = [
  openIntentRoute(createPortfolio, 'POST /portfolios', {
    body: createSchema,
    async handle({ run, body: { created_by, ...sent } }) {
      const request = defined({ ...sent, intents: [], created_by });
      return wirePortfolio(await run(request, undefined, ANY_NAME));
    },
  }),
  openIntentRoute(listPortfolios, 'GET /portfolios', {
    query: listQuery,
    async handle({ run, query }) {
      const portfolios = wholeEntriesOf(await run({ ...query, whole: true }), query);
      return { portfolios: portfolios.map(wirePortfolio) };
    },
  }),
  openIntentRoute(getPortfolio, 'GET /portfolios/:portfolioId', {
    handle: async ({ run, id }) => wirePortfolio((await run(id('portfolioId'))).value),
  }),
  openIntentRoute(closePortfolio, 'PATCH /portfolios/:portfolioId/status', {
    body: portfolioStatusRequestSchema,
    handle: async ({ run, id, body: { status } }) =>
      wirePortfolio(await run(id('portfolioId'), status)),
  }),
];

const ADDED = addMemberRequestSchema.extend({ intent_id: idSchema });

export const MEMBER_ROUTES: readonly Binding[] = [
  openIntentRoute(addMember, 'POST /portfolios/:portfolioId/intents', {
    body: ADDED,
    handle: async ({ run, id, body }) =>
      withNaiveTimes(await run(id('portfolioId'), body), ['added_at']),
  }),
  openIntentRoute(listMembers, 'GET /portfolios/:portfolioId/intents', {
    query: pageQuery,
    async handle({ run, id, query }) {
      const page = { ...query, whole: true };
      const { members, aggregate_status } = await run(id('portfolioId'), page);
      return { intents: wholeEntriesOf(members, query).map(wireIntent), aggregate_status };
    },
  }),
  openIntentRoute(removeMember, 'DELETE /portfolios/:portfolioId/intents/:intentId', {
    async handle({ run, id }) {
      await run(id('portfolioId'), id('intentId'));
      return { message: 'Intent removed from portfolio' };
    },
  }),
  openIntentRoute(listPortfoliosOf, 'GET /intents/:intentId/portfolios', {
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
