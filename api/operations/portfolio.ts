import type { Page } from '../gateway/caller.js';
import {
  START,
  WRITE,
  asCaller,
  forAnyone,
  operations,
  read,
  readOf,
  storeRead,
} from './operation.js';
import { intentsFor, readerFor } from './visibility.js';

const PORTFOLIO_WRITE = ['portfolio_closed', ...WRITE] as const;

/** Portfolios of intents. */
export const PORTFOLIOS = operations({
  createPortfolio: {
    resource: 'portfolio',
    refusals: [
      'deadline_in_past',
      'intent_not_found',
      'member_exists',
      'idempotency_key_reused',
      'removed_by_retention',
      ...START,
    ],
    run: asCaller('createPortfolio'),
  },
  listPortfolios: storeRead('portfolio', forAnyone('listPortfolios')),
  getPortfolio: read('portfolio', forAnyone('getPortfolio')),
  changePortfolio: {
    resource: 'portfolio',
    refusals: ['deadline_in_past', 'version_conflict', ...PORTFOLIO_WRITE],
    run: asCaller('changePortfolio'),
  },
  /** Completes or abandons it; its members stay what they are. */
  closePortfolio: {
    resource: 'portfolio',
    refusals: ['invalid_transition', ...PORTFOLIO_WRITE],
    run: asCaller('closePortfolio'),
  },
});

/** Which intents belong to which portfolios. */
export const MEMBERS = operations({
  addMember: {
    resource: 'portfolio',
    refusals: ['intent_not_found', 'member_exists', 'too_many_members', ...PORTFOLIO_WRITE],
    run: asCaller('addMember'),
  },
  removeMember: {
    resource: 'portfolio',
    refusals: ['member_not_found', ...PORTFOLIO_WRITE],
    run: asCaller('removeMember'),
  },
  /** The intents, oldest first, and what all of them come to. */
  listMembers: read('portfolio', async (call, portfolioId: string, page: Page) => {
    const list = await call.gateway.listMembers(portfolioId, page, readerFor(call));
    return { ...list, members: intentsFor(call, list.members) };
  }),
  listPortfoliosOf: readOf(forAnyone('listPortfoliosOf')),
});
