import type { JsonObject } from '../../contracts/json.js';
import {
  checkDecision,
  COORDINATOR_DECISION,
  decisionOf,
} from '../../domain/coordinator-decision.js';
import { RefusalError } from '../errors.js';
import type { Consistency } from './consistency.js';
import type { CoordinatorGateway } from './coordinator-types.js';
import { named } from './named.js';
import type { Reads } from './reads.js';
import { refused } from './refusals.js';
import type { FromStore } from './store-reads.js';
import type { Gateway } from './types.js';

interface Deps {
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly getCoordinator: CoordinatorGateway['getCoordinator'];
  readonly appendEvent: Gateway['appendEvent'];
  readonly consistency: Pick<Consistency, 'catchUp'>;
  readonly fromStore: FromStore;
}

/**
 * Records what a coordinator decided, as an event of the intent (RFC-0013 §4). Throws what `checkDecision`
 * refuses, `coordinator_not_found` and `intent_not_found` with their fields, what appending the event throws,
 * and `store_unavailable` where it cannot be told who the members of the portfolio are now.
 */
export function createDecisions(deps: Deps): Pick<CoordinatorGateway, 'recordDecision'> {
  const { reads, getCoordinator, appendEvent, consistency, fromStore } = deps;

  async function isMember(portfolioId: string, intentId: string): Promise<boolean> {
    if ((await consistency.catchUp(portfolioId, 'portfolio')) === 'behind') {
      throw refused('store_unavailable', 'The store has not caught up with the portfolio.');
    }
    return fromStore((store) => store.isMember(portfolioId, intentId));
  }

  return {
    async recordDecision(caller, request) {
      const { coordinator_id, intent_id, confidence = null } = request;
      const { value } = await named('coordinator_id', getCoordinator(coordinator_id));
      await named('intent_id', reads.getIntent(intent_id));
      const { portfolio_id } = value;
      const inPortfolio = portfolio_id !== null && (await isMember(portfolio_id, intent_id));
      const allowed = checkDecision(value, caller.principal, intent_id, inPortfolio);
      if (!allowed.ok) throw new RefusalError(allowed.refusal);
      const payload: JsonObject = { ...request, confidence };
      return decisionOf(await appendEvent(caller, intent_id, COORDINATOR_DECISION, payload));
    },
  };
}
