import type { ApprovalResolution, ProposedCall } from '../../../contracts/approval/approval.js';
import { editNote, type RejectAction } from '../../../contracts/constants/approvals.js';
import type { ToolCall, ToolResult } from '../../../contracts/approval/gate.js';
import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { defined } from '../../../contracts/constants/defined.js';

const ADVICE = 'Choose a different approach.';

export type Decided = Pick<ApprovalResolution, 'respondent' | 'comment' | 'data' | 'reason'> & {
  readonly approval_id: string;
};

/** The arguments with which a tool ran, and whether a person had edited them. */
interface Ran {
  readonly arguments: JsonObject;
  readonly edited: boolean;
}

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

/** The result of a tool that failed, or that could not be called. `ran` is present if it ran. */
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

/** The model learns which arguments ran if they differ from its own. */
function withEdit({ name }: ToolCall, text: string, ran: Ran): string {
  return ran.edited ? `${editNote(name, ran.arguments)}\n${text}` : text;
}

/** The result of a rejected call for the model: a person's answer (JC-31), or the reason of a denying policy (A54-23). */
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

/** Nobody decided in time, or the request was withdrawn earlier. No person rejected it. */
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
 * Another call was not approved, and the turn continues without this one.
 *
 * @param begun - whether the tool was running, so that it may have had effects
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

export function proposed({ id, name, arguments: given }: ToolCall): ProposedCall {
  return { id, tool: name, arguments: given };
}
