import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { ok, refuse } from '../kernel/ruling.js';

/** The default share of assigned agents in RFC-0013. */
const USUAL_THRESHOLD = 0.6;

/** What a governance policy needs to know about the agents that work on an intent. */
export interface Governed {
  readonly policy?: JsonObject | undefined;
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

/** Judges an agent's write by `write_scope` and `allowed_agents` (RFC-0013). Refuses `governance_violation`. */
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

/** Judges an agent's status by `require_status_reason` and `completion_mode`. Refuses `governance_violation`. */
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
