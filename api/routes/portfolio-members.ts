import { z } from 'zod';
import {
  addMemberRequestSchema,
  memberListSchema,
  membershipSchema,
  portfolioViewSchema,
} from '../../contracts/portfolio.js';
import type { Gateway } from '../gateway/types.js';
import { mayAnswer } from '../gateway/may-answer.js';
import { jsonOf } from '../http/body.js';
import { intentFor, maskedEvents } from '../http/mask.js';
import { eventPageSchema, memberPageSchema, pageSchema } from '../http/queries.js';
import { reply } from '../http/reply.js';
import { defineRoute } from '../http/route.js';
import type { Route } from '../http/route.js';
import { staleness } from '../http/staleness.js';
import { callerOf } from '../middleware/authenticate.js';
import { EXAMPLES } from '../openapi/examples.js';
import { eventListSchema } from './events.js';

const MEMBERS = '/portfolios/:portfolioId/intents';
const READ_ERRORS = ['workflow_unavailable', 'store_unavailable'] as const;
const WRITE_ERRORS = ['portfolio_closed', 'moving', ...READ_ERRORS] as const;
const portfolioListSchema = z.object({ portfolios: z.array(portfolioViewSchema).readonly() });
const removedSchema = membershipSchema.pick({ portfolio_id: true, intent_id: true });
const { intent, membership, portfolio, portfolioEvent } = EXAMPLES;
const { portfolio_id, intent_id } = membership;

function writeRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'post', path: MEMBERS, id: 'addMember', access: 'agent' },
      summary: 'Makes an intent a member',
      body: jsonOf(addMemberRequestSchema, { intent_id }),
      replies: {
        201: {
          ...{ description: 'The membership.', body: membershipSchema, example: membership },
          headers: ['Location'],
        },
      },
      errors: ['intent_not_found', 'member_exists', 'too_many_members', ...WRITE_ERRORS],
      async handle({ req, params: { portfolioId }, body }) {
        const added = await gateway.addMember(callerOf(req), portfolioId, body);
        return reply(201, added, { Location: `/v1/portfolios/${portfolioId}/intents` });
      },
    }),
    defineRoute({
      ...{ method: 'delete', path: `${MEMBERS}/:intentId`, id: 'removeMember', access: 'agent' },
      summary: 'Takes an intent out of the portfolio; the intent stays what it is',
      replies: {
        200: {
          ...{ description: 'It is no member any more.', body: removedSchema },
          example: { portfolio_id, intent_id },
        },
      },
      errors: ['member_not_found', ...WRITE_ERRORS],
      async handle({ req, params: { portfolioId, intentId } }) {
        await gateway.removeMember(callerOf(req), portfolioId, intentId);
        return reply(200, { portfolio_id: portfolioId, intent_id: intentId });
      },
    }),
  ];
}

function listRoutes(gateway: Gateway): readonly Route[] {
  return [
    defineRoute({
      ...{ method: 'get', path: MEMBERS, id: 'listMembers', access: 'any' },
      summary: 'Lists the intents of a portfolio, oldest first, with what all of them come to',
      query: memberPageSchema,
      replies: {
        200: {
          ...{ description: 'A page of intents.', body: memberListSchema },
          example: { intents: [intent], aggregate_status: portfolio.aggregate_status },
          headers: ['Holdpoint-Stale'],
        },
      },
      errors: READ_ERRORS,
      async handle({ req, params: { portfolioId }, query }) {
        const read = await gateway.listMembers(portfolioId, query);
        const intents = read.value.intents.map((one) => intentFor(callerOf(req), one));
        return reply(200, { ...read.value, intents }, staleness(read));
      },
    }),
    defineRoute({
      ...{ method: 'get', path: '/intents/:intentId/portfolios', id: 'listPortfoliosOf' },
      ...{ access: 'any', summary: 'Lists the portfolios that an intent belongs to, newest first' },
      query: pageSchema,
      replies: {
        200: {
          ...{ description: 'A page of portfolios.', body: portfolioListSchema },
          ...{ example: { portfolios: [portfolio] }, headers: ['Holdpoint-Stale'] },
        },
      },
      errors: READ_ERRORS,
      async handle({ params, query }) {
        const read = await gateway.listPortfoliosOf(params.intentId, query);
        return reply(200, { portfolios: read.value }, staleness(read));
      },
    }),
  ];
}

function eventsRoute(gateway: Gateway): Route {
  return defineRoute({
    ...{ method: 'get', path: '/portfolios/:portfolioId/events', id: 'listPortfolioEvents' },
    ...{ access: 'any', summary: 'Reads the log of a portfolio itself, newest first' },
    query: eventPageSchema,
    replies: {
      200: {
        ...{ description: 'A page of the log.', body: eventListSchema },
        ...{ example: { events: [portfolioEvent] }, headers: ['Holdpoint-Stale'] },
      },
    },
    errors: READ_ERRORS,
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
  return [...writeRoutes(gateway), ...listRoutes(gateway), eventsRoute(gateway)];
}
