import type { IntentStatus } from '../contracts/intent.js';
import type { Ruling } from '../contracts/refusal.js';
import { ok, refuse } from './ruling.js';

/** Where a status write may lead (RFC-0001); suspending and resuming are no status writes. */
const TRANSITIONS: Readonly<Record<IntentStatus, readonly IntentStatus[]>> = {
  draft: ['active', 'abandoned'],
  active: ['blocked', 'completed', 'abandoned'],
  blocked: ['active', 'abandoned'],
  suspended_awaiting_input: ['abandoned'],
  completed: [],
  abandoned: [],
};

/** Whether an intent in this status is over for good. */
export function isClosed(status: IntentStatus): boolean {
  return status === 'completed' || status === 'abandoned';
}

/**
 * Rules on a status write. A suspended intent can only be abandoned: it has to be active again
 * before it completes (R25-09). Refuses `intent_closed`, `intent_suspended` or
 * `invalid_transition`, with the current status as state; writing the status it has is refused too.
 */
export function checkTransition(from: IntentStatus, to: IntentStatus): Ruling<IntentStatus> {
  const allowed = TRANSITIONS[from];
  if (allowed.includes(to)) return ok(to);
  const state = { intent_status: from };
  if (isClosed(from)) return refuse('intent_closed', `The intent is ${from}.`, { state });
  const extra = { field: 'status', accepted: allowed.join(', '), state };
  if (from === 'suspended_awaiting_input') {
    return refuse('intent_suspended', 'The intent waits for an operator.', extra);
  }
  if (to === 'suspended_awaiting_input') {
    return refuse('invalid_transition', 'An intent is suspended by POST …/suspend only.', extra);
  }
  return refuse('invalid_transition', `An intent cannot go from ${from} to ${to}.`, extra);
}
