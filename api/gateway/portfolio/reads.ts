import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { IntentEvent } from '../../../contracts/event.js';
import type { Intent } from '../../../contracts/intent.js';
import type { PortfolioAggregate, PortfolioView } from '../../../contracts/portfolio.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import { listEvents } from '../../../store/queries/event-log.js';
import type { EventListOptions } from '../../../store/queries/event-log.js';
import {
  findPortfolio,
  listMembers,
  listPortfolios,
  portfoliosOf,
} from '../../../store/queries/portfolio.js';
import type { PortfolioListOptions } from '../../../store/queries/portfolio.js';
import { portfolioQuery } from '../../../workflows/portfolio/messages.js';
import type { Page, Read } from '../caller.js';
import type { Temporal } from '../calls/temporal.js';
import { fromCopy } from '../intent/reads.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/consistency.js';
import type { FromStore } from '../reads/from-store.js';
import { isEntityId } from '../references.js';
import { portfolioNotFound } from '../refusals.js';

/** A page of a portfolio's intents, and what all of them come to. */
export interface MemberList {
  readonly intents: readonly Intent[];
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
 * `portfolio_not_found`, `workflow_unavailable` where that is not known, and `store_unavailable`.
 */
export function createPortfolioReads({ temporal, reads, consistency, fromStore }: Deps) {
  async function getPortfolio(portfolioId: string): Promise<Read<PortfolioView>> {
    if (!isEntityId(portfolioId)) throw portfolioNotFound();
    const asked = await temporal.query(workflowIdOf('portfolio', portfolioId), portfolioQuery);
    const live = asked.kind === 'done' ? asked.value.portfolio : undefined;
    if (live?.status === 'active') return { value: live, stale: false };
    const copy = await fromStore(findPortfolio, portfolioId);
    if (live) {
      const counts = (copy ?? live).aggregate_status.by_status;
      return { value: viewOfPortfolio(live, counts), stale: false };
    }
    const missed = asked.kind === 'gone' ? asked : ({ kind: 'no_answer' } as const);
    return fromCopy(missed, copy, ({ status }) => status !== 'active', portfolioNotFound);
  }

  return {
    getPortfolio,
    async listPortfolios(page: PortfolioListOptions): Promise<Read<readonly PortfolioView[]>> {
      const caughtUp = await consistency.catchUpAll();
      return { value: await fromStore(listPortfolios, page), stale: !caughtUp };
    },
    async listMembers(portfolioId: string, page: Page): Promise<Read<MemberList>> {
      const { value: portfolio, stale } = await getPortfolio(portfolioId);
      const caughtUp = await consistency.catchUpAll();
      const intents = await fromStore(listMembers, portfolioId, page);
      const { aggregate_status } = portfolio;
      return { value: { intents, aggregate_status }, stale: stale || !caughtUp };
    },
    async listPortfoliosOf(intentId: string, page: Page): Promise<Read<readonly PortfolioView[]>> {
      await reads.getIntent(intentId);
      const caughtUp = await consistency.catchUpAll();
      const value = await fromStore(portfoliosOf, intentId, page);
      return { value, stale: !caughtUp };
    },
    async listPortfolioEvents(
      portfolioId: string,
      page: EventListOptions,
    ): Promise<Read<readonly IntentEvent[]>> {
      if (!isEntityId(portfolioId)) throw portfolioNotFound();
      const progress = await consistency.catchUp(portfolioId, 'portfolio');
      if (progress === 'gone') {
        const known = await fromStore(findPortfolio, portfolioId);
        if (!known) throw portfolioNotFound();
      }
      const value = await fromStore(listEvents, portfolioId, page);
      return { value, stale: progress === 'behind' };
    },
  };
}
