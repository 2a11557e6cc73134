import type { ApprovalResolution, ProposedCall } from '../../contracts/approval.js';
import type { RejectAction } from '../../contracts/constants/approvals.js';
import type { ToolCall, ToolResult } from '../../contracts/gate.js';
import type { JsonObject, JsonValue } from '../../contracts/primitives.js';

const ADVICE = 'Choose a different approach.';

/** The parts of an approval that a result repeats. */
export type Decided = Pick<ApprovalResolution, 'respondent' | 'comment' | 'data' | 'reason'> & {
  readonly approval_id: string;
};

/** What a tool has returned. */
export function completedResult(
  call: ToolCall,
  value: JsonValue | undefined,
  ran: { readonly arguments: JsonObject; readonly edited: boolean },
  decided?: Decided,
): ToolResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return {
    ...base(call, decided),
    status: 'completed',
    content: withEdit(call, text, ran),
    is_error: false,
    value: value ?? null,
    arguments: ran.arguments,
    ...(ran.edited && { edited: true }),
  };
}

/** What went wrong in a tool, or why it could not be called. It ran if `ran` is there. */
export function erroredResult(
  call: ToolCall,
  message: string,
  ran?: { readonly arguments: JsonObject; readonly edited: boolean },
  decided?: Decided,
): ToolResult {
  const text = `Tool result for "${call.name}": ERROR. ${message}`;
  return {
    ...base(call, decided),
    status: 'errored',
    content: ran === undefined ? text : withEdit(call, text, ran),
    is_error: true,
    ...(ran && { arguments: ran.arguments }),
    ...(ran?.edited === true && { edited: true }),
  };
}

/** The model learns which arguments ran if they are not its own. */
function withEdit(
  { name }: ToolCall,
  text: string,
  ran: { readonly arguments: JsonObject; readonly edited: boolean },
): string {
  if (!ran.edited) return text;
  const shown = JSON.stringify(ran.arguments);
  return `A human reviewer edited the arguments of "${name}". It ran with: ${shown}\n${text}`;
}

/**
 * What the model reads in place of the result of a call that people decided against: to some agents it is a person's
 * answer (JC-31), to others the same as a policy that denies (A54-23).
 */
export function rejectedResult(call: ToolCall, decided: Decided, action: RejectAction): ToolResult {
  const isDeny = action === 'policy_deny';
  const why = quoted(decided.comment);
  const what = isDeny ? 'DENIED by policy.' : 'REJECTED by human reviewer.';
  return {
    ...base(call, decided),
    status: isDeny ? 'denied' : 'rejected',
    content: `Tool result for "${call.name}": ${what}${why}\n${ADVICE}`,
    is_error: true,
    ...(isDeny && { code: 'policy_denied' }),
  };
}

/** A rule of the installation denies the call. Nobody was asked. */
export function deniedResult(call: ToolCall, reason: string | undefined): ToolResult {
  return {
    ...base(call),
    status: 'denied',
    content: `Tool result for "${call.name}": DENIED by policy.${quoted(reason)}\n${ADVICE}`,
    is_error: true,
    code: 'policy_denied',
  };
}

/** Nobody decided: in time, or before the request was withdrawn. A person's rejection it is not. */
export function undecidedResult(
  call: ToolCall,
  why: 'expired' | 'withdrawn' | 'lost',
  decided: Decided,
): ToolResult {
  const said = {
    expired: 'because nobody decided in time.',
    withdrawn: `because the request was withdrawn.${quoted(decided.reason)}`,
    lost: 'because the request was lost.',
  };
  return {
    ...base(call, decided),
    status: 'not_approved',
    content: `Tool result for "${call.name}": NOT APPROVED, ${said[why]}\n${ADVICE}`,
    is_error: true,
  };
}

/**
 * Another call of the turn was not approved, and the turn goes on without this one.
 *
 * @param begun - whether the tool was running, so that it may have acted
 */
export function cancelledResult(call: ToolCall, rejected: string, begun: boolean): ToolResult {
  const how = begun ? ' It had begun, and may have acted.' : '';
  return {
    ...base(call),
    status: 'cancelled',
    content: `Tool result for "${call.name}": CANCELLED, because "${rejected}" was not approved.${how}`,
    is_error: true,
  };
}

/** What was to run is no longer what was approved (A54-31). */
export function mutatedResult(call: ToolCall, decided: Decided): ToolResult {
  return {
    ...base(call, decided),
    status: 'mutated',
    content: `Tool result for "${call.name}": NOT RUN (proposal_mutation_detected). What was to run is no longer what was approved.`,
    is_error: true,
    code: 'proposal_mutation_detected',
  };
}

function base({ id, name }: ToolCall, decided?: Decided) {
  const { approval_id, respondent, comment, data } = decided ?? {};
  return {
    call_id: id,
    name,
    ...(approval_id !== undefined && { approval_id }),
    ...(respondent !== undefined && { respondent }),
    ...(comment !== undefined && { comment }),
    ...(data !== undefined && { data }),
  };
}

function quoted(text: string | undefined): string {
  return text === undefined ? '' : ` Reason: "${text}"`;
}

/** A model's call as a proposal has it. */
export function proposed({ id, name, arguments: given }: ToolCall): ProposedCall {
  return { id, tool: name, arguments: given };
}
