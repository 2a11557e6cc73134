import type { Page } from '../gateway/caller.js';
import { READ, WRITE, asCaller, forAnyone, operations } from './operation.js';
import { intentFor } from './visibility.js';

const PORTFOLIO_WRITE = ['portfolio_closed', ...WRITE] as const;

/** Portfolios of intents. */
export const PORTFOLIOS = operations({
  createPortfolio: {
    resource: 'portfolio',
    access: 'agent',
    refusals: [
      'deadline_in_past',
      'intent_not_found',
      'member_exists',
      'idempotency_key_reused',
      ...READ,
    ],
    run: asCaller('createPortfolio'),
  },
  listPortfolios: {
    resource: 'portfolio',
    access: 'any',
    refusals: ['store_unavailable'],
    run: forAnyone('listPortfolios'),
  },
  getPortfolio: {
    resource: 'portfolio',
    access: 'any',
    refusals: READ,
    run: forAnyone('getPortfolio'),
  },
  changePortfolio: {
    resource: 'portfolio',
    access: 'agent',
    refusals: ['deadline_in_past', ...PORTFOLIO_WRITE],
    run: asCaller('changePortfolio'),
  },
  /** Completes or abandons it; its members stay what they are. */
  closePortfolio: {
    resource: 'portfolio',
    access: 'agent',
    refusals: ['invalid_transition', ...PORTFOLIO_WRITE],
    run: asCaller('closePortfolio'),
  },
});

/** Which intents belong to which portfolios. */
export const MEMBERS = operations({
  addMember: {
    resource: 'portfolio',
    access: 'agent',
    refusals: ['intent_not_found', 'member_exists', 'too_many_members', ...PORTFOLIO_WRITE],
    run: asCaller('addMember'),
  },
  removeMember: {
    resource: 'portfolio',
    access: 'agent',
    refusals: ['member_not_found', ...PORTFOLIO_WRITE],
    run: asCaller('removeMember'),
  },
  /** The intents, oldest first, and what all of them come to. */
  listMembers: {
    resource: 'portfolio',
    access: 'any',
    refusals: READ,
    async run({ gateway, caller }, portfolioId: string, page: Page) {
      const { value, stale } = await gateway.listMembers(portfolioId, page);
      const intents = value.intents.map((intent) => intentFor(caller, intent));
      return { value: { ...value, intents }, stale };
    },
  },
  listPortfoliosOf: {
    resource: 'intent',
    access: 'any',
    refusals: READ,
    run: forAnyone('listPortfoliosOf'),
  },
});
