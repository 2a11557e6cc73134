import type { Portfolio, PortfolioAggregate, PortfolioView } from '../contracts/portfolio.js';
import { aggregateStatusOf, type StatusCounts } from './aggregate-status.js';

/**
 * What the members of a portfolio come to, by the first rule that matches: all completed, any abandoned,
 * otherwise in progress (R26-20 … 23). No intent has the status failed here, and an empty portfolio is in
 * progress (AM-41).
 */
export function portfolioAggregate(counts: StatusCounts): PortfolioAggregate {
  const aggregate = aggregateStatusOf(counts);
  const { total, by_status } = aggregate;
  if (total > 0 && by_status.completed === total) return { ...aggregate, status: 'completed' };
  return { ...aggregate, status: by_status.abandoned ? 'failed' : 'in_progress' };
}

/** The portfolio as it is read: its own status as it is, beside it what its members come to (R26-19). */
export function viewOfPortfolio(portfolio: Portfolio, counts: StatusCounts): PortfolioView {
  const suspended = counts.suspended_awaiting_input ?? 0;
  return {
    ...portfolio,
    aggregate_status: portfolioAggregate(counts),
    has_suspended_members: suspended > 0,
    suspended_member_count: suspended,
  };
}
