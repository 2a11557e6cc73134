import type { ApprovalPlan, PlannedTier } from '../../../contracts/approval/judging.js';
import type { ApprovalRoute } from '../../../contracts/constants/approvals.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { listed } from '../../policy/authorize.js';
import { ok, refuse } from '../../kernel/ruling.js';

/** Judges whether a key may act for a user. Refuses `forbidden` for one that its configuration does not name. */
export function checkActsFor(
  acts_for: readonly string[],
  user: string | undefined,
  field: keyof NamedUsers = 'on_behalf_of',
): Ruling<true> {
  if (user === undefined || acts_for.includes(user)) return ok(true);
  return refuse('forbidden', 'The key does not act for this user.', {
    field,
    accepted: acts_for.length === 0 ? 'nobody: the key has no acts_for' : listed(acts_for),
  });
}

/** The users that an agent names: the one for whom it acts, and the one who alone decides. */
export interface NamedUsers {
  readonly on_behalf_of?: string | undefined;
  readonly decider?: string | undefined;
}

/** The user for whom an agent acts, whichever field names it. */
export function actsFor({ on_behalf_of, decider }: NamedUsers): string | undefined {
  return on_behalf_of ?? decider;
}

/** Refuses `invalid_request` for a decider for whom the agent does not act: it could choose its judge. */
export function checkDecider({ on_behalf_of, decider }: NamedUsers): Ruling<true> {
  if (decider === undefined || on_behalf_of === undefined || decider === on_behalf_of) {
    return ok(true);
  }
  const detail = 'Only the user for whom the agent acts can be the one who alone decides.';
  return refuse('invalid_request', detail, {
    field: 'decider',
    accepted: 'one of on_behalf_of and decider, or the same name in both',
  });
}

/**
 * Makes the user that an agent names as `decider` the only one who decides (`initiator_only`, P3-20, AM-49). Only the
 * route `human_required` without configured approvers allows this: an agent cannot choose its judge elsewhere.
 */
export function initiatorPlan(
  plan: ApprovalPlan,
  route: ApprovalRoute,
  { agent, decider }: { readonly agent: string; readonly decider?: string | undefined },
): ApprovalPlan {
  if (decider === undefined || decider === agent) return plan;
  const isOpen = plan.stages.every(({ tiers }) => tiers.every(namesNobody));
  if (route !== 'human_required' || !isOpen) return plan;
  return {
    stages: plan.stages.map((stage) => ({
      ...stage,
      tiers: stage.tiers.map((tier) => {
        const { decision_rule: rule } = tier.question;
        const decision_rule = {
          ...rule,
          eligible: { principals: [decider] },
          excluded: rule.excluded.filter((name) => name !== decider),
        };
        return { ...tier, question: { ...tier.question, decision_rule } };
      }),
    })),
  };
}

function namesNobody({ question }: PlannedTier): boolean {
  return Object.values(question.decision_rule.eligible).every((names) => names === undefined);
}
