import type { JsonObject, JsonValue } from '../../contracts/primitives.js';
import type { Ruling } from '../../contracts/problem.js';
import { ok, refuse } from '../kernel/ruling.js';

/** A share of the assigned agents; RFC-0013 has it where a policy names none. */
const USUAL_THRESHOLD = 0.6;

/** What an intent knows of who works on it, as far as a governance policy asks. */
export interface Governed {
  readonly policy?: JsonObject | undefined;
  /** The agents that are assigned, by their principals. */
  readonly assigned: readonly string[];
  /** How many approvals of the action `complete` people have granted. */
  readonly approvals: number;
}

function violation(rule: string, detail: string, accepted: string): Ruling<never> {
  return refuse('governance_violation', detail, { accepted, state: { rule } });
}

function namesIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/**
 * Judges a write of the state, or an event, by an agent: `write_scope` and `allowed_agents` of the policy (RFC-0013).
 * Refuses `governance_violation`.
 */
export function checkGovernedWrite(
  { policy = {}, assigned }: Governed,
  agent: string,
): Ruling<true> {
  if (policy['write_scope'] === 'assigned_only' && !assigned.includes(agent)) {
    const detail = 'The governance policy lets only assigned agents write.';
    return violation('write_scope', detail, 'an agent that is assigned to the intent');
  }
  return checkAllowedAgent({ policy }, agent);
}

/** Judges whether an agent may write, or be assigned. Refuses `governance_violation`. */
export function checkAllowedAgent(
  { policy = {} }: Pick<Governed, 'policy'>,
  agent: JsonValue | undefined,
): Ruling<true> {
  const allowed = namesIn(policy['allowed_agents']);
  if (allowed.length === 0 || (agent !== undefined && allowed.includes(agent))) return ok(true);
  const detail = 'The governance policy does not allow this agent.';
  return violation('allowed_agents', detail, 'an agent of allowed_agents');
}

/**
 * Judges a status that an agent writes: `require_status_reason` and `completion_mode` of the policy. Refuses
 * `governance_violation`.
 */
export function checkGovernedStatus(
  { policy = {}, assigned, approvals }: Governed,
  { status, reason }: { readonly status: string; readonly reason?: string | undefined },
): Ruling<true> {
  if (policy['require_status_reason'] === true && !reason) {
    const detail = 'The governance policy demands a reason for every status.';
    return violation('require_status_reason', detail, 'a reason');
  }
  const needed = status === 'completed' ? approvalsNeeded(policy, assigned.length) : 0;
  if (approvals >= needed) return ok(true);
  return violation(
    'completion_mode',
    `The governance policy demands ${needed} approvals of the action complete; there are ${approvals}.`,
    'approvals of the action complete, granted by an operator',
  );
}

function approvalsNeeded(policy: JsonObject, assigned: number): number {
  const { completion_mode: mode, quorum_threshold: threshold = USUAL_THRESHOLD } = policy;
  if (mode === 'require_approval') return 1;
  if (mode !== 'quorum') return 0;
  const share = typeof threshold === 'number' ? threshold : USUAL_THRESHOLD;
  return Math.max(1, Math.floor(assigned * share));
}
