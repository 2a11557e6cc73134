import { z } from 'zod';
import {
  addMemberRequestSchema,
  changePortfolioRequestSchema,
  createPortfolioRequestSchema,
  memberListSchema,
  membershipSchema,
  portfolioStatusRequestSchema,
  portfolioViewSchema,
} from '../../contracts/portfolio.js';
import { mayAnswer } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import { jsonOf } from '../http/input.js';
import { callerOf } from '../http/keys-and-roles.js';
import {
  eventPageSchema,
  memberPageSchema,
  pageSchema,
  portfolioPageSchema,
} from '../http/queries.js';
import { reply, staleness } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { intentFor, maskedEvents } from '../http/visibility.js';
import { EXAMPLES } from '../openapi/examples.js';
import { eventListSchema } from './events.js';

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
    method: 'post',
    path: '/portfolios',
    id: 'createPortfolio',
    access: 'agent',
    summary: 'Creates a portfolio of intents, which may have a deadline',
    headers: ['Idempotency-Key'],
    body: jsonOf(createPortfolioRequestSchema, { name, governance_policy }),
    replies: {
      201: {
        description: 'The portfolio.',
        body: portfolioViewSchema,
        example: EXAMPLES.portfolio,
        headers: ['Location'],
      },
    },
    errors: [
      'deadline_in_past',
      'intent_not_found',
      'member_exists',
      'idempotency_key_reused',
      ...READ_ERRORS,
    ],
    async handle({ req, body, headers }) {
      const key = headers['Idempotency-Key'];
      const created = await gateway.createPortfolio(callerOf(req), body, key);
      return reply(201, created, { Location: `/v1/portfolios/${created.id}` });
    },
  });
}

function readRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/portfolios',
      id: 'listPortfolios',
      access: 'any',
      summary: 'Lists portfolios, newest first',
      query: portfolioPageSchema,
      replies: {
        200: {
          description: 'A page of portfolios.',
          body: portfolioListSchema,
          example: { portfolios: [EXAMPLES.portfolio] },
          headers: ['Holdpoint-Stale'],
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
      method: 'get',
      path: PORTFOLIO,
      id: 'getPortfolio',
      access: 'any',
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
      method: 'patch',
      path: PORTFOLIO,
      id: 'changePortfolio',
      access: 'agent',
      summary: 'Changes what it is called and how it is governed; the deadline may be moved',
      body: jsonOf(changePortfolioRequestSchema, { governance_policy }),
      replies: WRITTEN,
      errors: ['deadline_in_past', ...WRITE_ERRORS],
      async handle({ req, params, body }) {
        return reply(200, await gateway.changePortfolio(callerOf(req), params.portfolioId, body));
      },
    }),
    defineRoute({
      method: 'patch',
      path: `${PORTFOLIO}/status`,
      id: 'closePortfolio',
      access: 'agent',
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

const MEMBERS = '/portfolios/:portfolioId/intents';
const MEMBER_READ_ERRORS = ['workflow_unavailable', 'store_unavailable'] as const;
const MEMBER_WRITE_ERRORS = ['portfolio_closed', 'moving', ...MEMBER_READ_ERRORS] as const;
const intentPortfoliosSchema = z.object({ portfolios: z.array(portfolioViewSchema).readonly() });
const removedSchema = membershipSchema.pick({ portfolio_id: true, intent_id: true });
const { intent, membership, portfolio, portfolioEvent } = EXAMPLES;
const { portfolio_id, intent_id } = membership;

function memberWrites(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: MEMBERS,
      id: 'addMember',
      access: 'agent',
      summary: 'Makes an intent a member',
      body: jsonOf(addMemberRequestSchema, { intent_id }),
      replies: {
        201: {
          description: 'The membership.',
          body: membershipSchema,
          example: membership,
          headers: ['Location'],
        },
      },
      errors: ['intent_not_found', 'member_exists', 'too_many_members', ...MEMBER_WRITE_ERRORS],
      async handle({ req, params: { portfolioId }, body }) {
        const added = await gateway.addMember(callerOf(req), portfolioId, body);
        return reply(201, added, { Location: `/v1/portfolios/${portfolioId}/intents` });
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${MEMBERS}/:intentId`,
      id: 'removeMember',
      access: 'agent',
      summary: 'Takes an intent out of the portfolio; the intent stays what it is',
      replies: {
        200: {
          description: 'It is no member any more.',
          body: removedSchema,
          example: { portfolio_id, intent_id },
        },
      },
      errors: ['member_not_found', ...MEMBER_WRITE_ERRORS],
      async handle({ req, params: { portfolioId, intentId } }) {
        await gateway.removeMember(callerOf(req), portfolioId, intentId);
        return reply(200, { portfolio_id: portfolioId, intent_id: intentId });
      },
    }),
  ];
}

function memberReads(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: MEMBERS,
      id: 'listMembers',
      access: 'any',
      summary: 'Lists the intents of a portfolio, oldest first, with what all of them come to',
      query: memberPageSchema,
      replies: {
        200: {
          description: 'A page of intents.',
          body: memberListSchema,
          example: { intents: [intent], aggregate_status: portfolio.aggregate_status },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: MEMBER_READ_ERRORS,
      async handle({ req, params: { portfolioId }, query }) {
        const read = await gateway.listMembers(portfolioId, query);
        const intents = read.value.intents.map((one) => intentFor(callerOf(req), one));
        return reply(200, { ...read.value, intents }, staleness(read));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/intents/:intentId/portfolios',
      id: 'listPortfoliosOf',
      access: 'any',
      summary: 'Lists the portfolios that an intent belongs to, newest first',
      query: pageSchema,
      replies: {
        200: {
          description: 'A page of portfolios.',
          body: intentPortfoliosSchema,
          example: { portfolios: [portfolio] },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: MEMBER_READ_ERRORS,
      async handle({ params, query }) {
        const read = await gateway.listPortfoliosOf(params.intentId, query);
        return reply(200, { portfolios: read.value }, staleness(read));
      },
    }),
  ];
}

function portfolioEventsRoute(gateway: Gateway): Route {
  return defineRoute({
    method: 'get',
    path: '/portfolios/:portfolioId/events',
    id: 'listPortfolioEvents',
    access: 'any',
    summary: 'Reads the log of a portfolio itself, newest first',
    query: eventPageSchema,
    replies: {
      200: {
        description: 'A page of the log.',
        body: eventListSchema,
        example: { events: [portfolioEvent] },
        headers: ['Holdpoint-Stale'],
      },
    },
    errors: MEMBER_READ_ERRORS,
    async handle({ req, params, query: { event_type: type, ...page } }) {
      const query = { ...page, ...(type !== undefined && { event_type: type }) };
      const read = await gateway.listPortfolioEvents(params.portfolioId, query);
      const open = mayAnswer(callerOf(req));
      return reply(200, { events: open ? read.value : maskedEvents(read.value) }, staleness(read));
    },
  });
}

/** `POST`, `GET` and `DELETE /portfolios/{id}/intents`, its events, and the portfolios of an intent. */
export function memberRoutes(gateway: Gateway): readonly Route[] {
  return [...memberWrites(gateway), ...memberReads(gateway), portfolioEventsRoute(gateway)];
}
