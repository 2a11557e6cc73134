import { log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { JudgeCallsRequest, JudgedCall } from '../../contracts/approval/judging.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { defined } from '../../contracts/constants/defined.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { ToolCall, ToolResult } from '../../contracts/approval/gate.js';
import {
  argumentFaults,
  handlingOf,
  markOf,
  type Handling,
  type Mark,
} from '../../domain/approval/asking/turn.js';
import { warningsIn } from '../../domain/approval/asking/approver-people.js';
import { deniedResult, erroredResult } from '../../domain/approval/running/tool-result.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { BY_HOLDPOINT, refusalOrResult } from '../human/by-holdpoint.js';
import { asJson, toolOf, type Turn } from './options.js';

const { judgeToolCalls } = proxyActivities<Pick<Activities, 'judgeToolCalls'>>({
  ...BY_HOLDPOINT,
  summary: 'judge the tool calls',
});

export interface Sorted {
  readonly call: ToolCall;
  readonly handling: Handling;
  /** The result for the model, if the call never runs. */
  readonly result?: ToolResult;
}

const NEVER: Handling = { kind: 'deny' };

/** The result for the model if a call is too large to be shown, so that it makes a smaller one. */
export const TOO_LARGE = 'The call is too large to be approved.';

/**
 * Sorts the calls of a turn into those that run, those that wait and those that never run (JC-22). The agent's own
 * gates and the rules of the installation decide, never the model (JC-30): a tool is found by its exact name, and
 * arguments are only compared.
 */
export async function sortedCalls(turn: Turn): Promise<readonly Sorted[]> {
  const misfits = argumentFaults(turn.calls, (name) => toolOf(turn, name)?.input_schema);
  const faults = turn.calls.map((call, index) => faultOf(turn, call, misfits[index]));
  const sound = turn.calls.filter((_call, index) => faults[index] === undefined);
  const marks: Mark[] = [];
  for (const call of sound) marks.push(await marked(turn, call));
  const judged = await judge(turn, sound, marks);
  const decided = new Map(
    sound.map((call, index) => [call.id, sortedCall(call, marks[index], judged[index])]),
  );
  const sorted = turn.calls.map((call, index) => {
    const fault = faults[index];
    if (fault) return { call, handling: NEVER, result: fault };
    return decided.get(call.id) ?? sortedCall(call, undefined, undefined);
  });
  return withMalformed(turn, sorted);
}

/** Inserts malformed calls at their positions, with the results for the model. */
function withMalformed({ checked }: Turn, sorted: readonly Sorted[]): readonly Sorted[] {
  const rest = sorted.values();
  return checked.flatMap(({ call, fault }) => {
    if (fault !== undefined) return [{ call, handling: NEVER, result: erroredResult(call, fault) }];
    return rest.next().value ?? [];
  });
}

/** Sorts one call. If it seems to contain a credential, nobody sees it, and the model has to repeat it without. */
function sortedCall(
  call: ToolCall,
  mark: Mark | undefined,
  judged: JudgedCall | undefined,
): Sorted {
  const handling = mark && judged ? handlingOf(mark, judged) : NEVER;
  if (judged?.refused && handling.kind === 'gate') {
    return { call, handling: NEVER, result: erroredResult(call, judged.refused.detail) };
  }
  if (handling.kind === 'gate' && jsonBytes(call.arguments) > LIMITS.proposalBytes) {
    return { call, handling: NEVER, result: erroredResult(call, TOO_LARGE) };
  }
  if (handling.kind !== 'deny') return { call, handling };
  return { call, handling, result: deniedResult(call, handling.reason) };
}

function faultOf(turn: Turn, call: ToolCall, misfit: string | undefined): ToolResult | undefined {
  const isKnown = toolOf(turn, call.name) !== undefined;
  const fault = isKnown ? misfit : 'There is no tool of this name.';
  return fault === undefined ? undefined : erroredResult(call, fault);
}

async function marked(turn: Turn, call: ToolCall): Promise<Mark> {
  const { approval_policy: policy, context } = turn;
  const answer = policy === undefined ? 'proceed' : await policy(asJson(call), context);
  return markOf(toolOf(turn, call.name)?.requires_approval === true, answer);
}

/** Judges every call by the rules, which may gate or deny what the agent does not. Throws a refusal itself. */
async function judge(turn: Turn, calls: readonly ToolCall[], marks: readonly Mark[]) {
  if (calls.length === 0) return [];
  const { agent, on_behalf_of, decider, space } = turn;
  const request: JudgeCallsRequest = {
    agent,
    ...defined({ on_behalf_of, decider }),
    calls: calls.map((call, index) => {
      const { risk_class, route } = toolOf(turn, call.name) ?? {};
      const gated = marks[index]?.gated === true;
      return {
        id: call.id,
        tool: call.name,
        arguments: call.arguments,
        claimed: { requires_approval: gated, ...defined({ risk_class, route }) },
        ...(!gated && { unmarked: true as const }),
      };
    }),
  };
  const inSpace = space === DEFAULT_SPACE ? [] : ([space] as const);
  const judged = await refusalOrResult(judgeToolCalls(request, ...inSpace));
  const plans = judged.flatMap(({ plan }) => (plan ? [plan] : []));
  for (const warning of new Set(plans.flatMap(warningsIn))) log.warn('gate_warning', { warning });
  return judged;
}
