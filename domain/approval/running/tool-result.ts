import type { ApprovalResolution, ProposedCall } from '../../../contracts/approval/approval.js';
import type { RejectAction } from '../../../contracts/constants/approvals.js';
import type { ToolCall, ToolResult } from '../../../contracts/approval/gate.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { defined } from '../../../contracts/constants/defined.js';

const ADVICE = 'Choose a different approach.';

/** The parts of an approval that a result repeats. */
export type Decided = Pick<ApprovalResolution, 'respondent' | 'comment' | 'data' | 'reason'> & {
  readonly approval_id: string;
};

/** The arguments with which a tool ran, and whether a person had edited them. */
interface Ran {
  readonly arguments: JsonObject;
  readonly edited: boolean;
}

/** The return value of a tool. */
export function completedResult(
  call: ToolCall,
  value: JsonValue | undefined,
  ran: Ran,
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

/** The error of a tool, or the reason why it could not be called. It ran if `ran` is there. */
export function erroredResult(
  call: ToolCall,
  message: string,
  ran?: Ran,
  decided?: Decided,
): ToolResult {
  const result = failed(call, 'errored', `ERROR. ${message}`, decided);
  if (ran === undefined) return result;
  return {
    ...result,
    content: withEdit(call, result.content, ran),
    arguments: ran.arguments,
    ...(ran.edited && { edited: true }),
  };
}

/** The model learns which arguments ran if they are not its own. */
function withEdit({ name }: ToolCall, text: string, ran: Ran): string {
  if (!ran.edited) return text;
  const shown = JSON.stringify(ran.arguments);
  return `A human reviewer edited the arguments of "${name}". It ran with: ${shown}\n${text}`;
}

/** What the model reads for a rejected call: a person's answer (JC-31), or the words of a denying policy (A54-23). */
export function rejectedResult(call: ToolCall, decided: Decided, action: RejectAction): ToolResult {
  if (action === 'policy_deny') return deniedResult(call, decided.comment, decided);
  const what = `REJECTED by human reviewer.${quoted(decided.comment)}\n${ADVICE}`;
  return failed(call, 'rejected', what, decided);
}

/** A rule of the installation denies the call. Nobody was asked. */
export function deniedResult(
  call: ToolCall,
  reason: string | undefined,
  decided?: Decided,
): ToolResult {
  const what = `DENIED by policy.${quoted(reason)}\n${ADVICE}`;
  return { ...failed(call, 'denied', what, decided), code: 'policy_denied' };
}

/** Nobody decided in time, or the request was withdrawn before. No person has rejected it. */
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
  return failed(call, 'not_approved', `NOT APPROVED, ${said[why]}\n${ADVICE}`, decided);
}

/**
 * Another call was not approved, and the turn goes on without this one.
 *
 * @param begun - whether the tool was running, so that it may have acted
 */
export function cancelledResult(call: ToolCall, rejected: string, begun: boolean): ToolResult {
  const how = begun ? ' It had begun, and may have acted.' : '';
  return failed(call, 'cancelled', `CANCELLED, because "${rejected}" was not approved.${how}`);
}

/** The call that was about to run is not the approved one (A54-31). */
export function mutatedResult(call: ToolCall, decided: Decided): ToolResult {
  const code = 'proposal_mutation_detected';
  const what = `NOT RUN (${code}). What was to run is no longer what was approved.`;
  return { ...failed(call, 'mutated', what, decided), code };
}

/** Returns the result of a call that did not return. */
function failed(
  call: ToolCall,
  status: ToolResult['status'],
  what: string,
  decided?: Decided,
): ToolResult {
  const content = `Tool result for "${call.name}": ${what}`;
  return { ...base(call, decided), status, content, is_error: true };
}

function base({ id, name }: ToolCall, decided?: Decided) {
  const { approval_id, respondent, comment, data } = decided ?? {};
  return { call_id: id, name, ...defined({ approval_id, respondent, comment, data }) };
}

function quoted(text: string | undefined): string {
  return text === undefined ? '' : ` Reason: "${text}"`;
}

/** A model's call as a proposal has it. */
export function proposed({ id, name, arguments: given }: ToolCall): ProposedCall {
  return { id, tool: name, arguments: given };
}
