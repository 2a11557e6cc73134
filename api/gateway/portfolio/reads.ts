import type { Reader } from '../../../contracts/access.js';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { Intent, IntentSummary } from '../../../contracts/intent.js';
import type {
  PortfolioAggregate,
  PortfolioSummary,
  PortfolioView,
} from '../../../contracts/portfolio.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import {
  findPortfolio,
  listMembers,
  listPortfolios,
  portfoliosOf,
} from '../../../store/queries/portfolio.js';
import type { PortfolioListOptions } from '../../../store/queries/portfolio.js';
import { portfolioQuery } from '../../../workflows/portfolio/messages.js';
import type { ListedForm, Page, Read } from '../caller.js';
import type { Temporal } from '../calls/temporal.js';
import { demandKept, fromCopy } from '../calls/live.js';
import { createLogRead } from '../intent/reads.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/consistency.js';
import { demandEntityId } from '../refusals.js';
import { listAfter } from '../reads/from-store.js';
import type { FromStore } from '../reads/from-store.js';

/** A page of a portfolio's intents, and what all of them come to. */
export interface MemberList {
  readonly members: ListedForm<Intent, IntentSummary>;
  readonly aggregate_status: PortfolioAggregate;
}

/** Reads one portfolio. */
export type GetPortfolio = ReturnType<typeof createPortfolioReads>['getPortfolio'];

interface Deps {
  readonly temporal: Pick<Temporal, 'query'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'catchUp' | 'catchUpAll'>;
  readonly fromStore: FromStore;
}

/**
 * Reads of portfolios: one is asked itself, lists are the store's once it has caught up (at most 2 s, then
 * `stale`). A closed one no longer observes its members, so the store counts them. Each throws
 * `portfolio_not_found`, `workflow_unavailable` if that is not known, and `store_unavailable`.
 */
export function createPortfolioReads({ temporal, reads, consistency, fromStore }: Deps) {
  async function getPortfolio(portfolioId: string): Promise<Read<PortfolioView>> {
    demandEntityId('portfolio', portfolioId);
    const asked = await temporal.query(workflowIdOf('portfolio', portfolioId), portfolioQuery);
    const live = asked.kind === 'done' ? asked.value.portfolio : undefined;
    if (live?.status === 'active') return { value: live, stale: false };
    const copy = await fromStore(findPortfolio, portfolioId);
    if (copy === undefined) await demandKept(fromStore, 'portfolio', portfolioId);
    if (live) {
      const counts = (copy ?? live).aggregate_status.by_status;
      return { value: viewOfPortfolio(live, counts), stale: false };
    }
    const missed = asked.kind === 'gone' ? asked : ({ kind: 'no_answer' } as const);
    return fromCopy('portfolio', missed, copy, ({ status }) => status !== 'active');
  }

  return {
    getPortfolio,
    listPortfolios(
      page: PortfolioListOptions,
    ): Promise<ListedForm<PortfolioView, PortfolioSummary>> {
      return listAfter(consistency.catchUpAll(), () => fromStore(listPortfolios, page));
    },
    async listMembers(portfolioId: string, page: Page, reader?: Reader): Promise<MemberList> {
      const { value: portfolio, stale } = await getPortfolio(portfolioId);
      const list = () => fromStore(listMembers, portfolioId, page, reader);
      const members = await listAfter(consistency.catchUpAll(), list);
      const { aggregate_status } = portfolio;
      return { members: { ...members, stale: stale || members.stale }, aggregate_status };
    },
    async listPortfoliosOf(
      intentId: string,
      page: Page,
    ): Promise<ListedForm<PortfolioView, PortfolioSummary>> {
      await reads.getIntent(intentId);
      return listAfter(consistency.catchUpAll(), () => fromStore(portfoliosOf, intentId, page));
    },
    listPortfolioEvents: createLogRead('portfolio', consistency, fromStore),
  };
}
