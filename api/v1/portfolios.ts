import {
  addMemberRequestSchema,
  changePortfolioRequestSchema,
  createPortfolioRequestSchema,
  memberListSchema,
  membershipSchema,
  portfolioStatusRequestSchema,
  portfolioSummarySchema,
  portfolioViewSchema,
} from '../../contracts/portfolio.js';
import { jsonOf } from '../http/input.js';
import { memberPageSchema, pageSchema, portfolioPageSchema } from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import { MEMBERS, PORTFOLIOS } from '../operations/portfolio.js';
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
import { v1Route } from './route.js';
import type { Route } from './route.js';

const PORTFOLIO = '/portfolios/:portfolioId';
const removedSchema = membershipSchema.pick({ portfolio_id: true, intent_id: true });
const WHOLE = { description: 'The portfolio.', body: portfolioViewSchema } as const;
const LISTED = PAGE.declare(
  'portfolios',
  portfolioSummarySchema,
  'A page of portfolios, without their metadata.',
);

/** Portfolios: created, listed, read, changed, closed (RFC-0007). */
export const PORTFOLIO_ROUTES: readonly Route[] = [
  v1Route(PORTFOLIOS.createPortfolio, {
    method: 'post',
    path: '/portfolios',
    summary: 'Creates a portfolio of intents, which may have a deadline',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPortfolioRequestSchema),
    replies: VERSIONED_CREATED.declare(WHOLE.description, WHOLE.body),
    async handle({ run, body, headers }) {
      const created = await run(body, headers['Idempotency-Key']);
      return VERSIONED_CREATED.reply(created, `/v1/portfolios/${created.id}`);
    },
  }),
  v1Route(PORTFOLIOS.listPortfolios, {
    method: 'get',
    path: '/portfolios',
    summary: 'Lists portfolios, newest first',
    query: portfolioPageSchema,
    replies: LISTED,
    handle: async ({ run, query }) => PAGE.reply('portfolios', await run(query), query),
  }),
  v1Route(PORTFOLIOS.getPortfolio, {
    method: 'get',
    path: PORTFOLIO,
    summary: 'Reads a portfolio: its own status, and what its members come to',
    replies: VERSIONED_READ.declare(WHOLE.description, WHOLE.body),
    handle: async ({ run, params }) => VERSIONED_READ.reply(await run(params.portfolioId)),
  }),
  v1Route(PORTFOLIOS.changePortfolio, {
    method: 'patch',
    path: PORTFOLIO,
    summary: 'Changes what it is called and how it is governed; the deadline may be moved',
    headers: ['If-Match'],
    body: jsonOf(changePortfolioRequestSchema),
    keyed: true,
    replies: VERSIONED.declare(WHOLE.description, WHOLE.body),
    handle: async ({ run, params, headers, body }) =>
      VERSIONED.reply(await run(params.portfolioId, headers['If-Match'], body)),
  }),
  v1Route(PORTFOLIOS.closePortfolio, {
    method: 'patch',
    path: `${PORTFOLIO}/status`,
    summary: 'Completes or abandons the portfolio; its members stay what they are',
    body: jsonOf(portfolioStatusRequestSchema),
    keyed: true,
    replies: { 200: WHOLE },
    handle: async ({ run, params, body }) => reply(200, await run(params.portfolioId, body.status)),
  }),
];

/** The intents of a portfolio, and the portfolios of an intent. */
export const MEMBER_ROUTES: readonly Route[] = [
  v1Route(MEMBERS.addMember, {
    method: 'post',
    path: `${PORTFOLIO}/intents`,
    summary: 'Makes an intent a member',
    body: jsonOf(addMemberRequestSchema),
    keyed: true,
    replies: CREATED.declare('The membership.', membershipSchema),
    async handle({ run, params: { portfolioId }, body }) {
      const added = await run(portfolioId, body);
      return CREATED.reply(added, `/v1/portfolios/${portfolioId}/intents`);
    },
  }),
  v1Route(MEMBERS.removeMember, {
    method: 'delete',
    path: `${PORTFOLIO}/intents/:intentId`,
    summary: 'Takes an intent out of the portfolio; the intent stays what it is',
    keyed: true,
    replies: { 200: { description: 'It is no member any more.', body: removedSchema } },
    async handle({ run, params: { portfolioId, intentId } }) {
      await run(portfolioId, intentId);
      return reply(200, { portfolio_id: portfolioId, intent_id: intentId });
    },
  }),
  v1Route(MEMBERS.listMembers, {
    method: 'get',
    path: `${PORTFOLIO}/intents`,
    summary: 'Lists the intents of a portfolio, oldest first, with what all of them come to',
    query: memberPageSchema,
    replies: READ.declare('A page of intents, in summary.', memberListSchema.extend(NEXT)),
    async handle({ run, params, query }) {
      const { members, aggregate_status } = await run(params.portfolioId, query);
      const body = { intents: members.value, aggregate_status, ...nextOf(members, query) };
      return reply(200, body, staleness(members));
    },
  }),
  v1Route(MEMBERS.listPortfoliosOf, {
    method: 'get',
    path: '/intents/:intentId/portfolios',
    summary: 'Lists the portfolios that an intent belongs to, newest first',
    query: pageSchema,
    replies: LISTED,
    handle: async ({ run, params, query }) =>
      PAGE.reply('portfolios', await run(params.intentId, query), query),
  }),
];
