import { z } from 'zod';
import {
  changePortfolioRequestSchema,
  createPortfolioRequestSchema,
  portfolioStatusRequestSchema,
  portfolioViewSchema,
} from '../../contracts/portfolio.js';
import type { Gateway } from '../gateway/types.js';
import { jsonOf } from '../http/body.js';
import { portfolioPageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { staleness } from '../http/staleness.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';

const portfolioListSchema = z.object({ portfolios: z.array(portfolioViewSchema).readonly() });
const PORTFOLIO = '/portfolios/:portfolioId';
const { name, governance_policy } = EXAMPLES.portfolio;
const READ_ERRORS = ['workflow_unavailable', 'store_unavailable'] as const;
const WRITE_ERRORS = ['portfolio_closed', 'moving', ...READ_ERRORS] as const;
const WRITTEN = {
  200: {
    description: 'The portfolio.',
    body: portfolioViewSchema,
    example: EXAMPLES.portfolio,
  },
} as const;

function createRoute(gateway: Gateway): Route {
  return defineRoute({
    ...{ method: 'post', path: '/portfolios', id: 'createPortfolio', access: 'agent' },
    summary: 'Creates a portfolio of intents, which may have a deadline',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPortfolioRequestSchema, { name, governance_policy }),
    replies: {
      201: {
        ...{ description: 'The portfolio.', body: portfolioViewSchema },
        ...{ example: EXAMPLES.portfolio, headers: ['Location'] },
      },
    },
    errors: [
      ...(['deadline_in_past', 'intent_not_found', 'member_exists'] as const),
      ...(['idempotency_key_reused', ...READ_ERRORS] as const),
    ],
    async handle({ req, body, headers }) {
      const key = headers['Idempotency-Key'];
      const portfolio = await gateway.createPortfolio(callerOf(req), body, key);
      return reply(201, portfolio, { Location: `/v1/portfolios/${portfolio.id}` });
    },
  });
}

function readRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'get', path: '/portfolios', id: 'listPortfolios', access: 'any' },
      summary: 'Lists portfolios, newest first',
      query: portfolioPageSchema,
      replies: {
        200: {
          ...{ description: 'A page of portfolios.', body: portfolioListSchema },
          ...{ example: { portfolios: [EXAMPLES.portfolio] }, headers: ['Holdpoint-Stale'] },
        },
      },
      errors: ['store_unavailable'],
      async handle({ query: { status, created_by, ...page } }) {
        const filter = { ...(status && { status }), ...(created_by && { created_by }) };
        const read = await gateway.listPortfolios({ ...page, ...filter });
        return reply(200, { portfolios: read.value }, staleness(read));
      },
    }),
    defineRoute({
      ...{ method: 'get', path: PORTFOLIO, id: 'getPortfolio', access: 'any' },
      summary: 'Reads a portfolio: its own status, and what its members come to',
      replies: { 200: { ...WRITTEN[200], headers: ['Holdpoint-Stale'] } },
      errors: READ_ERRORS,
      async handle({ params }) {
        const read = await gateway.getPortfolio(params.portfolioId);
        return reply(200, read.value, staleness(read));
      },
    }),
  ];
}

function writeRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'patch', path: PORTFOLIO, id: 'changePortfolio', access: 'agent' },
      summary: 'Changes what it is called and how it is governed; the deadline may be moved',
      body: jsonOf(changePortfolioRequestSchema, { governance_policy }),
      replies: WRITTEN,
      errors: ['deadline_in_past', ...WRITE_ERRORS],
      async handle({ req, params, body }) {
        return reply(200, await gateway.changePortfolio(callerOf(req), params.portfolioId, body));
      },
    }),
    defineRoute({
      ...{ method: 'patch', path: `${PORTFOLIO}/status`, id: 'closePortfolio', access: 'agent' },
      summary: 'Completes or abandons the portfolio; its members stay what they are',
      body: jsonOf(portfolioStatusRequestSchema, { status: 'completed' }),
      replies: WRITTEN,
      errors: ['invalid_transition', ...WRITE_ERRORS],
      async handle({ req, params, body: { status } }) {
        return reply(200, await gateway.closePortfolio(callerOf(req), params.portfolioId, status));
      },
    }),
  ];
}

/** `POST` and `GET /portfolios`, `GET` and `PATCH /portfolios/{id}`, `PATCH /portfolios/{id}/status`. */
export function portfolioRoutes(gateway: Gateway): readonly Route[] {
  return [createRoute(gateway), ...readRoutes(gateway), ...writeRoutes(gateway)];
}
