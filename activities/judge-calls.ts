import type { ServerConfig } from '../contracts/config.js';
import { judgeCallsRequestSchema } from '../contracts/approval-judging.js';
import type { JudgedCall } from '../contracts/approval-judging.js';
import { parseKnownFields } from '../contracts/unknown-fields.js';
import { planOf } from '../domain/approval/route.js';
import { judgeCall } from '../domain/approval/rules.js';
import { refusal } from './inputs.js';

/**
 * Judges the tool calls of a turn by the configured rules, in the order of the calls, and says whom to ask about those that
 * are escalated. What it returns is in the history of the workflow, so rules that change later change nothing there. A
 * refusal is a non-retryable ApplicationFailure whose type is an error code.
 */
export async function judgeToolCalls(
  { approvals }: Pick<ServerConfig, 'approvals'>,
  request: unknown,
): Promise<readonly JudgedCall[]> {
  const parsed = parseKnownFields(judgeCallsRequestSchema, request);
  if (!parsed.ok) throw refusal(parsed.refusal);
  const { agent, on_behalf_of, calls } = parsed.value;
  return calls.map(({ id, tool, arguments: given, claimed, unmarked }) => {
    const call = { tool, agent, arguments: given };
    const judged = judgeCall(approvals.rules, call, claimed, unmarked);
    const plan = planOf(judged, approvals, { agent, on_behalf_of });
    return { id, ...judged, ...(plan && { plan }) };
  });
}
