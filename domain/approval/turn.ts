import type { ApprovalPlan, JudgedCall, Judgement } from '../../contracts/approval-judging.js';
import type { Grouping, RejectAction, SiblingPolicy } from '../../contracts/constants/approvals.js';
import { jsonEqual } from '../kernel/json.js';
import { isObject } from '../kernel/message-form.js';
import { higherRisk } from './proposal.js';
import { stricterRoute } from './rules.js';

/** Whether the agent gates a call itself, and why. */
export interface Mark {
  readonly gated: boolean;
  readonly reason?: string;
}

/** What happens with a call: it runs, it waits for people, or it never runs. */
export type Lot =
  | { readonly kind: 'run' }
  | { readonly kind: 'gate'; readonly gate: Gate }
  | { readonly kind: 'deny'; readonly reason?: string };

/** What is asked about a gated call. */
export interface Gate extends Pick<Judgement, 'route' | 'risk_class'> {
  readonly plan: ApprovalPlan;
  readonly reason?: string;
}

/**
 * Whether the agent gates a call: either its tool says so or its policy does (AM-63). Only the exact answer `proceed`
 * lets a call pass; whatever else a policy answers gates it. The arguments have no say (JC-30).
 *
 * @param answer - what the policy said; `proceed` without one
 */
export function markOf(requiresApproval: boolean, answer: unknown): Mark {
  if (answer === 'proceed') return { gated: requiresApproval };
  const asked = isObject(answer) ? answer['require_approval'] : undefined;
  const reason = isObject(asked) ? asked['reason'] : undefined;
  return { gated: true, ...(typeof reason === 'string' && { reason }) };
}

/**
 * What happens with a call that the rules of the installation have judged too. They deny and gate what the agent lets
 * pass, and never the other way round. A call that is gated with nobody to ask is denied.
 */
export function lotOf(mark: Mark, judged: JudgedCall): Lot {
  const { verdict, route, risk_class, plan } = judged;
  if (verdict === 'allow' && !mark.gated) return { kind: 'run' };
  if (verdict !== 'escalate' || plan === undefined) {
    return { kind: 'deny', ...(judged.reason !== undefined && { reason: judged.reason }) };
  }
  const reason = joined([mark.reason, judged.reason]);
  return { kind: 'gate', gate: { route, risk_class, plan, ...(reason && { reason }) } };
}

function joined(reasons: readonly (string | undefined)[]): string {
  const given = reasons.filter((reason) => reason !== undefined);
  return [...new Set(given)].join(' ');
}

/** The gated calls that one approval decides on together, by position: each alone, or all (AM-51). */
export function groupsOf(lots: readonly Lot[], grouping: Grouping): readonly (readonly number[])[] {
  const gated = lots.flatMap(({ kind }, index) => (kind === 'gate' ? [index] : []));
  if (grouping === 'per_call') return gated.map((index) => [index]);
  return gated.length === 0 ? [] : [gated];
}

/** Whether calls without a gate wait too: the whole turn does, if one approval decides on it (AM-52). */
export function holdsUngated(lots: readonly Lot[], grouping: Grouping): boolean {
  return grouping === 'per_turn' && lots.some(({ kind }) => kind === 'gate');
}

/**
 * What is asked about several calls at once: the strictest route decides, with the stages of every different plan of
 * that route, and the highest risk. If that is not low, silence never allows. Throws a RangeError without any call.
 */
export function jointly(gates: readonly Gate[]): Gate {
  const [first, ...others] = gates;
  if (first === undefined) throw new RangeError('There is no call to ask about.');
  const route = others.reduce((strictest, one) => stricterRoute(strictest, one.route), first.route);
  const risk_class = others.reduce(
    (highest, one) => higherRisk(highest, one.risk_class),
    first.risk_class,
  );
  const asked = gates.filter((one) => one.route === route).map(({ plan }) => plan);
  const plans = asked.filter(
    (plan, index) => asked.findIndex((one) => jsonEqual(one, plan)) === index,
  );
  const reason = joined(gates.map((one) => one.reason));
  const plan = { stages: plans.flatMap(({ stages }) => stages) };
  return {
    route,
    risk_class,
    plan: risk_class === 'low' ? plan : withoutAllowing(plan),
    ...(reason && { reason }),
  };
}

function withoutAllowing({ stages }: ApprovalPlan): ApprovalPlan {
  return {
    stages: stages.map((stage) => ({
      ...stage,
      tiers: stage.tiers.map((tier) =>
        tier.on_timeout === 'allow' ? { ...tier, on_timeout: 'deny' } : tier,
      ),
    })),
  };
}

const REJECTS: readonly RejectAction[] = ['inject_result', 'policy_deny', 'cancel_task'];

/** What a rejection means to calls that are decided on together: the strictest of what each asks for. */
export function strictestReject(actions: readonly RejectAction[]): RejectAction {
  return REJECTS.findLast((action) => actions.includes(action)) ?? 'inject_result';
}

/** How a turn goes on after a rejection: with the other calls, without them, or not at all. */
export type AfterRejection = 'continue' | 'cancel' | 'abort' | 'cancel_task';

/** The stricter of what the gate and the turn say of a rejection. */
export function afterRejection(action: RejectAction, siblings: SiblingPolicy): AfterRejection {
  if (action === 'cancel_task') return 'cancel_task';
  if (siblings === 'abort_iteration') return 'abort';
  return siblings === 'cancel_siblings' ? 'cancel' : 'continue';
}
