import { TemporalFailure } from '@temporalio/common';
import { isCancellation, setCurrentDetails } from '@temporalio/workflow';
import { defined } from '../../contracts/constants/defined.js';
import type { Flow } from '../../domain/flow/checks.js';
import {
  ERROR,
  diagramOf,
  finalStates,
  merged,
  nextState,
  type ActionNode,
  type FlowContext,
  type FlowEnd,
  type FlowNode,
  type FlowStep,
  type Left,
} from '../../domain/flow/definition.js';
import { failureOf } from '../engine/handlers.js';
import { decided, listChildren, nested } from './nested.js';

interface Here {
  readonly flow: Flow;
  state: string;
}

/** Module state is per workflow: the flows that it is running, which may be nested. */
const running = new Set<Here>();

/**
 * Runs a flow in the code of a workflow until it reaches a final state, and returns that state, the context and the
 * steps (JC-02 to JC-10). A person's answer, a timeout, and a Temporal failure that an action throws are outcomes;
 * any other error is a mistake in the code and fails the workflow's task. If the workflow or its scope is cancelled,
 * an open question is withdrawn and the cancellation thrown. Throws an ApplicationFailure `invalid_request` for a
 * flow that did not come from `defineFlow`, and for an outcome that an action has not announced.
 *
 * @param context - the initial context of the flow
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
      const { data, ...left } = await leave(node, known, here);
      // The data is stored before the next state begins (JC-44).
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

function nodeIn({ flow, state }: Here): FlowNode | undefined {
  return finalStates(flow).includes(state) ? undefined : flow.nodes[state];
}

function nameOf(node: FlowNode, state: string): string {
  return node.kind === 'action' ? state : node.name;
}

/** Returns the next state. Throws for an outcome that an action has not announced, because no state follows it. */
function demandNext(flow: Flow, state: string, outcome: string): string {
  const next = nextState(flow, state, outcome);
  if (next !== undefined) return next;
  const detail = `Nothing follows "${state}" with the outcome "${outcome}".`;
  throw failureOf({ code: 'invalid_request', detail, accepted: 'an outcome of the node' });
}

async function leave(node: FlowNode, context: FlowContext, here: Here): Promise<Left> {
  try {
    return await leaving(node, context, here);
  } catch (error) {
    if (isCancellation(error) || !(error instanceof TemporalFailure)) throw error;
    const cause = error.cause ?? error;
    return { outcome: ERROR, error: cause.message };
  }
}

function leaving(node: FlowNode, context: FlowContext, { flow, state }: Here): Promise<Left> {
  switch (node.kind) {
    case 'human':
      return decided(node, context, { workflow_state: state });
    case 'flow':
      return nested(node, context, `${flow.name}.${state}`, show);
    case 'action':
      return done(node, context);
  }
}

async function done(node: ActionNode, context: FlowContext): Promise<Left> {
  const { outcome = 'ok', data } = (await node.run(context)) ?? {};
  return { outcome, ...defined({ data }) };
}

/** Shows the running flows in the Temporal UI; once none runs any more, the last one as it ended. */
function show(last?: Here): void {
  const shown = running.size === 0 && last ? [last] : [...running];
  const diagrams = shown.map(
    ({ flow, state }) =>
      `**${flow.name}** is in \`${state}\`\n\n\`\`\`mermaid\n${diagramOf(flow, state)}\n\`\`\``,
  );
  setCurrentDetails([...diagrams, ...listChildren()].join('\n\n'));
}
