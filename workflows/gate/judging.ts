import { ActivityFailure, ApplicationFailure, log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { JudgeCallsRequest, JudgedCall } from '../../contracts/approval-judging.js';
import { DEFAULT_SPACE } from '../../contracts/constants/callers.js';
import { TASK_QUEUE } from '../../contracts/constants/names.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { ToolCall, ToolResult } from '../../contracts/gate.js';
import { argumentFaults } from '../../domain/approval/calls.js';
import { warningsIn } from '../../domain/approval/approver-people.js';
import { deniedResult, erroredResult } from '../../domain/approval/tool-result.js';
import { lotOf, markOf } from '../../domain/approval/turn.js';
import type { Lot, Mark } from '../../domain/approval/turn.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { asJson, toolOf } from './options.js';
import type { Turn } from './options.js';

/** Tried as long as it takes: without Holdpoint's worker nobody could decide either. */
const { judgeToolCalls } = proxyActivities<Pick<Activities, 'judgeToolCalls'>>({
  taskQueue: TASK_QUEUE,
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  summary: 'judge the tool calls',
});

/** A call with its tool, and what happens with it. */
export interface Sorted {
  readonly call: ToolCall;
  readonly lot: Lot;
  /** Of a call that never runs: what the model reads. */
  readonly result?: ToolResult;
}

const NEVER: Lot = { kind: 'deny' };

/** Nobody is asked about what is too large to be shown: the model is to make it smaller. */
export const TOO_LARGE = 'The call is too large to be approved.';

/**
 * Parts the calls of a turn into those that run, those that wait and those that never run (JC-22). The agent's own gates and
 * the rules of the installation have a say, the model has none (JC-30): a call is known by the exact name of its
 * tool, and its arguments are only ever compared.
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
    if (fault) return { call, lot: NEVER, result: fault };
    return decided.get(call.id) ?? sortedCall(call, undefined, undefined);
  });
  return withMalformed(turn, sorted);
}

/** Puts malformed calls in their places, with what the model reads of them. */
function withMalformed({ checked }: Turn, sorted: readonly Sorted[]): readonly Sorted[] {
  const rest = sorted.values();
  return checked.flatMap(({ call, fault }) => {
    if (fault !== undefined) return [{ call, lot: NEVER, result: erroredResult(call, fault) }];
    return rest.next().value ?? [];
  });
}

/** A call that seems to contain a credential is shown to nobody: the model is to make it without. */
function sortedCall(
  call: ToolCall,
  mark: Mark | undefined,
  judged: JudgedCall | undefined,
): Sorted {
  const lot = mark && judged ? lotOf(mark, judged) : NEVER;
  if (judged?.refused && lot.kind === 'gate') {
    return { call, lot: NEVER, result: erroredResult(call, judged.refused.detail) };
  }
  if (lot.kind === 'gate' && jsonBytes(call.arguments) > LIMITS.proposalBytes) {
    return { call, lot: NEVER, result: erroredResult(call, TOO_LARGE) };
  }
  if (lot.kind !== 'deny') return { call, lot };
  return { call, lot, result: deniedResult(call, lot.reason) };
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

/** Rules judge every call: they may gate, or deny, what the agent does not. Throws a refusal itself. */
async function judge(turn: Turn, calls: readonly ToolCall[], marks: readonly Mark[]) {
  if (calls.length === 0) return [];
  const { agent, on_behalf_of, decider, space } = turn;
  try {
    const request: JudgeCallsRequest = {
      agent,
      ...(on_behalf_of !== undefined && { on_behalf_of }),
      ...(decider !== undefined && { decider }),
      calls: calls.map((call, index) => {
        const { risk_class, route } = toolOf(turn, call.name) ?? {};
        const gated = marks[index]?.gated === true;
        return {
          id: call.id,
          tool: call.name,
          arguments: call.arguments,
          claimed: {
            requires_approval: gated,
            ...(risk_class !== undefined && { risk_class }),
            ...(route !== undefined && { route }),
          },
          ...(!gated && { unmarked: true as const }),
        };
      }),
    };
    const inSpace = space === DEFAULT_SPACE ? [] : ([space] as const);
    const judged = await judgeToolCalls(request, ...inSpace);
    const plans = judged.flatMap(({ plan }) => (plan ? [plan] : []));
    for (const warning of new Set(plans.flatMap(warningsIn))) log.warn('gate_warning', { warning });
    return judged;
  } catch (error) {
    return throwRefusal(error);
  }
}

/** Throws what an activity has failed with; of a refusal, the refusal itself. */
export function throwRefusal(error: unknown): never {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  throw cause instanceof ApplicationFailure && cause.nonRetryable ? cause : error;
}
