import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { PortfolioView } from '../../../contracts/portfolio.js';
import { viewOfPortfolio } from '../../../domain/portfolio/view.js';
import { portfolioQuery } from '../../../workflows/portfolio/messages.js';
import type { Ask } from '../calls/queries.js';
import { fromCopy } from '../intent/reads.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/read-your-writes.js';
import type { FromStore } from '../reads/store-reads.js';
import { isEntityId } from '../references.js';
import { portfolioNotFound } from '../refusals.js';
import type { PortfolioGateway, Read } from '../types.js';

type Methods = Pick<
  PortfolioGateway,
  'getPortfolio' | 'listPortfolios' | 'listMembers' | 'listPortfoliosOf' | 'listPortfolioEvents'
>;

interface Deps {
  readonly ask: Ask;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly consistency: Pick<Consistency, 'catchUp' | 'catchUpAll'>;
  readonly fromStore: FromStore;
}

/**
 * Reads of portfolios: one is asked itself, lists are the store's once it has caught up (at most 2 s, then
 * `stale`). A closed one no longer observes its members, so the store counts them. Each throws
 * `portfolio_not_found`, `workflow_unavailable` where that cannot be told, and `store_unavailable`.
 */
export function createPortfolioReads({ ask, reads, consistency, fromStore }: Deps): Methods {
  async function getPortfolio(portfolioId: string): Promise<Read<PortfolioView>> {
    if (!isEntityId(portfolioId)) throw portfolioNotFound();
    const asked = await ask(workflowIdOf('portfolio', portfolioId), portfolioQuery);
    const live = asked.kind === 'found' ? asked.value.portfolio : undefined;
    if (live?.status === 'active') return { value: live, stale: false };
    const copy = await fromStore((store) => store.findPortfolio(portfolioId));
    if (live) {
      const counts = (copy ?? live).aggregate_status.by_status;
      return { value: viewOfPortfolio(live, counts), stale: false };
    }
    const missed = asked.kind === 'missing' ? asked : ({ kind: 'no_answer' } as const);
    return fromCopy(missed, copy, ({ status }) => status !== 'active', portfolioNotFound);
  }

  return {
    getPortfolio,
    async listPortfolios(page) {
      const caughtUp = await consistency.catchUpAll();
      return { value: await fromStore((store) => store.listPortfolios(page)), stale: !caughtUp };
    },
    async listMembers(portfolioId, page) {
      const { value: portfolio, stale } = await getPortfolio(portfolioId);
      const caughtUp = await consistency.catchUpAll();
      const intents = await fromStore((store) => store.listMembers(portfolioId, page));
      const { aggregate_status } = portfolio;
      return { value: { intents, aggregate_status }, stale: stale || !caughtUp };
    },
    async listPortfoliosOf(intentId, page) {
      await reads.getIntent(intentId);
      const caughtUp = await consistency.catchUpAll();
      const value = await fromStore((store) => store.portfoliosOf(intentId, page));
      return { value, stale: !caughtUp };
    },
    async listPortfolioEvents(portfolioId, page) {
      if (!isEntityId(portfolioId)) throw portfolioNotFound();
      const progress = await consistency.catchUp(portfolioId, 'portfolio');
      if (progress === 'missing') {
        const known = await fromStore((store) => store.findPortfolio(portfolioId));
        if (!known) throw portfolioNotFound();
      }
      const value = await fromStore((store) => store.listEvents(portfolioId, page));
      return { value, stale: progress === 'behind' };
    },
  };
}
