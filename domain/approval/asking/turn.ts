import type { ApprovalPlan, JudgedCall, Judgement } from '../../../contracts/approval/judging.js';
import type {
  Grouping,
  RejectAction,
  SiblingPolicy,
} from '../../../contracts/constants/approvals.js';
import { jsonEqual } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';
import { higherRisk } from '../proposal/proposal.js';
import { withoutAllowing } from './route.js';
import { stricterRoute } from './rules.js';
import { defined } from '../../../contracts/constants/defined.js';

/** Whether the agent gates a call itself, and why. */
export interface Mark {
  readonly gated: boolean;
  readonly reason?: string;
}

/** The verdict on a call: it runs, it waits for people, or it never runs. */
export type Handling =
  | { readonly kind: 'run' }
  | { readonly kind: 'gate'; readonly gate: Gate }
  | { readonly kind: 'deny'; readonly reason?: string };

/** The question about a gated call. */
export interface Gate extends Pick<Judgement, 'route' | 'risk_class'> {
  readonly plan: ApprovalPlan;
  readonly reason?: string;
}

/**
 * Whether the agent gates a call, by its tool or its policy (AM-63). Only the exact answer `proceed` lets a call
 * pass. The arguments have no say (JC-30).
 *
 * @param answer - what the policy said; `proceed` without one
 */
export function markOf(requiresApproval: boolean, answer: unknown): Mark {
  if (answer === 'proceed') return { gated: requiresApproval };
  const asked = isObject(answer) ? answer['require_approval'] : undefined;
  const reason = isObject(asked) ? asked['reason'] : undefined;
  return { gated: true, ...(typeof reason === 'string' && { reason }) };
}

/** Combines the agent's mark with the stricter of the rules. A gated call with nobody to ask is denied. */
export function handlingOf(mark: Mark, judged: JudgedCall): Handling {
  const { verdict, route, risk_class, plan } = judged;
  if (verdict === 'allow' && !mark.gated) return { kind: 'run' };
  if (verdict !== 'escalate' || plan === undefined) {
    return { kind: 'deny', ...defined({ reason: judged.reason }) };
  }
  const reason = joined([mark.reason, judged.reason]);
  return { kind: 'gate', gate: { route, risk_class, plan, ...(reason && { reason }) } };
}

function joined(reasons: readonly (string | undefined)[]): string {
  const given = reasons.filter((reason) => reason !== undefined);
  return [...new Set(given)].join(' ');
}

/** The gated calls that one approval decides on together, by position: each alone, or all (AM-51). */
export function groupsOf(
  handlings: readonly Handling[],
  grouping: Grouping,
): readonly (readonly number[])[] {
  const gated = handlings.flatMap(({ kind }, index) => (kind === 'gate' ? [index] : []));
  if (grouping === 'per_call') return gated.map((index) => [index]);
  return gated.length === 0 ? [] : [gated];
}

/** Whether calls without a gate wait too: the whole turn does, if one approval decides on it (AM-52). */
export function holdsUngated(handlings: readonly Handling[], grouping: Grouping): boolean {
  return grouping === 'per_turn' && handlings.some(({ kind }) => kind === 'gate');
}

/**
 * Joins the questions about several calls: strictest route, all different stages, highest risk. Throws a RangeError
 * without any call.
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

const REJECTS: readonly RejectAction[] = ['inject_result', 'policy_deny', 'cancel_task'];

/** The effect of a rejection on calls that are decided together: the strictest that any of them demands. */
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
