import { toInstant } from '../../domain/kernel/time.js';
import { closePortfolio } from '../../domain/portfolio/portfolio.js';
import { now } from '../engine/clock.js';
import { run } from '../engine/run.js';
import type { PortfolioRun } from './carried.js';
import { PortfolioEntity } from './entity.js';
import { registerPortfolio } from './handlers.js';

/**
 * A portfolio for as long as it is active (RFC-0007): it observes its members and never absorbs what they
 * are (R26-05), and its deadline ends the questions that are open then (R26-27). Ends when it is closed and
 * the store holds its whole log.
 */
export async function portfolio(input: PortfolioRun): Promise<void> {
  await run(input, {
    begin() {
      const entity = new PortfolioEntity(input);
      registerPortfolio(entity);
      return entity;
    },
    cancel: abandon,
  });
}

/** A cancellation through Temporal itself abandons the portfolio, and none of its members. */
function abandon(entity: PortfolioEntity): void {
  const change = closePortfolio(entity.portfolio, 'abandoned', 'temporal', toInstant(now()));
  if (change.ok) entity.commit(change.value);
}
