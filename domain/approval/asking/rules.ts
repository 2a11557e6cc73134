import {
  APPROVAL_ROUTES,
  RISK_CLASSES,
  type ApprovalRoute,
  type ApprovalVerdict,
} from '../../../contracts/constants/approvals.js';
import type { ApprovalClaim, Judgement } from '../../../contracts/approval/judging.js';
import type { ApprovalRule, ArgumentComparison } from '../../../contracts/approval/rules.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { compare, isOneOf, type Operator } from '../../kernel/comparison.js';
import { valueAt } from '../../kernel/json.js';
import { defined } from '../../../contracts/constants/defined.js';

export interface RuledCall {
  readonly tool: string;
  readonly agent: string;
  readonly arguments: JsonObject;
}

/** Ordered from least to most strict, like routes and risk classes. */
const VERDICTS: readonly ApprovalVerdict[] = ['allow', 'escalate', 'deny'];

/** The verdict on a call that no rule matches: a person decides, and the risk does not count as low (A54-34). */
export const WITHOUT_RULE: Judgement = {
  verdict: 'escalate',
  risk_class: 'high',
  route: 'human_required',
};

/** The verdict on a call that the agent does not gate either: it runs (JC-21). */
const UNMARKED: Judgement = { verdict: 'allow', risk_class: 'low', route: 'auto' };

/** Whether a rule matches. It is unclear if an argument cannot be compared with the rule's value because of its type. */
type Match = 'yes' | 'no' | 'unclear';

/**
 * Judges a tool call by the first rule that matches it (A54-10). The agent's claims, and earlier rules whose match is
 * unclear, can only make this stricter: the stricter verdict and route and the higher risk class apply.
 *
 * @param unmarked - whether the call runs if no rule matches it, because the agent itself does not gate it
 */
export function judgeCall(
  rules: readonly ApprovalRule[],
  call: RuledCall,
  claimed: ApprovalClaim = {},
  unmarked = false,
): Judgement {
  const unclear: Judgement[] = [];
  let decided: Judgement = unmarked ? UNMARKED : WITHOUT_RULE;
  for (const [index, rule] of rules.entries()) {
    const match = matchOf(rule, call);
    if (match === 'no') continue;
    const judgement = judgementOf(rule, index);
    if (match === 'unclear') {
      unclear.push(judgement);
      continue;
    }
    decided = judgement;
    break;
  }
  return [...unclear, claimOf(claimed)].reduce(stricter, decided);
}

/** An escalation to the route `auto` runs without approval, as `allow` does (A54-04). */
function judgementOf({ verdict, risk_class, route, pack, reason }: ApprovalRule, rule: number) {
  const asked = verdict === 'escalate' ? (route ?? 'human_required') : 'auto';
  return {
    verdict: verdict === 'escalate' && asked === 'auto' ? 'allow' : verdict,
    risk_class,
    route: asked,
    ...defined({ pack, reason }),
    rule,
  } as const;
}

function claimOf({ requires_approval, risk_class = 'low', route = 'auto' }: ApprovalClaim) {
  const least = requires_approval === true ? 'human_required' : 'auto';
  const asked = stricterRoute(least, route);
  return { verdict: asked === 'auto' ? 'allow' : 'escalate', risk_class, route: asked } as const;
}

/**
 * Returns the stricter of two judgements, with reason, rule and pack of the deciding one; of two packs, the first.
 */
function stricter(decided: Judgement, other: Judgement): Judgement {
  const verdict = higher(VERDICTS, decided.verdict, other.verdict);
  const risk_class = higher(RISK_CLASSES, decided.risk_class, other.risk_class);
  const route = verdict === 'escalate' ? stricterRoute(decided.route, other.route) : 'auto';
  const isUnchanged = verdict === decided.verdict && route === decided.route;
  const { reason, rule, pack } = isUnchanged || other.rule === undefined ? decided : other;
  return {
    verdict,
    risk_class,
    route,
    ...(pack !== undefined && route === 'policy_pack' && { pack }),
    ...defined({ reason, rule }),
  };
}

/** The stricter of two routes: policy_pack, dual_approval, human_required, auto. */
export function stricterRoute(one: ApprovalRoute, other: ApprovalRoute): ApprovalRoute {
  return higher(APPROVAL_ROUTES, one, other);
}

function higher<T>(order: readonly T[], one: T, other: T): T {
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}

function matchOf(rule: ApprovalRule, call: RuledCall): Match {
  if (!isNamed(rule.tool, call.tool) || !isNamed(rule.agent, call.agent)) return 'no';
  const conditions = Object.entries(rule.arguments ?? {}).flatMap(([path, comparison]) => {
    const found = argumentAt(call.arguments, path.split('.'));
    return Object.entries(comparison).map(([name, literal]) =>
      found === 'unclear'
        ? undefined
        : holds(name as keyof ArgumentComparison, found.value, literal as JsonValue),
    );
  });
  if (conditions.includes(false)) return 'no';
  return conditions.includes(undefined) ? 'unclear' : 'yes';
}

/** An index of a list in a path; `00` is not one. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * Returns the argument at a path, undefined if it is missing. Unclear if the path leads into a value without such
 * names, or is ambiguous because a name contains dots.
 */
function argumentAt(
  args: JsonObject,
  path: readonly string[],
): { readonly value: JsonValue | undefined } | 'unclear' {
  let value: JsonValue | undefined = args;
  for (const [index, key] of path.entries()) {
    if (value === undefined || value === null) return { value: undefined };
    if (typeof value !== 'object' || !hasSuchNames(value, path.slice(index))) return 'unclear';
    value = valueAt(value, [key]);
  }
  return { value };
}

/** Whether the rest of a path can name something in a value unambiguously. */
function hasSuchNames(
  value: JsonObject | readonly JsonValue[],
  [key = '', ...rest]: readonly string[],
): boolean {
  if (Array.isArray(value)) return INDEX.test(key);
  if (INDEX.test(key) && !Object.hasOwn(value, key)) return false;
  return rest.every((_key, index) => {
    const dotted = [key, ...rest.slice(0, index + 1)].join('.');
    return !Object.hasOwn(value, dotted);
  });
}

const OPERATORS: Readonly<Partial<Record<keyof ArgumentComparison, Operator>>> = {
  equals: '==',
  not_equals: '!=',
  greater_than: '>',
  at_least: '>=',
  less_than: '<',
  at_most: '<=',
};
const ORDERED: readonly string[] = ['greater_than', 'at_least', 'less_than', 'at_most'];

/** A missing argument counts as null, which equals nothing else and has no order, so the result is never unclear. */
function holds(
  name: keyof ArgumentComparison,
  value: JsonValue | undefined,
  literal: JsonValue,
): boolean | undefined {
  const found = value ?? null;
  if (name === 'present') return (value !== undefined) === literal;
  if (name === 'one_of') return isOneOf(found, literal as readonly JsonValue[]);
  if (name === 'none_of') {
    const isOne = isOneOf(found, literal as readonly JsonValue[]);
    return isOne === undefined ? undefined : !isOne;
  }
  if (found === null && ORDERED.includes(name)) return false;
  const operator = OPERATORS[name];
  return operator && compare(found, operator, literal);
}

/** Whether a name matches a pattern, in which `*` stands for any characters. Runs in linear time. */
function isNamed(pattern: string | undefined, name: string): boolean {
  if (pattern === undefined) return true;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
