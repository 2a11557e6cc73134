import type { PortfolioView } from '../../contracts/portfolio.js';
import { naiveTime } from './naive-time.js';

/** A portfolio as the SDK parses it: its times go under both names, of which the SDK reads the second. */
export function wirePortfolio(portfolio: PortfolioView) {
  const created = naiveTime(portfolio.created_at);
  const updated = naiveTime(portfolio.updated_at);
  return {
    ...portfolio,
    ...{ created_at: created, createdAt: created },
    ...{ updated_at: updated, updatedAt: updated },
  };
}
