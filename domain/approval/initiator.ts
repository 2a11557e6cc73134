import type { ApprovalPlan, PlannedTier } from '../../contracts/approval-judging.js';
import type { ApprovalRoute } from '../../contracts/constants/approvals.js';
import type { Ruling } from '../../contracts/problem.js';
import { listed } from '../policy/authorize.js';
import { ok, refuse } from '../kernel/ruling.js';

/** Judges whether a key may act for a user. Refuses `forbidden` for one that its configuration does not name. */
export function checkActsFor(
  actsFor: readonly string[],
  onBehalfOf: string | undefined,
): Ruling<true> {
  if (onBehalfOf === undefined || actsFor.includes(onBehalfOf)) return ok(true);
  return refuse('forbidden', 'The key does not act for this user.', {
    field: 'on_behalf_of',
    accepted: actsFor.length === 0 ? 'nobody: the key has no acts_for' : listed(actsFor),
  });
}

/**
 * Who decides where an agent outside of Temporal acts for a user (`initiator_only`, P3-20, AM-49): this user, and nobody else.
 * It takes the place of the plan only if the route is `human_required` and the configuration names no approvers. Whoever names
 * them, and the stricter routes, have their own: an agent cannot choose who decides.
 */
export function initiatorPlan(
  plan: ApprovalPlan,
  route: ApprovalRoute,
  { agent, on_behalf_of }: { readonly agent: string; readonly on_behalf_of?: string | undefined },
): ApprovalPlan {
  if (on_behalf_of === undefined || on_behalf_of === agent) return plan;
  const isOpen = plan.stages.every(({ tiers }) => tiers.every(namesNobody));
  if (route !== 'human_required' || !isOpen) return plan;
  return {
    stages: plan.stages.map((stage) => ({
      ...stage,
      tiers: stage.tiers.map((tier) => {
        const { decision_rule: rule } = tier.question;
        const decision_rule = {
          ...rule,
          eligible: { principals: [on_behalf_of] },
          excluded: rule.excluded.filter((name) => name !== on_behalf_of),
        };
        return { ...tier, question: { ...tier.question, decision_rule } };
      }),
    })),
  };
}

function namesNobody({ question }: PlannedTier): boolean {
  return Object.values(question.decision_rule.eligible).every((names) => names === undefined);
}
