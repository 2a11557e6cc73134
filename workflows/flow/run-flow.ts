import { TemporalFailure } from '@temporalio/common';
import { isCancellation, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { JsonObject } from '../../contracts/primitives.js';
import type { Flow } from '../../domain/flow/checks.js';
import { ERROR, finalStates, merged, nextState } from '../../domain/flow/definition.js';
import type { ActionNode, FlowContext, FlowNode, HumanNode } from '../../domain/flow/definition.js';
import { diagramOf } from '../../domain/flow/diagram.js';
import { dataOf, questionAt, responseOf } from '../../domain/flow/request.js';
import { endedByDeadline } from '../../domain/suspension/state.js';
import { failureOf } from '../engine/handlers.js';
import { awaitSettled, openInput } from '../human/request-input.js';

/** A state that a flow has left, and how. */
export interface FlowStep {
  readonly state: string;
  readonly outcome: string;
  /** The question of a human node. */
  readonly request_id?: string;
  /** What went wrong, for the outcome `error`. */
  readonly error?: string;
}

/** How a flow has ended. */
export interface FlowEnd {
  readonly state: string;
  readonly context: FlowContext;
  /** Every state that it left, in order. */
  readonly steps: readonly FlowStep[];
}

/** How a node was left, and what it gave. */
interface Left extends Omit<FlowStep, 'state'> {
  readonly data?: JsonObject;
}

/** Module state is per workflow: the flows that it runs now, one of which may run inside another. */
const running = new Set<{ readonly flow: Flow; state: string }>();

/**
 * Runs a flow in the code of a workflow until it reaches a final state, and returns that state, the context and the
 * steps (JC-02 to JC-10). A person's answer, or its absence in time, is an outcome like any other. So is what an action
 * throws, if it is a failure of Temporal; anything else is a mistake in the code and fails the workflow's task. Where
 * the workflow or its scope is cancelled, an open question is withdrawn and the cancellation thrown. Throws an
 * ApplicationFailure `invalid_request` for a flow that did not come from `defineFlow`, and for an outcome that an
 * action has not announced.
 *
 * @param context - what the flow begins with
 */
export async function runFlow(flow: Flow, context: FlowContext = {}): Promise<FlowEnd> {
  checkDefined(flow);
  const here = { flow, state: flow.initial };
  running.add(here);
  const steps: FlowStep[] = [];
  let known = context;
  try {
    for (let node = nodeIn(here); node !== undefined; node = nodeIn(here)) {
      show();
      const { data, ...left } = await leave(node, known, here.state);
      // The data is there before the next state begins (JC-44).
      if (data) known = merged(known, nameOf(node, here.state), data);
      steps.push({ state: here.state, ...left });
      here.state = demandNext(flow, here.state, left.outcome);
    }
    return { state: here.state, context: known, steps };
  } finally {
    running.delete(here);
    show(here);
  }
}

function checkDefined(flow: unknown): void {
  if ((flow as Partial<Flow> | null)?.checked) return;
  const detail = 'The flow has not been checked.';
  throw failureOf({ code: 'invalid_request', detail, accepted: 'what defineFlow returns' });
}

function nodeIn({ flow, state }: { flow: Flow; state: string }): FlowNode | undefined {
  return finalStates(flow).includes(state) ? undefined : flow.nodes[state];
}

function nameOf(node: FlowNode, state: string): string {
  return node.kind === 'human' ? node.name : state;
}

/** An action may return an outcome that it has not announced; nothing follows that one. */
function demandNext(flow: Flow, state: string, outcome: string): string {
  const next = nextState(flow, state, outcome);
  if (next !== undefined) return next;
  const detail = `Nothing follows "${state}" with the outcome "${outcome}".`;
  throw failureOf({ code: 'invalid_request', detail, accepted: 'an outcome of the node' });
}

async function leave(node: FlowNode, context: FlowContext, state: string): Promise<Left> {
  try {
    return await (node.kind === 'human' ? decided(node, context, state) : done(node, context));
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    const cause = error.cause ?? error;
    return { outcome: ERROR, error: cause.message };
  }
}

async function done(node: ActionNode, context: FlowContext): Promise<Left> {
  const { outcome = 'ok', data } = (await node.run(context)) ?? {};
  return { outcome, ...(data && { data }) };
}

/** Asks, and waits for as long as it takes: no error, and never tried again (JC-02, JC-39). */
async function decided(node: HumanNode, context: FlowContext, state: string): Promise<Left> {
  const { workflowId: agent_id, workflowType: agent_module } = workflowInfo();
  const reached = { state, agent_id, agent_module };
  const request_id = await openInput(questionAt(node, context, reached));
  const { record } = await awaitSettled(request_id);
  switch (record.resolution) {
    case 'responded': {
      const response = responseOf(record);
      return { outcome: response.decision, request_id, data: dataOf(response) };
    }
    case 'expired':
      if (endedByDeadline(record)) break;
      return { outcome: node.timeout_outcome, request_id };
    case 'cancelled':
      break;
  }
  return { outcome: ERROR, request_id, error: record.reason ?? 'The question was withdrawn.' };
}

/** Shows the flows that run in the Temporal UI; the last one as it ended, once none runs any more. */
function show(last?: { readonly flow: Flow; readonly state: string }): void {
  const shown = running.size === 0 && last ? [last] : [...running];
  const diagrams = shown.map(
    ({ flow, state }) =>
      `**${flow.name}** is in \`${state}\`\n\n\`\`\`mermaid\n${diagramOf(flow, state)}\n\`\`\``,
  );
  setCurrentDetails(diagrams.join('\n\n'));
}
