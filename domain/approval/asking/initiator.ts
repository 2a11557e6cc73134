import type { ApprovalPlan, PlannedTier } from '../../../contracts/approval/judging.js';
import type { ApprovalRoute } from '../../../contracts/constants/approvals.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import type { Proposal } from '../../../contracts/approval/approval.js';
import { defined } from '../../../contracts/constants/defined.js';
import type { DecisionRule } from '../../../contracts/suspension/decision.js';
import { listed } from '../../policy/authorize.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { quoted } from '../../kernel/text.js';

const MOST_SHOWN = 5;

/** Judges whether a key may act for a user. Refuses `forbidden` for a user that its configuration does not name. */
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

/** The user for whom an agent acts, taken from either field. */
export function actsFor({ on_behalf_of, decider }: NamedUsers): string | undefined {
  return on_behalf_of ?? decider;
}

/** Refuses `invalid_request` for a decider for whom the agent does not act: it could choose who judges it. */
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

/** The user who is to decide alone: the `decider`, or the user whom a consent or a sign-in concerns (P3-15, P3-20). */
export function deciderOf({
  kind = 'tool_approval',
  on_behalf_of,
  decider,
}: NamedUsers & Partial<Pick<Proposal, 'kind'>>): string | undefined {
  return decider ?? (kind === 'tool_approval' ? undefined : on_behalf_of);
}

/**
 * What a proposal says about its deciders: the user who is to decide, or else those named by the first tier of each
 * stage.
 */
export function decidersIn(
  plan: ApprovalPlan | undefined,
  decider: string | undefined,
): Pick<Proposal, 'decider' | 'decided_by'> {
  if (decider === undefined || plan === undefined) return defined({ decider });
  const rules = plan.stages.map(({ tiers }) => tiers.map(({ question }) => question.decision_rule));
  const isDecider = ({ eligible, excluded }: DecisionRule) =>
    eligible.principals?.includes(decider) === true && !excluded.includes(decider);
  if (rules.flat().every(isDecider)) return { decider };
  return { decided_by: rules.flatMap(([first]) => (first ? [first.eligible] : [])) };
}

/**
 * Makes the `decider` that an agent names the only one (`initiator_only`, P3-20). Only the route `human_required`
 * without configured approvers allows this, because an agent must not choose who judges it.
 *
 * @param mayDecide - false with separation of duties
 */
export function initiatorPlan(
  plan: ApprovalPlan,
  route: ApprovalRoute,
  { agent, ...named }: { readonly agent: string } & Parameters<typeof deciderOf>[0],
  mayDecide = true,
): ApprovalPlan {
  const decider = deciderOf(named);
  const { on_behalf_of: user = agent } = named;
  if (decider === undefined) return user === agent ? plan : { ...plan, warnings: [askFor(user)] };
  const isOpen = plan.stages.every(({ tiers }) => tiers.every(namesNobody));
  if (!mayDecide || decider === agent || route !== 'human_required' || !isOpen) {
    return { ...plan, warnings: [overridden(decider, plan)] };
  }
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

function askFor(user: string): string {
  return `${quoted(user)}, for whom it is asked, does not decide. To have this user alone decide, name it as decider.`;
}

function overridden(decider: string, { stages }: ApprovalPlan): string {
  const all = stages.flatMap(({ tiers: [first] }) => (first ? [first.question.decision_rule] : []));
  const said = [...new Set(all.map(saidOf))].slice(0, MOST_SHOWN).join(', then ');
  return `${quoted(decider)} is named to decide and does not: by the configuration that is up to ${said}.`;
}

function saidOf({ eligible, quorum }: DecisionRule): string {
  const { principals = [], groups = [], roles = [] } = eligible;
  const names = [
    ...principals,
    ...groups.map((group) => `the group ${group}`),
    ...roles.map((role) => `the role ${role}`),
  ];
  const shown = names.slice(0, MOST_SHOWN).map(quoted).join(', ') || 'others who may approve';
  return quorum > 1 ? `${quorum} of ${shown}` : shown;
}

function namesNobody({ question }: PlannedTier): boolean {
  return Object.values(question.decision_rule.eligible).every((names) => names === undefined);
}

/** Adds to the refusal of a user for whom the agent acts why this user may not decide about an approval. */
export function explained(
  judged: Ruling<true>,
  voter: { readonly responded_by: string; readonly separation_of_duties?: boolean | undefined },
  proposal: Proposal | undefined,
): Ruling<true> {
  if (judged.ok || judged.refusal.code !== 'not_eligible') return judged;
  if (proposal?.on_behalf_of !== voter.responded_by) return judged;
  if (voter.separation_of_duties === true || proposal.decider !== undefined) return judged;
  const why = proposal.decided_by
    ? 'The agent names this user to decide, but by the configuration others do.'
    : 'The agent only acts for this user; it would decide if the agent named it as decider.';
  return { ok: false, refusal: { ...judged.refusal, detail: `${judged.refusal.detail} ${why}` } };
}
