import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Caller } from '../../contracts/people/caller.js';
import type { IntentEvent } from '../../contracts/intent/event.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { newestWithin } from '../../domain/kernel/json.js';
import { ok } from '../../domain/kernel/ruling.js';
import { readerOf } from '../../domain/policy/access-list.js';
import type { Governed } from '../../domain/policy/governance.js';

/** The most assignments and requests that are kept; beyond that the oldest are dropped. */
const KEPT = 100;
/** The rest is for the requests, an id each. */
const ASSIGNED_BYTES = WORKFLOW_LIMITS.keptGovernanceBytes - KEPT * 50;

export interface CarriedGovernance {
  readonly assigned: readonly string[];
  /** The requests to approve the completion, and whether each was granted. */
  readonly completions: readonly (readonly [approvalId: string, granted: boolean])[];
}

/** Who is assigned to an intent, and who approved its completion, according to its log. */
export class Governance {
  private kept: CarriedGovernance;

  constructor(carried: CarriedGovernance = { assigned: [], completions: [] }) {
    this.kept = carried;
  }

  get carried(): { readonly governance?: CarriedGovernance } {
    const { assigned, completions } = this.kept;
    return assigned.length + completions.length === 0 ? {} : { governance: this.kept };
  }

  get assigned(): readonly string[] {
    return this.kept.assigned;
  }

  get approvals(): number {
    return this.kept.completions.filter(([, granted]) => granted).length;
  }

  /** Applies an event that the server recorded. Claims of clients are ignored. */
  follow({ event_type, payload }: IntentEvent): void {
    const { agent_id, action, approval_id } = payload;
    const { assigned, completions } = this.kept;
    const others = assigned.filter((agent) => agent !== agent_id);
    if (event_type === 'agent_assigned' && typeof agent_id === 'string') {
      const latest = [...others, agent_id].slice(-KEPT);
      this.kept = { completions, assigned: newestWithin(latest, ASSIGNED_BYTES) };
    }
    if (event_type === 'agent_unassigned') this.kept = { completions, assigned: others };
    const isRequest = event_type === 'approval_requested' && action === 'complete';
    if (isRequest && typeof approval_id === 'string') {
      const asked = [...completions, [approval_id, false] as const].slice(-KEPT);
      this.kept = { assigned, completions: asked };
    }
    if (event_type === 'governance.approval_granted') {
      const decided = completions.map(
        ([one, granted]) => [one, granted || one === approval_id] as const,
      );
      this.kept = { assigned, completions: decided };
    }
  }
}

interface GovernedIntent {
  readonly intent: Pick<Intent, 'governance_policy' | 'owner'>;
  readonly governance: Governance;
  readonly waiting: { readonly asker?: string | undefined };
}

/**
 * Judges an agent's action by the governance policy of an intent. Like access lists, policies restrict neither people
 * nor the asker of the open question.
 */
export function checkGoverned(
  { intent, governance, waiting }: GovernedIntent,
  by: Caller,
  check: (governed: Governed, isOwner: boolean) => Ruling<true>,
): Ruling<true> {
  const { governance_policy: policy, owner } = intent;
  const reader = readerOf(by);
  if (policy === undefined || reader === undefined || waiting.asker === by.principal)
    return ok(true);
  const { assigned, approvals } = governance;
  return check({ policy, assigned, approvals }, owner === by.principal);
}
