import type {
  CoordinatorDecision,
  CoordinatorDecisionRequest,
} from '../../../contracts/coordinator/coordinator.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import {
  COORDINATOR_DECISION,
  checkDecision,
  decisionOf,
} from '../../../domain/coordinator/coordinator.js';
import { isMember } from '../../../store/queries/portfolio.js';
import { demand } from '../../errors.js';
import { referenced, refused } from '../../parts/refusals.js';
import { addRecord } from '../event/append.js';
import { WRITE, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/**
 * Records what a coordinator decided, as an event of the intent (RFC-0013 §4). Only the holder of the lease does, for an
 * intent in its scope.
 */
export const recordDecision = useCase({
  name: 'recordDecision',
  resource: 'coordinator',
  refusals: [
    'coordinator_not_found',
    'lease_not_found',
    'coordinator_closed',
    'outside_scope',
    'intent_not_found',
    'intent_closed',
    ...WRITE,
  ],
  async run(call: Call, request: CoordinatorDecisionRequest): Promise<CoordinatorDecision> {
    const { caller, parts } = call;
    const { coordinator_id, intent_id, confidence = null } = request;
    const { value } = await referenced('coordinator_id', parts.coordinators.known(coordinator_id));
    await referenced('intent_id', parts.patientReads.getIntent(intent_id));
    const { portfolio_id } = value;
    const inPortfolio =
      portfolio_id !== null && (await isInPortfolio(call, portfolio_id, intent_id));
    demand(checkDecision(value, caller, intent_id, inPortfolio));
    const payload: JsonObject = { ...request, confidence };
    // The intent does not know who holds the coordinator's lease; it judges the event in its log.
    const action = 'logCoordinatorDecision';
    return decisionOf(await addRecord(call, action, intent_id, COORDINATOR_DECISION, payload));
  },
});

/** Throws `store_unavailable` if the store may not know all members of the portfolio. */
async function isInPortfolio(
  { parts: { consistency, fromStore } }: Call,
  portfolioId: string,
  intentId: string,
): Promise<boolean> {
  if ((await consistency.catchUp(portfolioId, 'portfolio')) === 'behind') {
    throw refused('store_unavailable', 'The store has not caught up with the portfolio.');
  }
  return fromStore(isMember, portfolioId, intentId);
}
