import {
  addMemberRequestSchema,
  changePortfolioRequestSchema,
  createPortfolioRequestSchema,
  memberListSchema,
  membershipSchema,
  portfolioStatusRequestSchema,
  portfolioSummarySchema,
  portfolioViewSchema,
} from '../../contracts/portfolio/portfolio.js';
import { jsonOf } from '../http/input.js';
import { pageSchema, portfolioPageSchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import {
  addMember,
  changePortfolio,
  closePortfolio,
  createPortfolio,
  getPortfolio,
  listMembers,
  listPortfolios,
  listPortfoliosOf,
  removeMember,
} from '../usecases/portfolio/portfolios.js';
import {
  CREATED,
  NEXT,
  PAGE,
  READ,
  VERSIONED,
  VERSIONED_CREATED,
  VERSIONED_READ,
  nextOf,
} from './replies.js';
import { v1Route, type Route } from './route.js';

const removedSchema = membershipSchema.pick({ portfolio_id: true, intent_id: true });
const WHOLE = { description: 'The portfolio.', body: portfolioViewSchema } as const;
const LISTED = PAGE.declare(
  'portfolios',
  portfolioSummarySchema,
  'A page of portfolios, without their metadata.',
);

/** Portfolios (RFC-0007). */
export const PORTFOLIO_ROUTES: readonly Route[] = [
  v1Route(createPortfolio, 'POST /portfolios', {
    summary: 'Creates a portfolio of intents, which may have a deadline',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPortfolioRequestSchema),
    replies: VERSIONED_CREATED.declare(WHOLE.description, WHOLE.body),
    async handle({ run, body, headers }) {
      const created = await run(body, headers['Idempotency-Key']);
      return VERSIONED_CREATED.reply(created, `/v1/portfolios/${created.id}`);
    },
  }),
  v1Route(listPortfolios, 'GET /portfolios', {
    summary: 'Lists portfolios, newest first',
    query: portfolioPageSchema,
    replies: LISTED,
    handle: async ({ run, query }) => PAGE.reply('portfolios', await run(query), query),
  }),
  v1Route(getPortfolio, 'GET /portfolios/:portfolioId', {
    summary: 'Reads a portfolio: its own status, and that of its members together',
    replies: VERSIONED_READ.declare(WHOLE.description, WHOLE.body),
    handle: async ({ run, params }) => VERSIONED_READ.reply(await run(params.portfolioId)),
  }),
  v1Route(changePortfolio, 'PATCH /portfolios/:portfolioId', {
    summary: 'Changes the name and the governance of a portfolio, such as its deadline',
    headers: ['If-Match'],
    body: jsonOf(changePortfolioRequestSchema),
    keyed: true,
    replies: VERSIONED.declare(WHOLE.description, WHOLE.body),
    handle: async ({ run, params, headers, body }) =>
      VERSIONED.reply(await run(params.portfolioId, headers['If-Match'], body)),
  }),
  v1Route(closePortfolio, 'PATCH /portfolios/:portfolioId/status', {
    summary: 'Completes or abandons the portfolio; its members stay what they are',
    body: jsonOf(portfolioStatusRequestSchema),
    keyed: true,
    replies: { 200: WHOLE },
    handle: async ({ run, params, body }) => reply(200, await run(params.portfolioId, body.status)),
  }),
];

export const MEMBER_ROUTES: readonly Route[] = [
  v1Route(addMember, 'POST /portfolios/:portfolioId/intents', {
    summary: 'Makes an intent a member',
    body: jsonOf(addMemberRequestSchema),
    keyed: true,
    replies: CREATED.declare('The membership.', membershipSchema),
    async handle({ run, params: { portfolioId }, body }) {
      const added = await run(portfolioId, body);
      return CREATED.reply(added, `/v1/portfolios/${portfolioId}/intents`);
    },
  }),
  v1Route(removeMember, 'DELETE /portfolios/:portfolioId/intents/:intentId', {
    summary: 'Takes an intent out of the portfolio; the intent stays what it is',
    keyed: true,
    replies: { 200: { description: 'It is no member any more.', body: removedSchema } },
    async handle({ run, params: { portfolioId, intentId } }) {
      await run(portfolioId, intentId);
      return reply(200, { portfolio_id: portfolioId, intent_id: intentId });
    },
  }),
  v1Route(listMembers, 'GET /portfolios/:portfolioId/intents', {
    summary: 'Lists the intents of a portfolio, oldest first, with the status of all together',
    query: pageSchema,
    replies: READ.declare('A page of intents, in summary.', memberListSchema.extend(NEXT)),
    async handle({ run, params, query }) {
      const { members, aggregate_status } = await run(params.portfolioId, query);
      const body = { intents: members.value, aggregate_status, ...nextOf(members, query) };
      return reply(200, body, staleness(members));
    },
  }),
  v1Route(listPortfoliosOf, 'GET /intents/:intentId/portfolios', {
    summary: 'Lists the portfolios that an intent belongs to, newest first',
    query: pageSchema,
    replies: LISTED,
    handle: async ({ run, params, query }) =>
      PAGE.reply('portfolios', await run(params.intentId, query), query),
  }),
];
