import {
  createPortfolioRequestSchema,
  portfolioStatusRequestSchema,
  portfolioStatusSchema,
} from '../../../contracts/portfolio.js';
import { nameSchema } from '../../../contracts/primitives.js';
import type { Gateway } from '../../gateway/types.js';
import { doorRoute } from '../define.js';
import type { DoorRoute } from '../define.js';
import { doorCaller } from '../identity.js';
import { optionalName, pageQuery } from '../schemas.js';
import { wirePortfolio } from '../wire-portfolio.js';

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
export function portfolioRoutes(gateway: Gateway): readonly DoorRoute[] {
  return [
    doorRoute({
      ...{ method: 'post', path: '/portfolios', access: 'agent', body: createSchema },
      async handle({ req, body: { created_by, ...request } }) {
        const named = { ...request, intents: [], ...(created_by && { created_by }) };
        return wirePortfolio(await gateway.createPortfolio(doorCaller(req), named));
      },
    }),
    doorRoute({
      ...{ method: 'get', path: '/portfolios', access: 'any', query: listQuery },
      async handle({ query: { status, created_by, ...page } }) {
        const filter = { ...(status && { status }), ...(created_by && { created_by }) };
        const { value } = await gateway.listPortfolios({ ...page, ...filter });
        return { portfolios: value.map(wirePortfolio) };
      },
    }),
    doorRoute({
      ...{ method: 'get', path: PORTFOLIO, access: 'any' },
      handle: async ({ id }) =>
        wirePortfolio((await gateway.getPortfolio(id('portfolioId'))).value),
    }),
    doorRoute({
      ...{ method: 'patch', path: `${PORTFOLIO}/status`, access: 'agent' },
      body: portfolioStatusRequestSchema,
      async handle({ req, id, body: { status } }) {
        const caller = doorCaller(req);
        return wirePortfolio(await gateway.closePortfolio(caller, id('portfolioId'), status));
      },
    }),
  ];
}
