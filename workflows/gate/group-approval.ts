import { CancellationScope, proxyActivities, uuid4, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../../activities/types.js';
import type { Proposal } from '../../contracts/approval/approval.js';
import type { RejectAction } from '../../contracts/constants/approvals.js';
import { defined } from '../../contracts/constants/defined.js';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { ToolCall } from '../../contracts/approval/gate.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { SavedSnapshot } from '../../contracts/approval/snapshot.js';
import {
  checkCalls,
  jointly,
  strictestReject,
  type Gate,
} from '../../domain/approval/asking/turn.js';
import { hashOf } from '../../domain/approval/proposal/proposal.js';
import { actsFor, decidersIn } from '../../domain/approval/asking/initiator.js';
import { checkOneApproves } from '../../domain/approval/asking/route.js';
import { proposed } from '../../domain/approval/running/tool-result.js';
import { visibleTo } from '../../domain/flow/request.js';
import { cutTo } from '../../domain/kernel/text.js';
import type { ApprovalInput, ApprovalResult } from '../approval/messages.js';
import { startApproval } from '../approval/start.js';
import { demand } from '../engine/handlers.js';
import { BY_HOLDPOINT } from '../human/by-holdpoint.js';
import { asJson, toolOf, type Turn } from './options.js';
import { noteOpen } from './report.js';

export interface Group {
  readonly calls: readonly ToolCall[];
  readonly gate: Gate;
  readonly on_reject: RejectAction;
  /** The proposal when people were asked. */
  readonly proposal: Proposal;
}

/**
 * The values that a workflow cannot make deterministically: the instant of asking (ISO-8601), and the key of the
 * logs.
 */
export type Opening = Pick<ApprovalInput, 'asked_at' | 'log_key'> &
  Pick<SavedSnapshot, 'notes_mutations'>;

/**
 * Proposes calls that are decided on together (A54-11). Throws an ApplicationFailure `invalid_response_schema` if
 * more than one person must approve and an approval requires data.
 */
export function groupOf(turn: Turn, calls: readonly ToolCall[], gates: readonly Gate[]): Group {
  const gate = jointly(gates);
  demand(checkOneApproves(gate.plan, responseSchemaOf(turn, calls).response_schema));
  const { agent, decider, run_id, turn_index, context, context_keys = null } = turn;
  const on_behalf_of = actsFor(turn);
  const proposal: Proposal = asJson({
    approval_id: uuid4(),
    version: 1,
    kind: 'tool_approval',
    run_id,
    turn_index,
    agent,
    ...defined({ on_behalf_of }),
    ...decidersIn(gate.plan, decider),
    calls: calls.map(proposed),
    prompt: promptFor(turn, calls),
    visible_context: visibleTo({ context_keys }, context),
    route: gate.route,
    risk_class: gate.risk_class,
  });
  const asked = calls.map(({ name }) => toolOf(turn, name)?.on_reject ?? turn.on_reject);
  return { calls, gate, on_reject: strictestReject(asked), proposal };
}

/**
 * Makes the proposal anew from the calls that the agent holds now, which may have changed. Undefined if one is not a
 * call any more.
 */
export function liveProposal({ held }: Turn, { proposal }: Group): Proposal | undefined {
  const ids = proposal.calls.map(({ id }) => id);
  const calls = held.filter(({ id }) => ids.includes(id));
  const checked = checkCalls(calls);
  if (!checked.ok || checked.value.some(({ fault }) => fault !== undefined)) return undefined;
  return asJson({ ...proposal, calls: calls.map(proposed) });
}

function promptFor(turn: Turn, calls: readonly ToolCall[]): string {
  const prompts = calls.map((call) => {
    const { prompt, description } = toolOf(turn, call.name) ?? {};
    if (prompt !== undefined) return typeof prompt === 'function' ? prompt(call) : prompt;
    const what = description === undefined ? '' : ` (${description})`;
    return `Run the tool "${call.name}"${what}?`;
  });
  return cutTo(prompts.join('\n'), LIMITS.questionCharacters);
}

/**
 * Opens the approval of a group as a child that ends with this run, and returns how it ended (JC-25, JC-26). Throws a
 * ChildWorkflowFailure if it is gone or was cancelled.
 */
export async function decided(
  turn: Turn,
  group: Group,
  { notes_mutations: _notes, ...opening }: Opening,
): Promise<ApprovalResult> {
  const { proposal, gate } = group;
  const { approval_id } = proposal;
  const { workflowId } = workflowInfo();
  const input: ApprovalInput = {
    proposal,
    plan: gate.plan,
    verdict: 'escalate',
    ...defined({ reason: gate.reason }),
    ...schemasOf(turn, group),
    ...summariesOf(turn, group),
    ...responseSchemaOf(turn, group.calls),
    context: requestOf(turn, group),
    ...defined({ channel_hint: turn.channel_hint }),
    asked_by: turn.agent,
    asked_as: workflowId,
    ...opening,
    intent_id: null,
  };
  const child = await startApproval(input, turn.space, 'REQUEST_CANCEL');
  const tools = proposal.calls.map(({ tool }) => tool);
  const isOver = noteOpen({ approval_id, proposal_hash: hashOf(proposal), tools });
  try {
    return await child.result();
  } finally {
    isOver();
  }
}

function schemasOf(turn: Turn, { calls }: Group): Pick<ApprovalInput, 'input_schemas'> {
  const schemas = calls.flatMap(({ name }) => {
    const schema = toolOf(turn, name)?.input_schema;
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return schemas.length === 0 ? {} : { input_schemas: Object.fromEntries(schemas) };
}

function summariesOf(turn: Turn, { calls }: Group): Pick<ApprovalInput, 'summaries'> {
  const chosen = calls.flatMap(({ id, name }) => {
    const summary = toolOf(turn, name)?.summary;
    return summary === undefined ? [] : [[id, summary] as const];
  });
  return chosen.length === 0 ? {} : { summaries: Object.fromEntries(chosen) };
}

/** Calls that are decided on together have at most one schema. */
function responseSchemaOf(
  turn: Turn,
  calls: readonly ToolCall[],
): Pick<ApprovalInput, 'response_schema'> {
  const schemas = calls.map(({ name }) => toolOf(turn, name)?.response_schema);
  return defined({ response_schema: schemas.find((schema) => schema !== undefined) });
}

/** The part of the request that only the agent knows (JC-36, JC-37). */
function requestOf(turn: Turn, { calls, on_reject }: Group): JsonObject {
  const { workflowId: agent_id, workflowType: agent_module } = workflowInfo();
  const metadata = calls.map(({ name }) => toolOf(turn, name)?.metadata ?? {});
  const [, ...others] = calls;
  return asJson({
    agent_id,
    agent_module,
    node_name: calls.map(({ name }) => name).join(', '),
    ...(others.length > 0 && { tool_calls: calls }),
    on_reject,
    metadata: Object.assign({}, ...metadata) as JsonObject,
  } as unknown as JsonObject);
}

const { noteMutation } = proxyActivities<Pick<Activities, 'noteMutation'>>({
  ...BY_HOLDPOINT,
  summary: 'note that the calls have changed',
});

/**
 * Notes in the log of the run that the agent holds other calls than people have approved (A54-32), before the model
 * reads that nothing ran. Otherwise the log would end with the approval.
 *
 * @param live - what the agent holds; undefined if that is no proposal any more
 */
export async function noteFound(
  { agent, run_id, space }: Turn,
  { calls, proposal: { approval_id } }: Group,
  live: Proposal | undefined,
  { resolution: { proposal_hash }, proposed_hash }: ApprovalResult,
): Promise<void> {
  const found = {
    approval_id,
    run_id,
    agent,
    calls: calls.map(({ id }) => id),
    ...defined({ held_hash: live && hashOf(live) }),
    proposal_hash,
    proposed_hash,
  };
  await CancellationScope.nonCancellable(() => noteMutation(found, space));
}
