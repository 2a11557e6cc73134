import type { ApprovalClaim } from '../../contracts/approval/judging.js';
import type { Grouping, RejectAction, SiblingPolicy } from '../../contracts/constants/approvals.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { isBlank } from '../../contracts/constants/visible-text.js';
import type { PolicyAnswer, ToolCall } from '../../contracts/approval/gate.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { checkCalls } from '../../domain/approval/asking/calls.js';
import type { CheckedCall } from '../../domain/approval/asking/calls.js';
import { checkDecider } from '../../domain/approval/asking/initiator.js';
import { checkSummary } from '../../domain/approval/asking/summary.js';
import { fieldAt, jsonEqual, lostNumberIn } from '../../domain/kernel/json.js';
import { checkSchema } from '../../domain/schema/checks.js';
import { checkAnswerSchema } from '../../domain/suspension/form/answerable.js';
import { demand, failureOf } from '../engine/handlers.js';
import { checkSpace } from '../human/checks.js';

/** What a tool learns of its call. */
export interface ToolRun {
  readonly call_id: string;
  readonly name: string;
  /** The same for each try of the same call: a tool that acts outside passes it on, so that it acts once (P3-23). */
  readonly idempotency_key: string;
  /** Whether a person put these arguments in the place of the model's. */
  readonly edited: boolean;
  /** The approval that lets it run; none for a call that nobody gates. */
  readonly approval_id?: string;
}

/** A tool that a model may call. */
export interface GatedTool extends Pick<ApprovalClaim, 'risk_class' | 'route'> {
  /** Whether every call of it waits for an approval (JC-21). */
  readonly requires_approval?: boolean;
  /** What follows a rejection (AM-50). */
  readonly on_reject?: RejectAction;
  /** What people are asked. */
  readonly prompt?: string | ((call: ToolCall) => string);
  readonly description?: string;
  /** JSON Schema of the arguments: those that do not fit ask nobody, and no edit may break it. */
  readonly input_schema?: JsonObject;
  /** The arguments that lists show of a call, as paths such as `to.country`, at most five; the first three unless given. */
  readonly summary?: readonly string[];
  /** JSON Schema of the data that have to come with a decision about it (JC-36). Calls decided on together need the same one. */
  readonly response_schema?: JsonObject;
  /** Goes to the channels with the question (JC-36). */
  readonly metadata?: JsonObject;
  /** Runs the tool. It is code of the workflow: what it does outside, it does by activities. */
  readonly run: (args: JsonObject, call: ToolRun) => Promise<unknown>;
}

/** A turn of an agent: the calls of its model, and how they are gated. */
export interface GateOptions {
  /** The name under which the agent asks. */
  readonly agent: string;
  /** The user for whom the agent acts. That user does not decide: a warning says so. */
  readonly on_behalf_of?: string;
  /** The user for whom it acts, and who alone decides, unless the configuration names others (AM-49). */
  readonly decider?: string;
  /** The id of the workflow unless given, so that it is the same in a run that continues it. */
  readonly run_id?: string;
  readonly turn_index: number;
  readonly calls: readonly ToolCall[];
  readonly tools: Readonly<Record<string, GatedTool>>;
  /** Gates calls by what they are; it can add gates and take none away (JC-27, AM-63). */
  readonly approval_policy?: (
    call: ToolCall,
    context: JsonObject,
  ) => PolicyAnswer | Promise<PolicyAnswer>;
  /** What the policy sees. */
  readonly context?: JsonObject;
  /** The keys of it that people see; all unless given (JC-20). */
  readonly context_keys?: readonly string[] | null;
  /** What the agent needs to go on, such as its messages: it goes into the snapshot (A54-14). */
  readonly working_memory?: unknown;
  /** One approval for each gated call, or one for all of the turn; `per_call` unless given (AM-51). */
  readonly grouping?: Grouping;
  /** What happens to the other calls if one is not approved; `continue_siblings` unless given (JC-33). */
  readonly rejection_policy?: SiblingPolicy;
  /** What follows a rejection if the tool does not say; `inject_result` unless given. */
  readonly on_reject?: RejectAction;
  readonly channel_hint?: string;
  /** The space whose operators decide; `default` if it is left out. */
  readonly space?: string;
}

/**
 * The same with every default, checked. `checked` has all calls in their order, and `calls` copies of those that are not malformed, so
 * that the calls that are judged are the calls that run. `held` has the agent's own objects, which its code may change meanwhile.
 */
export type Turn = GateOptions & {
  readonly checked: readonly CheckedCall[];
  readonly held: readonly ToolCall[];
} & Required<
    Pick<
      GateOptions,
      'run_id' | 'context' | 'grouping' | 'rejection_policy' | 'on_reject' | 'space'
    >
  >;

/**
 * Checks a turn before anything of it runs. Throws an ApplicationFailure `invalid_request` for what is not in order, and
 * `invalid_response_schema` for the schema of a tool that could not be judged by.
 */
export function checkedTurn(options: GateOptions, workflowId: string): Turn {
  const { agent, run_id = workflowId, turn_index, space = DEFAULT_SPACE } = options;
  const checked = demand(checkCalls(options.calls));
  const held = checked.flatMap(({ call, fault }) => (fault === undefined ? [call] : []));
  checkName(agent, 'agent');
  checkName(run_id, 'run_id');
  if (options.on_behalf_of !== undefined) checkName(options.on_behalf_of, 'on_behalf_of');
  if (options.decider !== undefined) checkName(options.decider, 'decider');
  demand(checkDecider(options));
  if (!Number.isSafeInteger(turn_index) || turn_index < 0) {
    refuse('turn_index', 'a whole number from 0');
  }
  checkSpace(space);
  checkJson(options.context, 'context');
  for (const [name, tool] of Object.entries(options.tools)) {
    const { input_schema, response_schema, summary, metadata } = tool;
    checkJson(metadata, `tools.${name}.metadata`);
    if (input_schema !== undefined) demand(checkSchema(input_schema));
    if (response_schema !== undefined) demand(checkAnswerSchema(response_schema, 'data'));
    if (summary !== undefined) demand(checkSummary(summary, `tools.${name}.summary`));
  }
  if (options.grouping === 'per_turn') checkOneSchema(options.tools);
  return {
    context: {},
    grouping: 'per_call',
    rejection_policy: 'continue_siblings',
    on_reject: 'inject_result',
    ...options,
    calls: held.map(({ id, name, arguments: given }) => ({ id, name, arguments: asJson(given) })),
    checked,
    held,
    run_id,
    space,
  };
}

/** Refuses tools with different schemas of the answer, where one answer is for all calls of the turn. */
function checkOneSchema(tools: GateOptions['tools']): void {
  const schemas = Object.entries(tools).flatMap(([name, { response_schema: schema }]) =>
    schema === undefined ? [] : [{ name, schema }],
  );
  const [first] = schemas;
  const other = schemas.find(({ schema }) => first && !jsonEqual(schema, first.schema));
  if (other) refuse(`tools.${other.name}.response_schema`, 'the same for all tools, or per_call');
}

/** Returns a value as it is hashed and sent, without what JSON does not have. */
export function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Returns the tool of this name. Properties that every object has are no tools. */
export function toolOf({ tools }: Turn, name: string): GatedTool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** Refuses values that JSON would change in silence, such as NaN, or cannot express. */
function checkJson(value: unknown, field: string): void {
  if (value === undefined) return;
  try {
    JSON.stringify(value);
  } catch {
    refuse(field, 'JSON values without circles');
  }
  const lost = lostNumberIn(value);
  if (lost !== undefined) refuse(fieldAt(field, lost), 'a finite number');
}

function checkName(value: unknown, field: string): void {
  const isName = typeof value === 'string' && !isBlank(value) && value === value.trim();
  if (isName && value.length <= LIMITS.nameCharacters) return;
  refuse(field, `a text of 1 to ${LIMITS.nameCharacters} characters`);
}

function refuse(field: string, accepted: string): never {
  const detail = `${field} is not accepted.`;
  throw failureOf({ code: 'invalid_request', detail, field, accepted });
}
