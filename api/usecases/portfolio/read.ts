import type { Intent, IntentSummary } from '../../../contracts/intent/intent.js';
import type {
  PortfolioAggregate,
  PortfolioSummary,
  PortfolioView,
} from '../../../contracts/portfolio/portfolio.js';
import {
  listMembers as storedMembers,
  listPortfolios as storedPortfolios,
  portfoliosOf,
} from '../../../store/queries/portfolio.js';
import type { PortfolioListOptions } from '../../../store/queries/portfolio.js';
import type { ListedForm, Page, Read } from '../../parts/caller.js';
import { listAfter } from '../../parts/reads/from-store.js';
import { FIRST, READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { intentsFor, readerFor } from '../visibility.js';

export const getPortfolio = useCase({
  name: 'getPortfolio',
  resource: 'portfolio',
  refusals: READ,
  async run({ parts }: Call, portfolioId: string): Promise<Read<PortfolioView>> {
    return parts.portfolios.read(portfolioId);
  },
});

export const listPortfolios = useCase({
  name: 'listPortfolios',
  resource: 'portfolio',
  refusals: ['store_unavailable'],
  async run(
    { parts: { consistency, fromStore } }: Call,
    page: PortfolioListOptions,
  ): Promise<ListedForm<PortfolioView, PortfolioSummary>> {
    return listAfter(consistency.catchUpAll(), () => fromStore(storedPortfolios, page));
  },
});

/** A page of a portfolio's intents, and what all of them come to. */
export interface MemberList {
  readonly members: ListedForm<Intent, IntentSummary>;
  readonly aggregate_status: PortfolioAggregate;
}

/** The intents, oldest first, and what all of them come to. */
export const listMembers = useCase({
  name: 'listMembers',
  resource: 'portfolio',
  refusals: READ,
  async run(call: Call, portfolioId: string, page: Page): Promise<MemberList> {
    const { portfolios, consistency, fromStore } = call.parts;
    const { value, stale } = await portfolios.read(portfolioId);
    const list = () => fromStore(storedMembers, portfolioId, page, readerFor(call));
    const members = await listAfter(consistency.catchUpAll(), list);
    const shown = intentsFor(call, { ...members, stale: stale || members.stale });
    return { members: shown, aggregate_status: value.aggregate_status };
  },
});

export const listPortfoliosOf = useCase({
  name: 'listPortfoliosOf',
  resource: 'intent',
  refusals: READ,
  intentIn: FIRST,
  async run(
    { parts }: Call,
    intentId: string,
    page: Page,
  ): Promise<ListedForm<PortfolioView, PortfolioSummary>> {
    return parts.portfolios.listOf(portfoliosOf, intentId, page);
  },
});
