import type { ApprovalPlan, JudgedCall, Judgement } from '../../../contracts/approval/judging.js';
import type {
  Grouping,
  RejectAction,
  SiblingPolicy,
} from '../../../contracts/constants/approvals.js';
import { jsonBytes, jsonEqual, visitsOf, type Visit } from '../../kernel/json.js';
import { isObject } from '../../kernel/message-form.js';
import { higherRisk } from '../proposal/proposal.js';
import { withoutAllowing } from './route.js';
import { stricterRoute } from './rules.js';
import { defined } from '../../../contracts/constants/defined.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { isBlank } from '../../../contracts/constants/visible-text.js';
import type { ToolCall } from '../../../contracts/approval/gate.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import { ok, refuse } from '../../kernel/ruling.js';
import { cutTo } from '../../kernel/text.js';
import { JudgingBudget, judgeBySchema } from '../../schema/judge.js';

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

export interface Gate extends Pick<Judgement, 'route' | 'risk_class'> {
  readonly plan: ApprovalPlan;
  readonly reason?: string;
}

/**
 * Whether the agent gates a call, by its tool or its policy. Only the exact answer `proceed` lets a call pass. The
 * arguments play no part (JC-30).
 *
 * @param answer - the answer of the policy; `proceed` without one
 */
export function markOf(requiresApproval: boolean, answer: unknown): Mark {
  if (answer === 'proceed') return { gated: requiresApproval };
  const asked = isObject(answer) ? answer['require_approval'] : undefined;
  const reason = isObject(asked) ? asked['reason'] : undefined;
  return { gated: true, ...(typeof reason === 'string' && { reason }) };
}

/**
 * Combines the agent's mark with the rules' judgement; the stricter applies. A gated call with nobody to ask is
 * denied.
 */
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

/** The gated calls that one approval decides on together, by position: each alone, or all. */
export function groupsOf(
  handlings: readonly Handling[],
  grouping: Grouping,
): readonly (readonly number[])[] {
  const gated = handlings.flatMap(({ kind }, index) => (kind === 'gate' ? [index] : []));
  if (grouping === 'per_call') return gated.map((index) => [index]);
  return gated.length === 0 ? [] : [gated];
}

/** Whether calls without a gate wait too: they do if one approval decides on the whole turn. */
export function holdsUngated(handlings: readonly Handling[], grouping: Grouping): boolean {
  return grouping === 'per_turn' && handlings.some(({ kind }) => kind === 'gate');
}

/**
 * Joins the questions about several calls: strictest route, all different stages, highest risk. Throws a RangeError
 * if there is no call.
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

/** How a turn continues after a rejection: with the other calls, without them, or not at all. */
export type AfterRejection = 'continue' | 'cancel' | 'abort' | 'cancel_task';

/** The stricter effect of a rejection, of those that the gate and the turn specify. */
export function afterRejection(action: RejectAction, siblings: SiblingPolicy): AfterRejection {
  if (action === 'cancel_task') return 'cancel_task';
  if (siblings === 'abort_iteration') return 'abort';
  return siblings === 'cancel_siblings' ? 'cancel' : 'continue';
}

/** A call of a turn. If it is malformed, `fault` says why it is neither asked about nor run. */
export interface CheckedCall {
  /** The call; if malformed, only the readable names. */
  readonly call: ToolCall;
  readonly fault?: string;
}

const NAME = `a text of 1 to ${LIMITS.nameCharacters} characters without white space at its ends`;

/**
 * Checks each call of a turn by itself, because a malformed one must not stop the others; a repeated id is a fault.
 * Refuses `invalid_request` for what is no list.
 */
export function checkCalls(calls: unknown): Ruling<readonly CheckedCall[]> {
  if (!Array.isArray(calls)) {
    const extra = { field: 'calls', accepted: 'a list of calls' };
    return refuse('invalid_request', 'calls is not accepted.', extra);
  }
  const ids = new Set<string>();
  let left: number = LIMITS.turnBytes;
  return ok(
    (calls as readonly unknown[]).map((call, index) => {
      const fault =
        index < LIMITS.proposedCalls
          ? faultOf(call, ids, left)
          : `A turn has at most ${LIMITS.proposedCalls} calls.`;
      if (fault !== undefined) return { call: namedAs(call), fault };
      const sound = call as ToolCall;
      ids.add(sound.id);
      left -= jsonBytes(sound.arguments);
      return { call: sound };
    }),
  );
}

const TOO_MUCH =
  'The calls of the turn take too long to be judged by the schemas of their tools: make fewer of them, or shorter ones.';

/**
 * Returns why each call does not fit the schema of its tool, or undefined. One workflow task judges all calls of a
 * turn, so together they take no more work than one answer may.
 *
 * @param schemaOf - the schema of a tool, which `checkSchema` has passed
 */
export function argumentFaults(
  calls: readonly ToolCall[],
  schemaOf: (tool: string) => JsonObject | undefined,
): readonly (string | undefined)[] {
  const budget = new JudgingBudget();
  return calls.map(({ name, arguments: given }) => {
    const schema = schemaOf(name);
    if (schema === undefined) return undefined;
    if (budget.left < 0) return TOO_MUCH;
    const fits = judgeBySchema(schema, given, 'arguments', budget);
    if (fits.ok) return undefined;
    return budget.left < 0 ? TOO_MUCH : fits.refusal.detail;
  });
}

function faultOf(call: unknown, ids: ReadonlySet<string>, left: number): string | undefined {
  if (!isObject(call)) return 'The call is no object with id, name and arguments.';
  const { id, name, arguments: given } = call;
  if (!isName(id)) return `The id of the call is not ${NAME}.`;
  if (ids.has(id)) return 'Another call of the turn has the same id.';
  if (!isName(name)) return `The name of the tool is not ${NAME}.`;
  if (!isObject(given)) return 'The arguments of the call are no object.';
  const fault = jsonFault(given);
  if (fault !== undefined) return `The arguments of the call ${fault}.`;
  return jsonBytes(given) > left ? 'The calls of the turn are too large together.' : undefined;
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > LIMITS.nameCharacters) return false;
  return !isBlank(value) && value === value.trim();
}

/** The readable names of a malformed call; the model identifies its result by position. */
function namedAs(call: unknown): ToolCall {
  const { id, name } = isObject(call) ? call : {};
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? cutTo(name, LIMITS.nameCharacters) : '',
    arguments: {},
  };
}

/** The fewest bytes that a value takes in JSON, with its separator. */
const LEAST_BYTES = 2;

/** Returns why a value cannot be hashed, shown and sent as JSON, or undefined. Visits no more than it accepts. */
function jsonFault(given: object): string | undefined {
  let seen = 0;
  for (const { value, name, depth, parent } of visitsOf(given)) {
    seen += LEAST_BYTES;
    if (depth > LIMITS.argumentsDepth) return 'are nested too deeply';
    if (seen > LIMITS.callBytes) return 'are too large';
    if (name === '__proto__') return 'have the name __proto__';
    if (!isJson(value) || isHole(value, parent)) return 'are not JSON';
  }
  return jsonBytes(given) > LIMITS.callBytes ? 'are too large' : undefined;
}

/** JSON omits undefined fields, but in a list writes null instead. */
function isHole(value: unknown, parent: Visit | undefined): boolean {
  return value === undefined && Array.isArray(parent?.value);
}

/** Whether a value itself, without its contents, is JSON or omitted from JSON. */
function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || Array.isArray(value) || isPlain(value);
    default:
      return false;
  }
}

/** Does not compare prototypes, because an agent's code and data may come from different realms. */
function isPlain(value: object): boolean {
  const isDated = 'toJSON' in value && typeof value.toJSON === 'function';
  return !isDated && Object.prototype.toString.call(value) === '[object Object]';
}
