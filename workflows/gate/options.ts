import type { ApprovalClaim } from '../../contracts/approval/judging.js';
import type { Grouping, RejectAction, SiblingPolicy } from '../../contracts/constants/approvals.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import { isBlank } from '../../contracts/constants/visible-text.js';
import type { PolicyAnswer, ToolCall } from '../../contracts/approval/gate.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import { checkCalls, type CheckedCall } from '../../domain/approval/asking/turn.js';
import { checkDecider } from '../../domain/approval/asking/initiator.js';
import { checkSummary } from '../../domain/approval/asking/summary.js';
import { fieldAt, jsonEqual, lostNumberIn } from '../../domain/kernel/json.js';
import { checkDataSchema, checkSchema } from '../../domain/schema/checks.js';
import { demand, failureOf } from '../engine/handlers.js';
import { checkSpace } from '../human/request-input.js';

/** What a tool gets besides its arguments. */
export interface ToolRun {
  readonly call_id: string;
  readonly name: string;
  /** The same for each try of one call: a tool with outside effects passes it on, so that they happen once (P3-23). */
  readonly idempotency_key: string;
  /** Whether a person replaced the model's arguments with these. */
  readonly edited: boolean;
  /** The approval that allows the call; absent for a call without a gate. */
  readonly approval_id?: string;
}

/** A tool that a model may call. */
export interface GatedTool extends Pick<ApprovalClaim, 'risk_class' | 'route'> {
  /** Whether every call of the tool waits for an approval (JC-21). */
  readonly requires_approval?: boolean;
  /** The effect of a rejection. */
  readonly on_reject?: RejectAction;
  /** The question to people. */
  readonly prompt?: string | ((call: ToolCall) => string);
  readonly description?: string;
  /** JSON Schema of the arguments. Nobody is asked about arguments that do not fit, and edits must fit too. */
  readonly input_schema?: JsonObject;
  /** Paths of the arguments that lists show, such as `to.country`, at most five; by default the first three arguments. */
  readonly summary?: readonly string[];
  /** JSON Schema of the data that a decision must contain (JC-36). Calls decided on together need the same one. */
  readonly response_schema?: JsonObject;
  /** Sent to the channels with the question (JC-36). */
  readonly metadata?: JsonObject;
  /** Runs the tool. It is code of the workflow, so it uses activities for effects. */
  readonly run: (args: JsonObject, call: ToolRun) => Promise<unknown>;
}

/** A turn of an agent: the calls of its model, and how they are gated. */
export interface GateOptions {
  /** The name under which the agent asks. */
  readonly agent: string;
  /** The user on whose behalf the agent acts. That user may not decide: a warning says so. */
  readonly on_behalf_of?: string;
  /** The user on whose behalf it acts and who alone decides, unless the configuration names others. */
  readonly decider?: string;
  /** The id of the run. By default that of the workflow, so that it stays the same when another run continues it. */
  readonly run_id?: string;
  readonly turn_index: number;
  readonly calls: readonly ToolCall[];
  readonly tools: Readonly<Record<string, GatedTool>>;
  /** Gates calls by their content; it can add gates but remove none (JC-27). */
  readonly approval_policy?: (
    call: ToolCall,
    context: JsonObject,
  ) => PolicyAnswer | Promise<PolicyAnswer>;
  /** The context that the policy sees. */
  readonly context?: JsonObject;
  /** The keys of the context that people see; by default all (JC-20). */
  readonly context_keys?: readonly string[] | null;
  /** What the agent needs to continue, such as its messages; it is stored in the snapshot (A54-14). */
  readonly working_memory?: unknown;
  /** One approval for each gated call (`per_call`, the default), or one for the whole turn. */
  readonly grouping?: Grouping;
  /** What happens to the other calls if one is not approved; by default `continue_siblings` (JC-33). */
  readonly rejection_policy?: SiblingPolicy;
  /** The effect of a rejection if the tool does not specify it; by default `inject_result`. */
  readonly on_reject?: RejectAction;
  readonly channel_hint?: string;
  /** The space whose operators decide; by default `default`. */
  readonly space?: string;
}

/**
 * The checked options with every default. `checked` has all calls in order, and `calls` copies of the well-formed
 * ones, so that the judged calls are the calls that run. `held` has the agent's own objects, which its code may
 * change meanwhile.
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
 * Checks a turn before anything of it runs. Throws an ApplicationFailure `invalid_request` for an invalid turn, and
 * `invalid_response_schema` for an unusable schema of a tool.
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
    if (response_schema !== undefined) demand(checkDataSchema(response_schema));
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

/** Refuses tools with different answer schemas if one answer is for all calls of the turn. */
function checkOneSchema(tools: GateOptions['tools']): void {
  const schemas = Object.entries(tools).flatMap(([name, { response_schema: schema }]) =>
    schema === undefined ? [] : [{ name, schema }],
  );
  const [first] = schemas;
  const other = schemas.find(({ schema }) => first && !jsonEqual(schema, first.schema));
  if (other) refuse(`tools.${other.name}.response_schema`, 'the same for all tools, or per_call');
}

/** Converts a value to the JSON that is hashed and sent. */
export function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Returns the tool of this name, ignoring inherited properties. */
export function toolOf({ tools }: Turn, name: string): GatedTool | undefined {
  return Object.hasOwn(tools, name) ? tools[name] : undefined;
}

/** Refuses values that JSON would silently change, such as NaN, or cannot represent. */
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
