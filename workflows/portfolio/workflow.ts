import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
} from '@temporalio/workflow';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { closePortfolio } from '../../domain/portfolio/portfolio.js';
import { toInstant } from '../../domain/kernel/time.js';
import { carriedCancellation, watchCancellation } from '../engine/run.js';
import { now, waitUntil } from '../engine/clock.js';
import { PortfolioEntity } from './entity.js';
import type { PortfolioInput } from './messages.js';
import { registerPortfolio } from './handlers.js';

/**
 * A portfolio for as long as it is active (RFC-0007): it observes its members and never absorbs what they
 * are (R26-05), and its deadline ends the questions that are open then (R26-27). Ends when it is closed and
 * the store holds its whole log.
 */
export async function portfolio(input: PortfolioInput): Promise<void> {
  const cancelRequested = watchCancellation(input.carried);
  await CancellationScope.nonCancellable(async () => {
    const entity = new PortfolioEntity(input);
    registerPortfolio(entity);
    while (!entity.closed) {
      entity.settleDeadline(now());
      if (cancelRequested()) abandonForTemporal(entity);
      else if (mustMove(entity)) await move(entity, input, cancelRequested);
      else await nextTurn(entity, cancelRequested);
    }
    await condition(allHandlersFinished);
    await entity.announcer.told();
    await entity.deadline.told();
    await entity.journal.drained();
  });
}

/** Waits for the deadline, also for one that was moved meanwhile, or for a reason to hand over. */
async function nextTurn(entity: PortfolioEntity, cancelRequested: () => boolean): Promise<void> {
  const armed = entity.nextDeadline;
  const turned = () =>
    entity.closed || cancelRequested() || mustMove(entity) || entity.nextDeadline !== armed;
  if (armed === undefined) await condition(turned);
  else await waitUntil(armed, turned, 'deadline');
}

/** Time for a new run, once what it would carry fits (design §4, sizes). */
function mustMove(entity: PortfolioEntity): boolean {
  if (!entity.mayMove) return false;
  return jsonBytes([entity.portfolio, entity.carried]) <= WORKFLOW_LIMITS.portfolioCarriedBytes;
}

/** Hands over to a new run. */
async function move(
  entity: PortfolioEntity,
  { members: _taken, ...input }: PortfolioInput,
  cancelRequested: () => boolean,
): Promise<void> {
  entity.moving = true;
  await condition(allHandlersFinished);
  await entity.journal.stop();
  entity.announcer.stop();
  await entity.observing.stop();
  await entity.deadline.stop();
  const { portfolio: current } = entity;
  const carried = { ...entity.carried, ...carriedCancellation(cancelRequested) };
  await continueAsNew<typeof portfolio>({ ...input, portfolio: current, carried });
}

/** A cancellation requested through Temporal itself abandons the portfolio, and none of its members. */
function abandonForTemporal(entity: PortfolioEntity): void {
  const change = closePortfolio(entity.portfolio, 'abandoned', 'temporal', toInstant(now()));
  if (change.ok) entity.commit(change.value);
}
