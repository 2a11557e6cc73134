import type { Coordinator, CoordinatorDecision } from '../../contracts/coordinator.js';
import type { IntentEvent } from '../../contracts/event.js';
import type { Ruling } from '../../contracts/problem.js';
import { ok, refuse } from '../kernel/ruling.js';
import { isCoordinatorClosed } from './coordinator.js';

/** The event by which a decision is kept in the log of its intent. */
export const COORDINATOR_DECISION = 'coordinator.decision';

/**
 * Whether an agent may record a decision of a coordinator for an intent (RFC-0013 §4): refuses
 * `lease_not_found` for who does not hold the lease, `coordinator_closed` once it is over, and
 * `outside_scope` for an intent out of its scope.
 *
 * @param isMember - whether the intent belongs to the portfolio that is the scope
 */
export function checkDecision(
  { agent_id, status, intent_id }: Coordinator,
  agent: string,
  intentId: string,
  isMember: boolean,
): Ruling<true> {
  if (agent_id !== agent) return refuse('lease_not_found', 'The lease is held by another.');
  if (isCoordinatorClosed(status)) {
    const state = { coordinator_status: status };
    return refuse('coordinator_closed', `The coordinator is ${status}.`, { state });
  }
  if (intent_id === intentId || isMember) return ok(true);
  return refuse('outside_scope', 'The intent is not in the scope of the coordinator.', {
    field: 'intent_id',
    accepted: intent_id ?? 'a member of its portfolio',
  });
}

/** The decision that an event of the log tells of. */
export function decisionOf({ id, created_at, payload }: IntentEvent): CoordinatorDecision {
  return {
    ...(payload as Omit<CoordinatorDecision, 'id' | 'timestamp'>),
    id,
    timestamp: created_at,
  };
}
